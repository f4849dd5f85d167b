import { changesBetween } from '#shared/domain/collaboration/history/difference.ts';
import type { ValuesOf } from '#shared/domain/collaboration/history/entry.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { pluralOf } from '#shared/domain/collaboration/records/types.ts';
import type { Happened } from './activity.ts';

/** What a family says of its changes. */
export interface TellsActivity<R> {
  /** `before` is undefined for a new record. */
  happened(before: R | undefined, after: R): Happened[];
  /** The records whose timelines have it besides its own. */
  linked?(record: R): RecordRef[];
}

/** Clients name its keys: an object of them is no link. */
const FREE = 'custom_fields';

function namesRecord(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, id } = value as { type?: unknown; id?: unknown };
  if (typeof type === 'string' && typeof id === 'string' && pluralOf(type)) return true;
  return Object.values(value).some(namesRecord);
}

/** The names of the fields that changed, without those that name other records: a reader may not see these. */
export function updated<R>(history: ValuesOf<R>, before: R, after: R): Happened[] {
  const shown = changesBetween(history(before), history(after)).filter(
    ({ field, before: was, after: is }) => field === FREE || ![was, is].some(namesRecord),
  );
  if (shown.length === 0) return [];
  return [{ type: 'record_updated', detail: { fields: shown.map(({ field }) => field) } }];
}

/** Of records that are created and updated, and no more. */
export const asRecord = <R>(history: ValuesOf<R>): TellsActivity<R> => ({
  happened: (before, after) => (before ? updated(history, before, after) : [{ type: 'record_created' }]),
});
