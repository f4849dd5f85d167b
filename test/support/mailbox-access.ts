import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { at } from '#shared/table/table.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Gives and removes access to a mailbox as its shares do; the user's thread entries are not rebuilt. */

export async function giveMailbox(
  { table }: Workspace,
  { user }: TestUser,
  mailbox_id: string,
  access: 'view' | 'edit' = 'view',
): Promise<void> {
  await table.update<User>(keys.user(user.account_id, user.id), {
    set: { mailboxes: at(mailbox_id, access), indexed_mailboxes: at(mailbox_id, true) },
  });
}

export async function takeMailbox(
  { table }: Workspace,
  { user }: TestUser,
  mailbox_id: string,
): Promise<void> {
  await table.update<User>(keys.user(user.account_id, user.id), { remove: [['mailboxes', mailbox_id]] });
}
