import { clockIn } from '#shared/days.ts';
import { amountOf, type NamedSum, readSums } from '#shared/domain/collaboration/record-lists/sums.ts';
import type { Pipeline } from '#shared/domain/crm/pipelines/pipeline.ts';
import { type Place, type Places, placesIn } from '#shared/domain/crm/pipelines/places.ts';
import { listPipelines } from '#shared/domain/crm/pipelines/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { movingIn } from './criteria.ts';
import { closedSince, EARLIEST, LAST, readName, type SumOf } from './sum-names.ts';

/** What the deals of each pipeline that the caller sees come to (docs/specification/views.md, "Dashboard"). */

export interface PipelineTotals {
  pipeline_id: string;
  name: string;
  currency: string | null;
  open_count: number;
  open_amount: number;
  weighted_amount: number;
  won_amount_30d: number;
}

/** Days before today whose won deals are counted. */
const DAYS = 30;

/** The beginning of the day that many days ago, for the user. */
const wonSince = ({ now, caller: { user } }: CallerContext) =>
  clockIn(user.time_zone, now).subtract({ days: DAYS }).startOfDay().epochMilliseconds;

type PlacedSum = NamedSum & SumOf & { place: Place };

async function sumsFrom(ctx: CallerContext, from: string): Promise<NamedSum[]> {
  const { account, user } = ctx.caller;
  const read = (owner: string) => readSums(ctx.table, { owner, record_type: 'deals' }, { from, to: LAST });
  return (await Promise.all([account.id, user.id].map(read))).flat();
}

/** Deals of a stage that another one replaces are that one's. */
const placed = (sums: NamedSum[], places: Places): PlacedSum[] =>
  sums.flatMap((sum) => {
    const named = readName(sum.name);
    const place = places.get(named.stage_id);
    return place ? [{ ...sum, ...named, place }] : [];
  });

const isOpen = ({ place }: PlacedSum) => place.stage.kind === 'open';

/** Deals close with the stage that replaces theirs, until they are written. */
const isWonSince = (since: number) => (sum: PlacedSum) => {
  const { pipeline, stage } = sum.place;
  if (stage.kind !== 'won') return false;
  return sum.is_open ? Date.parse(pipeline.updated_at ?? '') >= since : sum.name >= closedSince(since);
};

const probabilityOf = ({ own_probability, place }: PlacedSum) =>
  BigInt(own_probability ?? place.stage.probability ?? 0);

const added = (sums: PlacedSum[], unitsIn: (sum: PlacedSum) => bigint) =>
  sums.reduce((total, sum) => total + unitsIn(sum), 0n);

/** Of units that were multiplied by percents: to the nearest. */
const ofHundred = (percents: bigint) => (percents + 50n) / 100n;

function totalsOf(
  pipeline: Pipeline,
  usual: string | null,
  sums: PlacedSum[],
  since: number,
): PipelineTotals {
  const { id: pipeline_id, name } = pipeline;
  const currency = pipeline.currency ?? usual;
  const own = sums.filter(({ place }) => place.pipeline.id === pipeline_id);
  const open = own.filter(isOpen);
  const summed = own.filter((sum) => sum.currency === currency);
  const summed_open = summed.filter(isOpen);
  return {
    ...{ pipeline_id, name, currency },
    open_count: open.reduce((count, { record_count }) => count + record_count, 0),
    open_amount: amountOf(added(summed_open, ({ units }) => units)),
    weighted_amount: amountOf(ofHundred(added(summed_open, (sum) => sum.units * probabilityOf(sum)))),
    won_amount_30d: amountOf(added(summed.filter(isWonSince(since)), ({ units }) => units)),
  };
}

/** In the order of the pipelines. Amounts in other currencies than the pipeline's are not added. */
export async function pipelineTotals(ctx: CallerContext): Promise<PipelineTotals[]> {
  const since = wonSince(ctx);
  const [{ pipelines }, recent] = await Promise.all([listPipelines(ctx), sumsFrom(ctx, closedSince(since))]);
  const places = placesIn({ pipelines });
  // Closed deals may be reopened by the stage that replaces theirs, whenever they closed.
  const sums = placed(movingIn(places).size > 0 ? await sumsFrom(ctx, EARLIEST) : recent, places);
  const usual = ctx.caller.account.default_currency ?? null;
  return pipelines.map((pipeline) => totalsOf(pipeline, usual, sums, since));
}
