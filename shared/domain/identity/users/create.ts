import { keys } from '#shared/table/keys.ts';
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

/** Until people say what they are called, the part of their address that is theirs. */
export const nameIn = (address: string) => address.slice(0, address.lastIndexOf('@'));

/** The first word and the others, for people who are known by one text. */
export function partsOfName(name: string): Pick<User, 'name' | 'first_name' | 'last_name'> {
  const [first = name, ...rest] = name.split(' ');
  return { name, first_name: first, last_name: rest.join(' ') || null };
}

/** An active user, not stored yet. */
export function newUser(draft: UserDraft, now: Date): User {
  return {
    ...keys.user(draft.account_id, draft.id),
    ...draft,
    status: 'active',
    primary_mailbox_id: null,
    mailboxes: {},
    indexed_mailboxes: {},
    assistant_enabled: true,
    notification_settings: {},
    created_at: now.toISOString(),
    updated_at: null,
  };
}
