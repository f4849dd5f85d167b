import { type Item, missing, present } from '#shared/table/table.ts';

/** Attributes that the item of any record may have. */
export type RecordItem = Item & {
  tag_ids?: Set<string>;
  /** Its place in lists of records (shared/table/schema.ts). */
  list?: string;
  rank?: string;
  /** The record that this one was merged into. */
  merged_into?: string;
  /** The merge is under way: the dependents have not moved yet. */
  merging?: boolean;
  /** Nobody finds it any more: its dependents have not been removed yet. */
  deleting?: boolean;
};

/** The condition of writes on a record: it exists, and is neither being merged nor deleted. */
export const isLive = { PK: present, merged_into: missing, deleting: missing };

/** Whether readers find it. */
export function isThere<R extends Item & Pick<RecordItem, 'deleting'>>(item: R | undefined): item is R {
  return item !== undefined && item.deleting === undefined;
}
