import { findActiveUsers } from '#shared/domain/identity/users/store.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { editorsOf } from './in-charge.ts';
import type { Mailbox } from './mailbox.ts';
import { isDeleted } from './policy.ts';

/**
 * By mailbox, who gives access to its threads and events: for those with `share_metadata`. That is the owner, and once the
 * owner has left the account, who took over. Nobody changes the choice of a deleted mailbox, so it tells nothing.
 */
export async function giversAmong(
  table: Table,
  account_id: string,
  found: Mailbox[],
): Promise<Map<string, string[]>> {
  const telling = found.filter((mailbox) => mailbox.share_metadata && !isDeleted(mailbox));
  const ids = telling.flatMap((mailbox) => [mailbox.user_id, ...editorsOf(mailbox)]);
  const users = await findActiveUsers(table, account_id, [...new Set(ids)]);
  const active = new Set(users.map(({ id }) => id));
  return new Map(
    telling.map((mailbox) => [
      mailbox.id,
      active.has(mailbox.user_id) ? [mailbox.user_id] : editorsOf(mailbox).filter((id) => active.has(id)),
    ]),
  );
}

export async function giversOf(
  table: Table,
  account_id: string,
  mailbox_ids: string[],
): Promise<Map<string, string[]>> {
  const found = await table.getMany<Mailbox>(mailbox_ids.map((id) => keys.mailbox(account_id, id)));
  return giversAmong(table, account_id, found);
}
