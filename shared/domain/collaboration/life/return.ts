import { asOfNow, type Context } from '#shared/context.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { type KeepsLists, listJobs } from '#shared/domain/platform/lists/keeper.ts';
import { keys } from '#shared/table/keys.ts';
import { present, update } from '#shared/table/table.ts';
import { returnDependents } from './carry.ts';
import type { KnowsDependents } from './dependent.ts';

/**
 * The end of a merge that was taken back: the record that was merged is a record again, marked by `returns_from`, and the
 * other one by `returns_to`, until what came from it is back.
 */

type Returning = RecordItem & { account_id: string };

interface Pair {
  survivor: RecordRef;
  restored: RecordRef;
}

function pairsOf({ type, id }: RecordRef, { returns_from, returns_to }: RecordItem): Pair[] {
  const record = { type, id };
  return [
    ...(returns_from ? [{ survivor: { type, id: returns_from }, restored: record }] : []),
    ...(returns_to ? [{ survivor: record, restored: { type, id: returns_to } }] : []),
  ];
}

/** False when the time was up. Throws ConditionFailed when another worker was faster. */
export async function completeReturns(
  ctx: Context<KnowsDependents & KeepsLists>,
  record: RecordRef,
  item: Returning,
  timeIsUp: () => boolean,
): Promise<boolean> {
  for (const { survivor, restored } of pairsOf(record, item)) {
    if (!(await returnDependents(ctx, survivor, restored, timeIsUp))) return false;
    const { account_id } = item;
    const changed = [survivor, restored].map((each) => ({ account_id, record: each, user_ids: [] }));
    await commit(ctx, {
      writes: [
        update<RecordItem>(keys.record(restored.type, restored.id), {
          remove: ['returns_from'],
          when: { returns_from: survivor.id },
        }),
        update<RecordItem>(keys.record(survivor.type, survivor.id), {
          remove: ['returns_to'],
          when: { PK: present, returns_to: restored.id },
        }),
      ],
      jobs: changed.flatMap((change) => listJobs(asOfNow(ctx), change)),
    });
  }
  return true;
}
