import { notificationsOf } from '#shared/domain/collaboration/notifications/emit.ts';
import { notify } from '#shared/domain/collaboration/notifications/notification.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { Place, Places } from '#shared/domain/crm/pipelines/places.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, noChange } from '#shared/domain/platform/jobs/commit.ts';
import { type Deal, summaryOf } from './deal.ts';

/** Who is notified of a deal (docs/specification/notifications.md, "Events"). */

/** Notifications in the transaction of a move; a job delivers the others. */
const AT_ONCE = 10;

/** A new assignee other than who assigns. */
function newAssignee({ caller }: CallerContext, before: Deal | undefined, after: Deal): string | undefined {
  const { assigned_user_id: id } = after;
  return id === null || id === caller.user.id || id === before?.assigned_user_id ? undefined : id;
}

/** Assignee, owner, and the users with whom it is shared directly. */
function audienceOf({ assigned_user_id, user_id, shares }: Deal): string[] {
  const shared = Object.values(shares).flatMap((share) => share.user_id ?? []);
  return [...new Set([...(assigned_user_id === null ? [] : [assigned_user_id]), user_id, ...shared])];
}

function ofMove(
  ctx: CallerContext<SeesRecords>,
  { deal, from, to }: { deal: Deal; from: Place; to: Place },
  assignee: string | undefined,
): Promise<Change> {
  const won = to.stage.kind === 'won' && from.stage.kind !== 'won';
  const { id, name, account_id } = deal;
  const occurrence = {
    account_id,
    record: { type: 'deals' as const, id, label: { name } },
    about: { from_stage: summaryOf(from), to_stage: summaryOf(to) },
    actor_id: ctx.caller.user.id,
    told: [
      {
        event: won ? ('deal_won' as const) : ('deal_stage_moved' as const),
        user_ids: audienceOf(deal).filter((user_id) => user_id !== assignee),
      },
    ],
  };
  return notificationsOf(ctx, occurrence, AT_ONCE);
}

/** `deal_assigned` to a new assignee; `deal_won` or `deal_stage_moved` to everybody else it concerns. */
export async function dealNotifications(
  ctx: CallerContext<SeesRecords>,
  before: Deal | undefined,
  after: Deal,
  places: Places,
): Promise<Change> {
  const assignee = newAssignee(ctx, before, after);
  const payload = { id: after.id, record_type: 'deal', name: after.name };
  const prompting_user_id = ctx.caller.user.id;
  const assigned =
    assignee === undefined
      ? []
      : [notify({ user_id: assignee, event: 'deal_assigned', payload, prompting_user_id }, ctx.now)];
  const [from, to] = [before && places.get(before.stage_id), places.get(after.stage_id)];
  const moved = from && to && from.stage.id !== to.stage.id;
  const moves = moved ? await ofMove(ctx, { deal: after, from, to }, assignee) : noChange;
  return { writes: [...assigned, ...moves.writes], jobs: moves.jobs };
}
