import * as z from 'zod';
import { type Dependent, keptUnder } from '#shared/domain/collaboration/life/dependent.ts';
import type { Writing } from '#shared/domain/collaboration/record-lists/change.ts';
import type { Places } from '#shared/domain/crm/pipelines/places.ts';
import { actorOf, type CallerContext } from '#shared/domain/identity/caller.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Item, type Write } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';
import { type Deal, stageSummary, summaryOf } from './deal.ts';
import { readPlaces } from './store.ts';

/** The stages that a deal came into, and how long it was there (docs/specification/records.md, "Stage history"). */

export const stageMoveSchema = z
  .strictObject({
    id: uuid,
    from_stage: stageSummary.nullable(),
    to_stage: stageSummary.nullable(),
    user_id: uuid.nullable(),
    moved_at: timestamp,
    seconds_in_stage: z.int().meta({ example: 86_400 }),
  })
  .meta({ id: 'StageMove' });

type StageMove = z.output<typeof stageMoveSchema>;

/** The last moves of a deal: each writes over the one this many moves ago, so that the history does not outgrow a page. */
export const KEPT_MOVES = 200;

/** A move as stored. */
interface Moved {
  /** From 1. */
  number: number;
  from_stage_id: string | null;
  to_stage_id: string;
  user_id: string | null;
  moved_at: string;
}

type MovedItem = Item & Moved;

function movedTo(before: Deal | undefined, after: Deal, user_id: string | null): Moved {
  return {
    number: after.stage_moves ?? 1,
    from_stage_id: before?.stage_id ?? null,
    to_stage_id: after.stage_id,
    user_id,
    moved_at: after.stage_moved_at ?? after.created_at,
  };
}

/** Goes with the write of the deal, whose condition lets one of several moves at once win. */
export function stageMoveWrites(ctx: Writing, before: Deal | undefined, after: Deal): Write[] {
  if (before?.stage_id === after.stage_id) return [];
  const moved = movedTo(before, after, actorOf(ctx));
  return [{ put: { ...keys.stageMove(after.id, moved.number % KEPT_MOVES), ...moved } }];
}

/** The move of a deal whose stage was replaced, until a job writes it. */
function pendingMove(deal: Deal, places: Places): Moved[] {
  const place = places.get(deal.stage_id);
  if (!place || place.stage.id === deal.stage_id) return [];
  const stage_moved_at = place.pipeline.updated_at;
  const stage_moves = (deal.stage_moves ?? 0) + 1;
  return [movedTo(deal, { ...deal, stage_id: place.stage.id, stage_moves, stage_moved_at }, null)];
}

/** A stage that is gone is null, also while its deals are being moved. */
function summaryIn(places: Places, id: string | null): StageMove['to_stage'] {
  const place = id === null ? undefined : places.get(id);
  return place?.stage.id === id && place ? summaryOf(place) : null;
}

const secondsBetween = (from: string, to: number) => Math.max(0, Math.floor((to - Date.parse(from)) / 1000));

/** Newest first. Throws ConditionFailed when the deal came meanwhile into a stage that is newer than what was read. */
export async function listStageHistory(ctx: CallerContext, deal: Deal): Promise<StageMove[]> {
  const { PK, SK } = keys.stageMoves(deal.id);
  const [stored, places] = await Promise.all([ctx.table.all<MovedItem>(PK, SK), readPlaces(ctx)]);
  const written = stored.toSorted((a, b) => b.number - a.number);
  const last = written[0]?.number ?? 0;
  const moves = [...pendingMove(deal, places).filter(({ number }) => number > last), ...written];
  if (moves[0] && !places.has(moves[0].to_stage_id)) throw new ConditionFailed(undefined);
  return moves.map(({ number, from_stage_id, to_stage_id, user_id, moved_at }, i) => ({
    id: idFrom('stage_move', deal.id, String(number)),
    from_stage: summaryIn(places, from_stage_id),
    to_stage: summaryIn(places, to_stage_id),
    user_id,
    moved_at,
    seconds_in_stage: secondsBetween(moved_at, Date.parse(moves[i - 1]?.moved_at ?? ctx.now.toISOString())),
  }));
}

export const stageHistoryOfDeals: Dependent = keptUnder(({ id }) => keys.stageMoves(id));
