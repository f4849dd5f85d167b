import { notificationsOf } from '#shared/domain/collaboration/notifications/emit.ts';
import { assignmentNotice, newAssignee } from '#shared/domain/collaboration/records/assignee.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { Place, Places } from '#shared/domain/crm/pipelines/places.ts';
import { actorOf, type CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, noChange, together } from '#shared/domain/platform/jobs/commit.ts';
import { type Deal, summaryOf } from './deal.ts';

/** Who is notified of a deal (docs/specification/notifications.md, "Events"). */

/** Notifications in the transaction of a move; a job delivers the others. */
const AT_ONCE = 8;

/** Assignee, owner, and the users with whom it is shared directly. */
function audienceOf({ assigned_user_id, user_id, shares }: Deal): string[] {
  const shared = Object.values(shares).flatMap((share) => share.user_id ?? []);
  return [...new Set([...(assigned_user_id === null ? [] : [assigned_user_id]), user_id, ...shared])];
}

function ofMove(
  ctx: CallerContext<SeesRecords>,
  { deal, from, to }: { deal: Deal; from: Place; to: Place },
  assignee: string | null,
): Promise<Change> {
  const won = to.stage.kind === 'won' && from.stage.kind !== 'won';
  const { id, name, account_id } = deal;
  const occurrence = {
    account_id,
    record: { type: 'deals' as const, id, label: { name } },
    about: { from_stage: summaryOf(from), to_stage: summaryOf(to) },
    actor_id: actorOf(ctx),
    told: [
      {
        event: won ? ('deal_won' as const) : ('deal_stage_moved' as const),
        // Whoever an agent acts for has `proposal_applied`.
        user_ids: audienceOf(deal).filter((id) => id !== assignee && id !== ctx.caller.user.id),
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
  const assignee = newAssignee(ctx, before?.assigned_user_id, after.assigned_user_id);
  const [from, to] = [before && places.get(before.stage_id), places.get(after.stage_id)];
  const moved = from && to && from.stage.id !== to.stage.id;
  const moves = moved ? await ofMove(ctx, { deal: after, from, to }, assignee) : noChange;
  return together(await assignmentNotice(ctx, 'deal', before, after), moves);
}
