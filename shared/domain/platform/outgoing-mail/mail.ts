import type { Context } from '#shared/context.ts';
import type { Services } from '#shared/services.ts';

/** Mail that the service itself sends (docs/decisions/0060-mail-that-the-service-sends.md). */

/** What a mail says, as data. Text is plain: render.ts writes it as text and as HTML. */
export type Part =
  | { paragraph: string }
  /** Alone on its line, large. */
  | { code: string }
  | { link: { url: string; label: string } }
  | { list: string[] };

export interface OutgoingMail {
  /** One address, as it was typed. */
  to: string;
  subject: string;
  parts: Part[];
}

/** A kind of mail. Its name is in stored jobs. */
export interface MailKind<Data extends object> {
  name: string;
  /** Right before it is sent, so no queue holds what is secret in it. Undefined when there is nothing to say any more. */
  write(ctx: Context, data: Data): Promise<OutgoingMail | undefined>;
}

/** All kinds by their names. */
export interface WritesMail {
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own data, which its job holds
  mail_kinds: Readonly<Record<string, MailKind<any>>>;
}

/** A mail as it is sent. */
export interface Letter {
  /** The job's. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
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
