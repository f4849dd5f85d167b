import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { newId } from '#shared/ids.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Item, Write } from '#shared/table/table.ts';

/**
 * Says when to look at the reminders of a record, and nothing about them: what is due is read from the record at that
 * moment. So one that no longer fits is harmless, and no change has to find and remove it (docs/decisions/0053).
 */
export type WaitingReminder = Item & {
  record_type: RecordType;
  record_id: string;
  /** Milliseconds. */
  at: number;
  /** Another one for each time that it was written. */
  version: string;
};

function waitUntil({ type, id }: RecordRef, at: number, now: Date): Write & { put: WaitingReminder } {
  const key = keys.waitingReminder(at, type, id);
  return { put: { ...key, record_type: type, record_id: id, at, version: newId(now) } };
}

/** For the first reminder of a record after now; none when the record waits for it already. */
export function waitingWrites(
  ref: RecordRef,
  moments: { before: number | undefined; after: number | undefined },
  now: Date,
): (Write & { put: WaitingReminder })[] {
  const { before, after } = moments;
  return after === undefined || after === before ? [] : [waitUntil(ref, after, now)];
}
