import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { findUsers } from './store.ts';

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
