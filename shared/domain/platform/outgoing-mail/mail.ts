import type { Context } from '#shared/context.ts';
import type { Services } from '#shared/services.ts';

/** Mail that the service itself sends (docs/decisions/0060-mail-that-the-service-sends.md). */

/** What a mail says, as data. Text is plain: render.ts writes it as text and as HTML. */
export type Part =
  | { paragraph: string }
  /** Alone on its line, large. */
  | { code: string }
  | { link: Link }
  | { list: (string | Line)[] }
  /** Small, below everything else. */
  | { note: string; link?: Link | undefined };

interface Link {
  url: string;
  label: string;
}

/** A line of a list that leads somewhere. */
interface Line {
  text: string;
  url: string | undefined;
}

export interface OutgoingMail {
  /** One address, as it was typed. */
  to: string;
  subject: string;
  parts: Part[];
  /** Where a POST ends mails of this kind, for mail that nobody has to get (RFC 8058). */
  unsubscribe_url?: string | undefined;
}

export type MailQueue = 'send-mail' | 'mail-notifications';

/** A kind of mail. Its name is in stored jobs. */
export interface MailKind<Data extends object, Ports extends object = object> {
  name: string;
  /** Mail that many get at once waits in a queue of its own, so that nobody waits for a code behind it. */
  queue?: MailQueue;
  /** Right before it is sent, so no queue holds what is secret in it. Undefined when there is nothing to say any more. */
  write(ctx: Context<Ports>, data: Data): Promise<OutgoingMail | undefined>;
}

/** All kinds by their names. */
export interface WritesMail {
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own data, which its job holds
  mail_kinds: Readonly<Record<string, MailKind<any, any>>>;
}

/** A mail as it is sent. */
export interface Letter {
  /** The job's. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** In its normal form. */
  unsubscribe_url?: string | undefined;
}

export interface SendsMail {
  /** Throws MailRefused when the mail will never be accepted, and other errors when another try may help. */
  sendMail(services: Services, letter: Letter, signal: AbortSignal): Promise<void>;
}

/** The server refuses this mail for good: no such recipient, for example. */
export class MailRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MailRefused';
  }
}
