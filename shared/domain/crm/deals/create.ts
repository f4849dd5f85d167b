import { checkedBy, fieldsToCheck } from '#shared/domain/collaboration/custom-fields/check.ts';
import { NO_CUSTOM_FIELDS } from '#shared/domain/collaboration/records/custom-fields.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { commitPlan } from '#shared/domain/collaboration/records/plan.ts';
import { placesIn } from '#shared/domain/crm/pipelines/places.ts';
import { readPipelines } from '#shared/domain/crm/pipelines/store.ts';
import { storeFirst } from '#shared/domain/crm/pipelines/writes.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Deal, DealDraft, DealPlan, PlacedDeal } from './deal.ts';
import { withSent } from './sent.ts';
import { dealChange } from './writes.ts';

/** Of the caller, in no stage yet, without anything that was sent. */
export function emptyDeal({ caller, now }: CallerContext, id = newId(now)): Deal {
  return {
    ...keys.record('deals', id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    name: '',
    pipeline_id: '',
    stage_id: '',
    status: 'open',
    amount: null,
    currency: null,
    own_probability: null,
    expected_close_on: null,
    closed_at: null,
    stage_moved_at: null,
    stage_moves: 1,
    lost_reason: null,
    description: null,
    position: 0,
    assigned_user_id: null,
    organization_id: null,
    contacts: [],
    visibility: 'account',
    external_id: null,
    custom_fields: NO_CUSTOM_FIELDS,
    shares: {},
    created_at: now.toISOString(),
    updated_at: null,
  };
}

/** As in `withSent`. */
export async function planDeal(
  ctx: CallerContext<SeesRecords>,
  draft: DealDraft,
  empty: Deal = emptyDeal(ctx),
): Promise<DealPlan> {
  const [all, fields] = await Promise.all([readPipelines(ctx), fieldsToCheck(ctx, 'deals')]);
  const sent = await withSent(ctx, empty, draft, all);
  const pipeline = all.pipelines.find(({ id }) => id === sent.pipeline_id);
  const usual = pipeline?.currency ?? ctx.caller.account.default_currency ?? null;
  const currency = draft.currency === undefined ? usual : sent.currency;
  const planned = checkedBy(fields, undefined, { ...sent, currency });
  const places = placesIn(all);
  return {
    before: undefined,
    after: planned,
    places,
    async change(after = planned) {
      await storeFirst(ctx.table, all);
      return dealChange(ctx, { after, places });
    },
  };
}

/** As in `withSent`; 409 `external_id_taken`. */
export async function createDeal(
  ctx: CallerContext<SeesRecords & KeepsLists>,
  draft: DealDraft,
): Promise<PlacedDeal> {
  const empty = emptyDeal(ctx);
  const { after, places } = await commitPlan(ctx, () => planDeal(ctx, draft, empty));
  return { deal: after, places };
}
