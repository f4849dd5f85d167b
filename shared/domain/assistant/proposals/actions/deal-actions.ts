import * as z from 'zod';
import { planDeal } from '#shared/domain/crm/deals/create.ts';
import { type Deal, type DealPlan, dealChanges, dealDraft } from '#shared/domain/crm/deals/deal.ts';
import { linksOf } from '#shared/domain/crm/deals/lists.ts';
import { planDealUpdate, planRestoredDeal } from '#shared/domain/crm/deals/update.ts';
import { dealDeletion } from '#shared/domain/crm/deals/writes.ts';
import { written } from '#shared/domain/crm/deals/written.ts';
import { uuid } from '#shared/values.ts';
import type { Actions } from './action.ts';
import { dealFields } from './deal-fields.ts';
import { changing, creating, type Family } from './record-actions.ts';

const deals: Family<Deal, DealPlan> = {
  type: 'deals',
  fields: dealFields,
  linksOf,
  change: planRestoredDeal,
  deletion: dealDeletion,
};

const { pipeline_id, position, lost_reason } = written;

const move = z.object({ record_id: uuid, stage_id: uuid, pipeline_id, position, lost_reason });

function movedTo({ after, places }: DealPlan, { name }: Deal): string {
  return `Move ${name} to ${places.get(after.stage_id)?.stage.name}`;
}

/** Their parameters are those of the requests that do the same; `record_id` is the deal. */
export const dealActions: Actions = {
  'deal.create': creating(deals, {
    params: dealDraft,
    params_hint:
      '{name, amount, currency, expected_close_on, organization_id, contact_ids, assigned_user_id, description, ...}',
    plan: planDeal,
    settled: (draft, { pipeline_id, stage_id }) => ({ ...draft, pipeline_id, stage_id }),
  }),
  'deal.update': changing(deals, {
    params: dealChanges.extend({ record_id: uuid }),
    params_hint: '{record_id, and the fields to change}',
    plan: (ctx, { record_id, ...changes }) => planDealUpdate(ctx, record_id, changes),
    title: (_, { name }) => `Change ${name}`,
  }),
  'deal.move': changing(deals, {
    params: move,
    params_hint: '{record_id, stage_id, lost_reason}',
    plan: (ctx, { record_id, ...changes }) => planDealUpdate(ctx, record_id, changes),
    title: movedTo,
  }),
};
