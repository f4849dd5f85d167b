import { keys } from '#shared/table/keys.ts';
import { mustNotExist, type Table } from '#shared/table/table.ts';
import type { User } from './user.ts';

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
    primary_mailbox_id: null,
    mailboxes: {},
    indexed_mailboxes: {},
    assistant_enabled: true,
    notification_settings: {},
    created_at: now.toISOString(),
    updated_at: null,
  };
  await table.put(user, mustNotExist);
  return user;
}
