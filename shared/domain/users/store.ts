import { keys } from '../../table/keys.ts';
import { absent, type Table } from '../../table/table.ts';
import type { User } from './user.ts';

export function listUsers(table: Table, account: string): Promise<User[]> {
  return table.all<User>(keys.account(account).PK, 'USER#');
}

/** The users that exist in the account, whatever their status. */
export function findUsers(table: Table, account: string, ids: string[]): Promise<User[]> {
  return table.getMany<User>(ids.map((id) => keys.user(account, id)));
}

export type UserDraft = Pick<
  User,
  | 'id'
  | 'account_id'
  | 'email_address'
  | 'name'
  | 'first_name'
  | 'last_name'
  | 'role'
  | 'time_zone'
  | 'week_starts_on'
>;

export async function createUser(table: Table, draft: UserDraft, now: Date): Promise<User> {
  const user: User = {
    ...keys.user(draft.account_id, draft.id),
    ...draft,
    avatar_url: null,
    status: 'active',
    group_ids: [],
    primary_mailbox_id: null,
    mailboxes: {},
    assistant_enabled: true,
    notification_settings: {},
    created_at: now.toISOString(),
    updated_at: null,
  };
  await table.put(user, absent);
  return user;
}
