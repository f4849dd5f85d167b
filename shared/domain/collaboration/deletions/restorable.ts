import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import type { RecordType } from '#shared/table/keys.ts';

/** Until when a deleted record can be restored; null for one that cannot. */
export function restorableUntil(_type: RecordType, _item: RecordItem | undefined, _now: Date): string | null {
  return null;
}
