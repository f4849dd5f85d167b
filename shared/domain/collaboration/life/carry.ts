import type { Context } from '#shared/context.ts';
import type { Passing } from '#shared/domain/collaboration/records/came-by.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import {
  isLive,
  type RecordItem,
  type Resting,
  restsSince,
} from '#shared/domain/collaboration/records/live.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  type Condition,
  conditionOf,
  containing,
  every,
  missing,
  present,
  type Write,
  when,
} from '#shared/table/table.ts';
import type { Dependent, KnowsDependents } from './dependent.ts';

/**
 * Runs the transactions of dependents, for a record that is marked as merged or deleted: nothing is added to it any
 * more.
 */

export type Carrying = Pick<Context<KnowsDependents>, 'table' | 'clock' | 'ports'>;

const never = () => false;

type Plan = (dependent: Dependent) => AsyncIterable<Write[]> | undefined;

/** False when the time was up before the last transaction. */
async function carryOut({ table, ports }: Carrying, plan: Plan, timeIsUp: () => boolean): Promise<boolean> {
  for (const dependent of ports.dependents)
    for await (const writes of plan(dependent) ?? []) {
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

function alsoWhen(write: Write, wanted: Condition): Write {
  if (!('update' in write)) return { ...write, when: write.when ? every(write.when, wanted) : wanted };
  const own = conditionOf<unknown>(write.update.when);
  return { ...write, update: { ...write.update, when: own ? every(own, wanted) : wanted } };
}

/** Checks the record: it may be merged into a third one, deleted, or restored, meanwhile. */
function whileIt({ type, id }: RecordRef, is: Condition, writes: Write[]): Write[] {
  const key = keys.record(type, id);
  const isOf = (write: Write) => keyOfWrite(write).PK === key.PK && keyOfWrite(write).SK === key.SK;
  if (!writes.some(isOf)) return [...writes, { check: key, when: is }];
  return writes.map((write) => (isOf(write) ? alsoWhen(write, is) : write));
}

async function* checked(
  transactions: AsyncIterable<Write[]> | undefined,
  record: RecordRef,
  is: Condition,
): AsyncGenerator<Write[]> {
  for await (const writes of transactions ?? []) yield whileIt(record, is, writes);
}

/** The merge has not been taken back. */
const isHeir = ({ id, by }: Passing): Condition =>
  when<RecordItem>({ ...isLive, ...(by ? { merged_ids: containing(id) } : {}) });

/**
 * False when the time was up. Throws ConditionFailed when the target record is no longer live, or the merge was taken
 * back.
 */
export function moveDependents(
  ctx: Carrying,
  from: Passing,
  into: RecordRef,
  timeIsUp = never,
): Promise<boolean> {
  const plan: Plan = (dependent) => checked(dependent.moving(ctx, from, into), into, isHeir(from));
  return retryOnConflict(() => carryOut(ctx, plan, timeIsUp));
}

/** Takes a merge back: `from` survived it. False when the time was up. Throws ConditionFailed when all is back. */
export function returnDependents(
  ctx: Carrying,
  from: RecordRef,
  into: RecordRef,
  timeIsUp = never,
): Promise<boolean> {
  const isReturning = when<RecordItem>({ returns_from: from.id });
  const plan: Plan = (dependent) => checked(dependent.returning?.(ctx, from, into), into, isReturning);
  return retryOnConflict(() => carryOut(ctx, plan, timeIsUp));
}

/** False when the time was up. */
export function removeDependents(ctx: Carrying, record: RecordRef, timeIsUp = never): Promise<boolean> {
  return retryOnConflict(() => carryOut(ctx, (dependent) => dependent.removing(ctx, record), timeIsUp));
}

/** Of a record that stays, as long as the condition holds. False when the time was up. Throws ConditionFailed when it does not. */
export function clearDependents(
  ctx: Carrying,
  record: RecordRef,
  is: Condition,
  timeIsUp: () => boolean,
): Promise<boolean> {
  return carryOut(ctx, (dependent) => checked(dependent.removing(ctx, record), record, is), timeIsUp);
}

/** False when the time was up. Throws ConditionFailed when the record does not rest any more. */
export function hideDependents(
  ctx: Carrying,
  record: RecordRef & Pick<Resting, 'deleted_at'>,
  timeIsUp = never,
): Promise<boolean> {
  const rests = when<RecordItem>(restsSince(record.deleted_at));
  return carryOut(ctx, (dependent) => checked(dependent.hiding?.(ctx, record), record, rests), timeIsUp);
}

/** The record is there, perhaps part of another one; not deleted again. */
export const isBack = { PK: present, deleting: missing };

/** False when the time was up. Throws ConditionFailed when the record was deleted again. */
export function restoreDependents(ctx: Carrying, record: RecordRef, timeIsUp = never): Promise<boolean> {
  const back = when<RecordItem>(isBack);
  return carryOut(ctx, (dependent) => checked(dependent.restoring?.(ctx, record), record, back), timeIsUp);
}
