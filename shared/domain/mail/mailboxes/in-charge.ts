import { successorAmong } from '#shared/domain/identity/users/holder.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from './mailbox.ts';

/** Whom a mailbox is shared with to edit. */
export const editorsOf = ({ shares }: Pick<Mailbox, 'shares'>): string[] =>
  Object.values(shares).flatMap(({ user_id, access }) => (access === 'edit' ? (user_id ?? []) : []));

/**
 * Its owner. Once the owner has left the account, who took over and still edits it, else the first of those who do. `users` are
 * those of the account.
 */
export function inChargeOf(mailbox: Mailbox, users: User[]): User | undefined {
  const owner = users.find(({ id }) => id === mailbox.user_id);
  if (owner?.status !== 'deactivated') return owner;
  const editors = new Set(editorsOf(mailbox));
  const active = users.filter(({ id, status }) => status === 'active' && editors.has(id));
  const successor = successorAmong(users, owner);
  return active.find(({ id }) => id === successor?.id) ?? active[0];
}
