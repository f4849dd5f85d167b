import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Mailbox } from './mailbox.ts';
import { isDeleted } from './policy.ts';

/** All mailboxes that the caller has access to, oldest first. */
export async function listMailboxes({ table, caller }: CallerContext): Promise<Mailbox[]> {
  const ids = Object.keys(caller.user.mailboxes);
  const found = await table.getMany<Mailbox>(ids.map((id) => keys.mailbox(caller.account.id, id)));
  return found.filter((mailbox) => !isDeleted(mailbox)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** All mailboxes of an account, for its operators. */
export function listAccountMailboxes(table: Table, account: string): Promise<Mailbox[]> {
  const { PK, SK } = keys.mailbox(account, '');
  return table.all<Mailbox>(PK, SK);
}
