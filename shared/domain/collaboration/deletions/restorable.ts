import { restsUntil } from '#shared/domain/collaboration/life/rest.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { LinkKind } from '#shared/domain/collaboration/record-lists/former.ts';
import type { ListedItem } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import type { Linked } from '#shared/domain/collaboration/record-lists/relink.ts';
import { isResting, type RecordItem, type Resting } from '#shared/domain/collaboration/records/live.ts';
import { restorableTypes } from '#shared/domain/collaboration/records/types.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';

/** What a family says about restoring its records (docs/decisions/0055). */
export interface Restorable<R extends ListedItem, Ports extends object = object> {
  index: RecordIndex<R>;
  /** How its records are linked to others. */
  links: readonly { kind: LinkKind; linked: Linked<R> }[];
  /** Whether the caller might have deleted it. */
  mayDelete(ctx: CallerContext<Ports>, record: R): boolean | Promise<boolean>;
  /** 404 and 403 for a record that is there, as for a deletion. */
  require(ctx: CallerContext<Ports>, id: string): Promise<unknown>;
  /**
   * The record as it comes back, and what its family writes for it, as for a new one: its names and limits. With the errors
   * of a new one.
   */
  back(ctx: CallerContext<Ports>, record: R): Promise<Back<R>>;
}

export interface Back<R> {
  after: R;
  writes: Write[];
}

/** Whether it can be restored at this moment. */
export const isRestorable = <R extends RecordItem>(
  type: RecordType,
  item: R | undefined,
  now: Date,
): item is R & Resting =>
  (restorableTypes as readonly string[]).includes(type) &&
  isResting(item) &&
  restsUntil(item.deleted_at) > now.getTime();

/** Until when it can be restored; null for one that cannot. */
export const restorableUntil = (type: RecordType, item: RecordItem | undefined, now: Date): string | null =>
  isRestorable(type, item, now) ? new Date(restsUntil(item.deleted_at)).toISOString() : null;
