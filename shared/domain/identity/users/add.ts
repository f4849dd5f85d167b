import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { audit } from '#shared/domain/identity/audit/audit.ts';
import { leftToSweep, seatJobs } from '#shared/domain/identity/billing/job.ts';
import { recordNotFound } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { mustExist, mustNotExist, type Table } from '#shared/table/table.ts';
import { inUse, takeAddress } from './addresses.ts';
import { newUser, partsOfName, type UserDraft } from './create.ts';
import { invitationKey } from './open-invitation.ts';
import type { User } from './user.ts';

/** What is known of a new person; `name` is the full name. */
export type PersonDraft = Pick<UserDraft, 'name' | 'email_address' | 'time_zone' | 'week_starts_on'>;

/**
 * 404 when there is no such account; 409 when another user of the service has the email address, and when the account has
 * invited it.
 */
export async function addUser(
  table: Table,
  account_id: string,
  person: PersonDraft & { role: 'admin' | 'member' },
  now: Date,
): Promise<User> {
  const account = await table.get<Account>(keys.account(account_id));
  if (!account) throw recordNotFound();
  const user = newUser({ ...person, ...partsOfName(person.name), id: newId(now), account_id }, now);
  await table.transact([
    { check: keys.account(account_id), when: mustExist, otherwise: recordNotFound },
    { put: user, when: mustNotExist },
    await takeAddress(table, user),
    { check: invitationKey(user), when: mustNotExist, otherwise: inUse },
    audit({ now }, account_id, {
      action: 'user_added',
      subject: { type: 'user', id: user.id, name: user.name },
    }),
    ...seatJobs(account, { status: 'invited' }, user, now).map((job) => leftToSweep(job, now)),
  ]);
  return user;
}
