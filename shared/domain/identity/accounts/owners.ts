import type { User } from '#shared/domain/identity/users/user.ts';
import { ApiError, invalidField } from '#shared/errors.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { asRead, update, type Write } from '#shared/table/table.ts';
import type { Account } from './account.ts';

/** Every request reads its account with them. */
const MAX_OWNERS = 50;

/** The active owners, the oldest first: ids sort by time. */
export const ownersOf = ({ owner_user_ids, owner_user_id }: Account) => owner_user_ids ?? [owner_user_id];

const owns = ({ role, status }: Pick<User, 'role' | 'status'>) => role === 'owner' && status === 'active';

/** The active owners after a change of a user. */
export function ownersWith(account: Account, after: User): string[] {
  const others = ownersOf(account).filter((id) => id !== after.id);
  return owns(after) ? [...others, after.id].sort() : others;
}

/**
 * The account's side of a change of a user; none when the user owns it as before. All such changes write the one list, so
 * two owners who remove each other at once cannot both succeed: 422 `last_owner`.
 */
export function ownerWrites(account: Account, before: User, after: User, now: Date): Write[] {
  if (owns(before) === owns(after)) return [];
  const owners = ownersWith(account, after);
  const [owner_user_id] = owners;
  if (owner_user_id === undefined) throw new ApiError('last_owner');
  if (owners.length > MAX_OWNERS)
    throw invalidField('role', 'invalid', `cannot be owner: an account has at most ${MAX_OWNERS}`);
  return [
    update<Account>(keys.account(account.id), {
      set: { owner_user_id, owner_user_ids: owners, updated_at: nextMoment(account, now) },
      when: { owner_user_ids: asRead(account.owner_user_ids), updated_at: account.updated_at },
    }),
  ];
}
