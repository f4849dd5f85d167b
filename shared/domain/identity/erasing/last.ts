import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { closedKey } from '#shared/domain/identity/accounts/closed.ts';
import { erasingJobs, leftToSweep } from '#shared/domain/identity/billing/job.ts';
import { findLogin } from '#shared/domain/identity/users/addresses.ts';
import { listUsers } from '#shared/domain/identity/users/store.ts';
import type { Waitlistee } from '#shared/domain/identity/waitlist/waitlistee.ts';
import { keys } from '#shared/table/keys.ts';
import { type Item, mustExist, type Table, when } from '#shared/table/table.ts';
import { tryDelete } from '#shared/table/try-delete.ts';
import { eraseKeys } from './items.ts';

/** The end of an account of which nothing is left but what all else was found by. */

/** That the account was erased. */
export type ErasedAccount = Item & { closed_at: string; erased_at: string };

/** That somebody came from the waitlist, unless the address has another user by now. */
async function forgetJoined(table: Table, address: string): Promise<void> {
  if (await findLogin(table, address)) return;
  await tryDelete(table, keys.waitlistee(address), when<Waitlistee>({ status: 'joined' }));
}

/** False when the time was up before. The account itself, by which this is found again, is left. */
async function eraseOwn(table: Table, account_id: string, timeIsUp: () => boolean): Promise<boolean> {
  const { PK, SK } = keys.account(account_id);
  for (const partition of [keys.pipelineOrder(account_id).PK, PK])
    for await (const page of table.pages(partition)) {
      await eraseKeys(
        table,
        page.filter((item) => item.PK !== PK || item.SK !== SK),
      );
      if (timeIsUp()) return false;
    }
  return true;
}

/** False when the time was up before. Idempotent. */
export async function eraseLast(
  table: Table,
  account: Account,
  now: Date,
  timeIsUp: () => boolean,
): Promise<boolean> {
  const { id, closed_at = '' } = account;
  for (const { email_address } of await listUsers(table, id))
    await forgetJoined(table, email_address.toLowerCase());
  if (!(await eraseOwn(table, id, timeIsUp))) return false;
  const erased: ErasedAccount = { ...keys.erasedAccount(id), closed_at, erased_at: now.toISOString() };
  await table.transact([
    { delete: keys.account(id), when: mustExist },
    { delete: closedKey(account) },
    { put: erased },
    ...erasingJobs(account, now).map((job) => leftToSweep(job, now)),
  ]);
  return true;
}
