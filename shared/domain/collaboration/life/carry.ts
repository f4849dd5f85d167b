import type { Context } from '#shared/context.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type Write, when } from '#shared/table/table.ts';
import type { Dependent, KnowsDependents } from './dependent.ts';

/**
 * Runs the transactions of dependents, for a record that is marked as merged or deleted: nothing is added to it any
 * more.
 */

export type Carrying = Pick<Context<KnowsDependents>, 'table' | 'clock' | 'ports'>;

const never = () => false;

type Plan = (dependent: Dependent) => AsyncIterable<Write[]>;

/** False when the time was up before the last transaction. */
async function carryOut({ table, ports }: Carrying, plan: Plan, timeIsUp: () => boolean): Promise<boolean> {
  for (const dependent of ports.dependents)
    for await (const writes of plan(dependent)) {
      await table.transact(writes);
      if (timeIsUp()) return false;
    }
  return true;
}

function keyOfWrite(write: Write): Key {
  if ('put' in write) return write.put;
  if ('update' in write) return write.key;
  return 'delete' in write ? write.delete : write.check;
}

/** Checks that the target record is live: it may be merged into a third one or deleted meanwhile. */
function whileLive(writes: Write[], { type, id }: RecordRef): Write[] {
  const key = keys.record(type, id);
  const known = writes.map(keyOfWrite).some(({ PK, SK }) => PK === key.PK && SK === key.SK);
  return known ? writes : [...writes, { check: key, when: when(isLive) }];
}

async function* checked(transactions: AsyncIterable<Write[]>, into: RecordRef): AsyncGenerator<Write[]> {
  for await (const writes of transactions) yield whileLive(writes, into);
}

/** False when the time was up. Throws ConditionFailed when the target record is no longer live. */
export function moveDependents(
  ctx: Carrying,
  from: RecordRef,
  into: RecordRef,
  timeIsUp = never,
): Promise<boolean> {
  const plan: Plan = (dependent) => checked(dependent.moving(ctx, from, into), into);
  return retryOnConflict(() => carryOut(ctx, plan, timeIsUp));
}

/** False when the time was up. */
export function removeDependents(ctx: Carrying, record: RecordRef, timeIsUp = never): Promise<boolean> {
  return retryOnConflict(() => carryOut(ctx, (dependent) => dependent.removing(ctx, record), timeIsUp));
}
