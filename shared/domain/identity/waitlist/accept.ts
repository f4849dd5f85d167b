import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Refusal, Table, Write } from '#shared/table/table.ts';
import { present, update, when } from '#shared/table/table.ts';
import type { SignupInvitation } from './invite.ts';
import type { Waitlistee } from './waitlistee.ts';

/** The invitation of a token; undefined for one that is unknown, used, over, or of another address. */
export async function findInvitation(
  table: Table,
  { signup_token, email_address }: { signup_token: string; email_address: string },
  now: Date,
): Promise<SignupInvitation | undefined> {
  const found = await table.get<SignupInvitation>(keys.signupInvitation(hashSecret(signup_token)));
  const valid = found && found.expires_at_ms > now.getTime() && found.email_address === email_address;
  return valid ? found : undefined;
}

/** Whether a token for this address works. */
export async function isInvited(table: Table, email_address: string, now: Date): Promise<boolean> {
  const { token_hash } = (await table.get<Waitlistee>(keys.waitlistee(email_address))) ?? {};
  if (token_hash === undefined) return false;
  const found = await table.get<SignupInvitation>(keys.signupInvitation(token_hash));
  return found !== undefined && found.expires_at_ms > now.getTime();
}

/** For the transaction that opens the account: a token works once. */
export function acceptInvitation(invitation: SignupInvitation, refused: Refusal): Write[] {
  const joined = update<Waitlistee>(keys.waitlistee(invitation.email_address), {
    set: { status: 'joined' },
    remove: ['token_hash'],
    when: { PK: present },
  });
  return [
    { delete: keyOf(invitation), when: when<SignupInvitation>({ PK: present }), otherwise: refused },
    { ...joined, otherwise: refused },
  ];
}
