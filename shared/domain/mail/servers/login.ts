import type { Mailbox, MailTokens, StoredServer } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { open, seal } from '#shared/domain/platform/secrets/seal.ts';
import type { SealingKeys } from '#shared/domain/platform/secrets/sealing-keys.ts';
import type { MailProtocol } from './ports.ts';
import type { ServerLogin } from './server.ts';

/** Passwords and tokens of mail servers as they are stored: only the service reads them, and only for this mailbox. */

/** The password of one place opens nothing elsewhere. */
const placeOf = (mailbox_id: string, what: MailProtocol | 'access token' | 'refresh token') =>
  `${what} of mailbox ${mailbox_id}`;

/** A server as people name it, with the password. */
export interface PasswordLogin extends Omit<ServerLogin, 'secret'> {
  password: string;
}

export const sealedServer = (
  { mailbox_keys }: SealingKeys,
  mailbox_id: string,
  protocol: MailProtocol,
  { password, ...server }: PasswordLogin,
): StoredServer => ({ ...server, password: seal(mailbox_keys, password, placeOf(mailbox_id, protocol)) });

/**
 * How the service signs in to a server of a mailbox that it reads by password. Undefined without such a server, and when
 * the key of the password is gone.
 */
export function passwordLogin(
  { mailbox_keys }: SealingKeys,
  { id, mail_server }: Pick<Mailbox, 'id' | 'mail_server'>,
  protocol: MailProtocol,
): ServerLogin | undefined {
  const stored = mail_server?.[protocol];
  if (!stored || stored.password === null) return undefined;
  const { password: sealed, ...server } = stored;
  const password = open(mailbox_keys, sealed, placeOf(id, protocol));
  return password === undefined ? undefined : { ...server, secret: { password } };
}

export interface OpenTokens {
  access_token: string;
  refresh_token: string;
  expires_at: string;
}

export const sealedTokens = (
  { mailbox_keys }: SealingKeys,
  mailbox_id: string,
  { access_token, refresh_token, expires_at }: OpenTokens,
): MailTokens => ({
  access_token: seal(mailbox_keys, access_token, placeOf(mailbox_id, 'access token')),
  refresh_token: seal(mailbox_keys, refresh_token, placeOf(mailbox_id, 'refresh token')),
  expires_at,
});

/** Undefined when their key is gone. */
export function openTokens(
  { mailbox_keys }: SealingKeys,
  mailbox_id: string,
  { expires_at, ...sealed }: MailTokens,
): OpenTokens | undefined {
  const access_token = open(mailbox_keys, sealed.access_token, placeOf(mailbox_id, 'access token'));
  const refresh_token = open(mailbox_keys, sealed.refresh_token, placeOf(mailbox_id, 'refresh token'));
  if (access_token === undefined || refresh_token === undefined) return undefined;
  return { access_token, refresh_token, expires_at };
}
