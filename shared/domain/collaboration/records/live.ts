import { type Item, missing, present } from '#shared/table/table.ts';

/** What every record's item may have, whatever its type. */
export type RecordItem = Item & {
  tag_ids?: Set<string>;
  /** Its place in lists of records (shared/table/schema.ts). */
  list?: string;
  rank?: string;
  /** The record that this one has become part of. */
  merged_into?: string;
  /** The merge is under way: what is under the record has not moved yet. */
  merging?: boolean;
  /** Nobody finds it any more: what is under the record has not been removed yet. */
  deleting?: boolean;
};

/** What a write on a record depends on: it is there, and neither a merge into another one nor its end was announced. */
export const isLive = { PK: present, merged_into: missing, deleting: missing };

/** Whether readers find it. */
export function isThere<R extends Item & Pick<RecordItem, 'deleting'>>(item: R | undefined): item is R {
  return item !== undefined && item.deleting === undefined;
}
