import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Table } from '#shared/table/table.ts';
import { findUsers } from './store.ts';
import type { User } from './user.ts';

/** Replacements that are followed, as they may leave too. */
const MAX_HEIRS = 10;

/**
 * Who has what a user had: the user, or whoever took over when the user left, in the end the owner of the account. For
 * what was kept elsewhere meanwhile, and comes back (docs/specification/people.md, "Users").
 */
export async function holderOf(
  { table, caller: { account, user: oneself } }: CallerContext,
  user_id: string,
): Promise<string> {
  let id: string | null | undefined = user_id;
  for (let step = 0; id && step < MAX_HEIRS; step++) {
    if (id === oneself.id) return id;
    const [user] = await findUsers(table, account.id, [id]);
    if (user?.status !== 'deactivated') return id;
    id = user.heir_id;
  }
  return account.owner_user_id;
}

/** Whether the user took over what somebody had who left before: from that one, or from who took it over then. */
export async function hasTakenOver(
  table: Table,
  { account_id, id, role }: User,
  user_id: string,
): Promise<boolean> {
  let current = user_id;
  for (let step = 0; step < MAX_HEIRS; step++) {
    const [left] = await findUsers(table, account_id, [current]);
    if (left?.status !== 'deactivated') return false;
    // Without a replacement, an owner did.
    if (!left.heir_id) return role === 'owner';
    if (left.heir_id === id) return true;
    current = left.heir_id;
  }
  return false;
}

/** Who took over from a user who left, and has not left too; undefined without a replacement. `users` are all of the account. */
export function successorAmong(users: User[], left: User): User | undefined {
  let current: User | undefined = left;
  for (let step = 0; current?.status === 'deactivated' && step < MAX_HEIRS; step++) {
    const { heir_id }: User = current;
    current = users.find(({ id }) => id === heir_id);
  }
  return current;
}
