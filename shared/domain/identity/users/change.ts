import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { ownerWrites } from '#shared/domain/identity/accounts/owners.ts';
import { audit, differences } from '#shared/domain/identity/audit/audit.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { idFloor, keyOf } from '#shared/table/keys.ts';
import { update, type Write } from '#shared/table/table.ts';
import type { User } from './user.ts';

const own = [
  'name',
  'first_name',
  'last_name',
  'avatar_id',
  'time_zone',
  'week_starts_on',
  'primary_mailbox_id',
  'assistant_enabled',
  'notification_settings',
  'notification_digest',
] as const;
const rights = ['role', 'status'] as const;

type Compared = Pick<User, (typeof own)[number] | (typeof rights)[number] | 'heir_id'>;

/** What a change of rights is called. */
function actionOf(before: User, after: User) {
  if (before.status === after.status) return 'user_updated';
  return after.status === 'deactivated' ? 'user_deactivated' : 'user_reactivated';
}

function rightsEvent(ctx: CallerContext, before: User, after: User): Write[] {
  const changes = differences<Compared>(before, after, rights);
  if (changes.length === 0) return [];
  const subject = { type: 'user' as const, id: after.id, name: after.name };
  return [audit(ctx, after.account_id, { action: actionOf(before, after), subject, changes })];
}

/** Keys and sessions of before end with a change of the status, in one write, and do not return with the user. */
function endedWith(before: User, after: User, now: Date): Pick<User, 'credentials_from'> {
  return before.status === after.status ? {} : { credentials_from: idFloor(now.getTime() + 1) };
}

/** The writes of a change, and the user after it; no writes when nothing changes. 422 `last_owner`. */
export function userChange(
  ctx: CallerContext,
  account: Account,
  before: User,
  after: User,
): { writes: Write[]; user: User } {
  const changed = differences<Compared>(before, after, [...own, ...rights, 'heir_id']);
  if (changed.length === 0) return { writes: [], user: before };
  const set = {
    ...Object.fromEntries(changed.map((change) => [change.field, change.after])),
    ...endedWith(before, after, ctx.now),
    updated_at: nextMoment(before, ctx.now),
  };
  return {
    user: { ...after, ...set },
    writes: [
      update<User>(keyOf(before), { set, when: { status: before.status, updated_at: before.updated_at } }),
      ...ownerWrites(account, before, after, ctx.now),
      ...rightsEvent(ctx, before, after),
    ],
  };
}
