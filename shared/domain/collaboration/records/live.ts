import { type Item, missing, present } from '#shared/table/table.ts';

/** What every record's item may have, whatever its type. */
export type RecordItem = Item & {
  tag_ids?: Set<string>;
  /** The record that this one has become part of. */
  merged_into?: string;
  /** The merge is under way: what is under the record has not moved yet. */
  merging?: boolean;
};

/** What a write on a record depends on: it is there, and no merge into another one was announced. */
export const isLive = { PK: present, merged_into: missing };
