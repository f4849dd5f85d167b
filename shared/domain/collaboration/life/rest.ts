import { dueWrite } from '#shared/domain/collaboration/due/due.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { restorableTypes } from '#shared/domain/collaboration/records/types.ts';
import type { Write } from '#shared/table/table.ts';

/** A deleted record rests for 30 days, in which it can be restored; then all that is stored for it is removed. */

/** Milliseconds. */
const RESTS = 30 * 86_400_000;

export const mayRest = ({ type }: Pick<RecordRef, 'type'>) =>
  (restorableTypes as readonly string[]).includes(type);

export const restsUntil = (deleted_at: string): number => Date.parse(deleted_at) + RESTS;

/** Lets a deleted record wait for the end of its rest. */
export const purgeWrite = (record: RecordRef, deleted_at: string, now: Date): Write =>
  dueWrite('purge', record, restsUntil(deleted_at), now);
