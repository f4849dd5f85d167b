import type { RecordType } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { Caller } from '../caller.ts';
import type { User } from '../users/user.ts';

export interface RecordRef {
  type: RecordType;
  id: string;
}

/** A record that the caller sees. `id` is where its comments and taggings are kept. */
export interface VisibleRecord {
  type: RecordType;
  id: string;
  /** The field that names it in a notification's payload. */
  label: { name: string | null } | { subject: string | null };
  /** Owner and assignee: they are told about comments. */
  owner_ids: string[];
  tag_ids: string[];
}

export interface RecordKind {
  /** The record as the caller sees it; undefined when there is none or it is hidden. */
  load(table: Table, caller: Caller, id: string): Promise<VisibleRecord | undefined>;
  /** Those of `users` who see the record. */
  seenBy(table: Table, id: string, users: User[]): Promise<User[]>;
}
