import { type DueWork, dueWrite } from '#shared/domain/collaboration/due/due.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { Write } from '#shared/table/table.ts';

/** For the first reminder of a record after now; none when the record waits for it already. */
export function waitingWrites(
  ref: RecordRef,
  moments: { before: number | undefined; after: number | undefined },
  now: Date,
): (Write & { put: DueWork })[] {
  const { before, after } = moments;
  return after === undefined || after === before ? [] : [dueWrite('remind', ref, after, now)];
}
