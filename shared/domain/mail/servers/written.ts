import * as z from 'zod';
import { authorizationCode, authorizationState } from '#shared/domain/identity/openid/sent.ts';
import type { BroughtConsent } from '#shared/domain/mail/consent/consent.ts';
import { Fields, requireAll } from '#shared/fields.ts';
import { type MailProvider, mailProviders } from '#shared/mail-providers.ts';
import { emailAddress, nameText } from '#shared/values.ts';

/** Mail servers as people name them. */

/** Without control characters: it is part of a line that is sent to the server. */
const credential = z
  .string()
  .min(1)
  .max(320)
  .regex(/^[^\p{Cc}]+$/u, { error: 'must hold no control characters' });

const server = z.object({
  host: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .regex(/^[\p{L}\p{M}\p{N}._:-]+$/u, {
      error: 'must be the name of a host, without a protocol or a port',
    })
    .meta({ example: 'mail.acme.example' }),
  port: z.int().min(1).max(65_535).meta({ example: 993 }),
  tls: z.boolean(),
  username: credential.meta({ example: 'ada@acme.example' }),
  password: credential.meta({ example: 'xkcd-936-app-password', writeOnly: true }),
});

const imap = server.meta({ id: 'ImapServer' });
const smtp = server.meta({ id: 'SmtpServer' });

export type WrittenServer = z.output<typeof server>;

/** What a provider sent back. */
const brought = {
  authorization_code: authorizationCode.optional().meta({ writeOnly: true }),
  state: authorizationState.optional(),
  iss: authorizationState.optional(),
};

/** A mailbox at servers with passwords, or at a provider that lets the service in. */
export const newMailbox = z.object({
  provider: z.enum([...mailProviders, 'imap']),
  email_address: emailAddress.optional(),
  name: nameText(255).optional(),
  imap: imap.optional(),
  smtp: smtp.nullish(),
  ...brought,
});

type Sent = z.output<typeof newMailbox>;

/** With passwords. */
export interface NewMailbox {
  provider: 'imap';
  email_address: string;
  name: string | undefined;
  imap: WrittenServer;
  smtp: WrittenServer | null | undefined;
}

/** By the consent of its owner. */
export interface ConsentedMailbox extends BroughtConsent {
  provider: MailProvider;
  name: string | undefined;
}

function refuseAll(sent: Sent, names: readonly (keyof Sent)[], message: string): void {
  const fields = new Fields();
  for (const name of names) if (sent[name] !== undefined) fields.add(name, 'not_allowed', message);
  fields.throwIfAny();
}

/** 400 for what is missing, and for what is of the other kind of provider. */
export function mailboxIn(sent: Sent): NewMailbox | ConsentedMailbox {
  const { provider, name } = sent;
  if (provider === 'imap') {
    refuseAll(sent, ['authorization_code', 'state', 'iss'], 'is for gmail and outlook');
    return { provider, name, smtp: sent.smtp, ...requireAll(sent, ['email_address', 'imap']) };
  }
  refuseAll(sent, ['email_address', 'imap', 'smtp'], 'comes from the provider');
  return { provider, name, iss: sent.iss, ...requireAll(sent, ['authorization_code', 'state']) };
}

/** What is not sent stays; without `smtp` the mailbox sends nothing. */
export const mailCredentials = { imap: imap.optional(), smtp: smtp.nullish(), ...brought };

export interface MailCredentials {
  imap?: WrittenServer | undefined;
  smtp?: WrittenServer | null | undefined;
}
