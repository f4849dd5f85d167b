import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from './mailbox.ts';

/** Whom a mailbox is shared with to edit. */
export const editorsOf = ({ shares }: Pick<Mailbox, 'shares'>): string[] =>
  Object.values(shares).flatMap(({ user_id, access }) => (access === 'edit' ? (user_id ?? []) : []));

/** Replacements that are followed, as they may leave too. */
const MAX_HEIRS = 10;

function successorOf(user: User | undefined, users: User[], steps = MAX_HEIRS): User | undefined {
  if (user?.status !== 'deactivated' || steps === 0) return user;
  return successorOf(
    users.find(({ id }) => id === user.heir_id),
    users,
    steps - 1,
  );
}

/**
 * Its owner. Once the owner has left the account, who took over and still edits it, else the first of those who do. `users` are
 * those of the account.
 */
export function inChargeOf(mailbox: Mailbox, users: User[]): User | undefined {
  const owner = users.find(({ id }) => id === mailbox.user_id);
  if (owner?.status !== 'deactivated') return owner;
  const editors = new Set(editorsOf(mailbox));
  const active = users.filter(({ id, status }) => status === 'active' && editors.has(id));
  const successor = successorOf(owner, users);
  return active.find(({ id }) => id === successor?.id) ?? active[0];
}
