import { emptyDeal, planDeal } from '#shared/domain/crm/deals/create.ts';
import {
  type Deal,
  type DealChanges,
  type DealDraft,
  dealDraft,
  probabilityIn,
} from '#shared/domain/crm/deals/deal.ts';
import { namesIn } from '#shared/domain/crm/deals/people.ts';
import { placeFor } from '#shared/domain/crm/deals/place.ts';
import { planDealUpdateBy } from '#shared/domain/crm/deals/update.ts';
import { externalIds } from '#shared/domain/crm/deals/writes.ts';
import type { AccountPipelines } from '#shared/domain/crm/pipelines/pipeline.ts';
import { placesIn } from '#shared/domain/crm/pipelines/places.ts';
import { listPipelines, readPipelines } from '#shared/domain/crm/pipelines/store.ts';
import { invalidField } from '#shared/errors.ts';
import { foldName } from '#shared/folding.ts';
import type { Cells } from './cells.ts';
import { withTypes } from './custom-cells.ts';
import { keptIn, tagsIn } from './detail-cells.ts';
import type { Family, ImportOptions } from './family.ts';
import { withoutKeptTexts } from './kept-texts.ts';
import { contactsAt, organizationsNamed, userNamed, withoutDoubledNames } from './named-records.ts';
import { addedIds, type ImportContext, type SentRow } from './row.ts';
import { currencyIn, readDay, readNumber } from './written-values.ts';

/** Deals of files. */

function rowOf(cells: Cells): SentRow {
  const { style } = cells;
  const [amount, probability, day] = [
    cells.one('amount'),
    cells.one('probability'),
    cells.one('expected_close_on'),
  ];
  const currency = cells.one('currency') ?? (amount === undefined ? undefined : currencyIn(amount));
  const lists = {
    contacts: cells.words('contacts'),
    contact_ids: cells.words('contact_ids').map((id) => id.toLowerCase()),
  };
  const draft = {
    ...cells.plain(['name', 'lost_reason', 'description', 'assigned_user', 'assigned_user_id']),
    ...cells.plain(['organization', 'organization_id', 'pipeline', 'pipeline_id', 'stage', 'stage_id']),
    ...(amount === undefined ? {} : { amount: readNumber(amount, style) }),
    ...(currency === undefined ? {} : { currency }),
    ...(probability === undefined ? {} : { probability: readNumber(probability, style) }),
    ...(day === undefined ? {} : { expected_close_on: readDay(day, style) }),
    ...Object.fromEntries(Object.entries(lists).filter(([, some]) => some.length > 0)),
    ...keptIn(cells),
  };
  return { draft, tags: tagsIn(cells) };
}

/** The pipeline and the stage that a row names. A stage without one is of the import's, else of the default one. */
async function placeNamed(ctx: ImportContext, draft: SentRow['draft'], options: ImportOptions) {
  const { pipeline, stage, pipeline_id = options.pipeline_id } = draft as Record<string, string | null>;
  if (!pipeline && !stage) return pipeline_id ? { pipeline_id } : {};
  const { order, pipelines } = await listPipelines(ctx);
  const named = pipeline
    ? pipelines.find(({ name }) => foldName(name) === foldName(pipeline))
    : pipelines.find(({ id }) => id === (pipeline_id ?? order.default_id));
  if (!named) throw invalidField('pipeline', 'invalid', 'is the name of no pipeline');
  if (!stage) return { pipeline_id: named.id };
  const found = named.stages.find(({ name }) => foldName(name) === foldName(stage));
  if (!found) throw invalidField('stage', 'invalid', `is the name of no stage of ${named.name}`);
  return { pipeline_id: named.id, stage_id: found.id };
}

async function resolve(ctx: ImportContext, row: SentRow, options: ImportOptions): Promise<SentRow> {
  const sent = withoutDoubledNames(row.draft);
  const { pipeline, stage, organization, contacts, assigned_user, ...rest } = sent;
  const place = await placeNamed(ctx, sent, options);
  const draft: Record<string, unknown> = { ...rest, ...place };
  if (typeof organization === 'string')
    [draft.organization_id] = await organizationsNamed(ctx, 'organization', [organization]);
  if (typeof assigned_user === 'string') draft.assigned_user_id = await userNamed(ctx, assigned_user);
  if (Array.isArray(contacts)) {
    const ids = (rest.contact_ids ?? []) as string[];
    draft.contact_ids = [...new Set([...ids, ...(await contactsAt(ctx, contacts))])];
  }
  return withTypes(ctx, 'deals', { ...row, draft });
}

/**
 * What a row sends, without a probability that the deal shows, or that its stage has: files have those of stages as
 * well, and the deal goes on to follow its stage.
 */
function withOwnProbability<Sent extends DealDraft | DealChanges>(
  all: AccountPipelines,
  sent: Sent,
  before?: Deal,
): Sent {
  const { probability, ...rest } = sent;
  if (probability == null) return sent;
  const place = placesIn(all).get(before?.stage_id ?? '');
  if (before && place && probability === probabilityIn(before, place)) return rest as Sent;
  const { stage } = placeFor(all, sent, place);
  return probability === stage.probability ? { ...sent, probability: null } : sent;
}

/** A row changes what it names, and adds people. Hidden ones stay without being named. */
async function changesOf(
  ctx: ImportContext,
  { before, all }: { before: Deal; all: AccountPipelines },
  { contact_ids, ...sent }: DealDraft,
): Promise<DealChanges> {
  const rest = withOwnProbability(all, withoutKeptTexts(before, sent), before);
  if (!contact_ids) return rest;
  const names = await namesIn(ctx, [before]);
  const own = before.contacts.map(({ id }) => id).filter((id) => names.has(id));
  const contacts = addedIds(own, contact_ids);
  return { ...rest, ...(contacts ? { contact_ids: contacts } : {}) };
}

export const dealFamily: Family<Deal, DealDraft> = {
  type: 'deals',
  draft: dealDraft,
  external_ids: externalIds,
  // Planning the first deal of an account stores its first pipeline.
  tried: false,
  rowOf,
  resolve,
  turnsOf: () => [],
  create: async (ctx, draft, id) =>
    planDeal(ctx, withOwnProbability(await readPipelines(ctx), draft), emptyDeal(ctx, id)),
  update: (ctx, id, draft) =>
    planDealUpdateBy(ctx, id, (before, all) => changesOf(ctx, { before, all }, draft)),
};
