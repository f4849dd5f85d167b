import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import type { DealRecord } from '#shared/domain/crm/deals/deal.ts';
import { requireDeal } from '#shared/domain/crm/deals/policy.ts';
import { presentDeal, readPlaces } from '#shared/domain/crm/deals/store.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { DealRow, DealView } from '../views.ts';
import { commentViews, shorten } from './comments.ts';
import { give, type ToolContext } from './context.ts';

const DESCRIPTION = 2_000;

export function dealRow(deal: DealRecord): DealRow {
  const { id, name, status, amount, currency, probability, expected_close_on } = deal;
  const [stage, organization] = [deal.stage.name, deal.organization?.name ?? null];
  return { id, name, status, stage, amount, currency, probability, expected_close_on, organization };
}

/** 404 for a deal that the user does not see. */
export async function readDeal(ctx: ToolContext, id: string): Promise<DealView> {
  const stored = await requireDeal(ctx, id);
  const { assigned_user_id } = stored;
  const places = await readPlaces(ctx);
  const [deal, comments, [assignee]] = await Promise.all([
    presentDeal(ctx, { deal: stored, places }),
    listRecordComments(ctx, { type: 'deals', id: stored.id }),
    findUsers(ctx.table, ctx.caller.account.id, assigned_user_id === null ? [] : [assigned_user_id]),
  ]);
  give(ctx, 'deal', [deal.id]);
  give(ctx, 'contact', deal.contact_ids);
  return {
    ...dealRow(deal),
    type: 'deal',
    description: deal.description && shorten(deal.description, DESCRIPTION),
    closed_at: deal.closed_at,
    lost_reason: deal.lost_reason,
    assignee: assignee?.name ?? null,
    people: deal.contacts.map((person) => ({ contact_id: person.id, name: person.name, role: person.role })),
    tags: (deal.tags ?? []).map(({ name }) => name),
    comments: await commentViews(ctx, comments),
    stages: (places.get(stored.stage_id)?.pipeline.stages ?? []).map(({ id, name, kind }) => ({
      id,
      name,
      kind,
    })),
  };
}
