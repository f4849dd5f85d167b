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
  /** The merge can be taken back: its dependents say which way they came. */
  returnable?: boolean;
  /** What came from it by a merge that was taken back is still under that record. */
  returns_from?: string;
  /** The same, of that record. */
  returns_to?: string;
  /** The records that became part of it. */
  merged_ids?: string[];
  /** Nobody finds it any more. */
  deleting?: boolean;
  /** Since when; missing on those that do not rest. */
  deleted_at?: string;
  /** It rests no longer: its dependents are being removed. */
  purging?: boolean;
  /** Its id is not used again: a mark stays in its place. */
  leaves_mark?: true;
  /** It was restored, and its dependents have not all come back yet. */
  restoring?: boolean;
};

/** The condition of writes on a record: it exists, and is neither being merged nor deleted. */
export const isLive = { PK: present, merged_into: missing, deleting: missing };

/** A deleted record that can be restored: it has its content, and what is stored for it. */
export type Resting = { deleting: true; deleted_at: string };

export function isResting<R extends RecordItem>(item: R | undefined): item is R & Resting {
  return item?.deleting === true && item.deleted_at !== undefined && !item.purging;
}

/** The condition that it still rests since the same deletion. */
export const restsSince = (deleted_at: string) => ({ deleting: true, deleted_at, purging: missing });

/** Whether readers find it. */
export function isThere<R extends Item & Pick<RecordItem, 'deleting'>>(item: R | undefined): item is R {
  return item !== undefined && item.deleting === undefined;
}
