import { listUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { readOwned } from '#shared/domain/mail/mailboxes/owned.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { type Members, refreshThreads } from './refresh.ts';

/** All users and mailboxes of an account, for work on many threads. */
export async function membersOf(table: Table, account: string): Promise<Members> {
  const [users, mailboxes] = await Promise.all([
    listUsers(table, account),
    table.all<Mailbox>(keys.account(account).PK, 'MAILBOX#'),
  ]);
  return { users, mailboxes };
}

/** Updates one user's entry of a thread to what the user may read. */
export async function refreshForUser(table: Table, user: User, thread: string): Promise<void> {
  const members = { users: [user], mailboxes: await readOwned(table, user) };
  await refreshThreads(table, [thread], members, { only: [user], entries_only: true });
}
