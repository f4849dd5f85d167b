import { keys } from '#shared/table/keys.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Access to a mailbox as sharing it gives and takes it; the user's thread entries are not made again. */

export async function giveMailbox(
  { table }: Workspace,
  { user }: TestUser,
  mailbox_id: string,
): Promise<void> {
  await table.update(keys.user(user.account_id, user.id), {
    update: 'SET mailboxes.#id = :access, indexed_mailboxes.#id = :indexed',
    names: { '#id': mailbox_id },
    values: { ':access': 'view', ':indexed': true },
  });
}

export async function takeMailbox(
  { table }: Workspace,
  { user }: TestUser,
  mailbox_id: string,
): Promise<void> {
  await table.update(keys.user(user.account_id, user.id), {
    update: 'REMOVE mailboxes.#id',
    names: { '#id': mailbox_id },
  });
}
