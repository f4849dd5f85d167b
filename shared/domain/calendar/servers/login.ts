import type { Config } from '#shared/config.ts';
import type { CalendarLogin, Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { open, seal } from '#shared/domain/platform/secrets/seal.ts';
import type { SealingKeys } from '#shared/domain/platform/secrets/sealing-keys.ts';
import type { ServerLogin } from './server.ts';

/** The password of a server as it is stored: only the service reads it, and only for this mailbox. */

type Keys = SealingKeys & Pick<Config, 'cursor_keys'>;

const placeOf = (mailbox_id: string) => `calendar server of mailbox ${mailbox_id}`;

export const sealedLogin = (sealing: SealingKeys, mailbox_id: string, login: ServerLogin): CalendarLogin => ({
  ...login,
  password: seal(sealing.mailbox_keys, login.password, placeOf(mailbox_id)),
});

/** Undefined without a server, and when the key of the password is gone. */
export function loginOf(
  { mailbox_keys, cursor_keys }: Keys,
  { id, calendar_server }: Mailbox,
): ServerLogin | undefined {
  if (!calendar_server) return undefined;
  // Those of before 0072 are sealed with the other keys.
  const keys = [...mailbox_keys, ...cursor_keys];
  const password = open(keys, calendar_server.password, placeOf(id));
  return password === undefined ? undefined : { ...calendar_server, password };
}
