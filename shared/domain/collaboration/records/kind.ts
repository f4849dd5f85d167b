import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

export interface RecordRef {
  type: RecordType;
  id: string;
}

/** The field that names a record in a notification's payload. */
export type Label = { name: string | null } | { subject: string | null };

/** A record that the caller sees. `id` is where its comments and taggings are kept. */
export interface VisibleRecord {
  type: RecordType;
  id: string;
  /** What the caller calls it. */
  label: Label;
  /** Owner and assignee: they are told about comments. */
  owner_ids: string[];
  tag_ids: string[];
}

/** A user who sees a record. */
export interface Seer {
  user: User;
  /** What the user calls the record, of a kind that is `personal`. */
  label?: Label;
}

export interface RecordKind {
  /** Users may see different parts of a record: what one of them calls it is nobody else's business. */
  personal?: true;
  /** The record as the caller sees it; undefined when there is none or it is hidden. */
  load(ctx: CallerContext, id: string): Promise<VisibleRecord | undefined>;
  /** Those of `users` who see the record. */
  seenBy(table: Table, id: string, users: User[]): Promise<Seer[]>;
}

/** The kinds of those types whose family registered them: of the others no record exists. */
export type RecordKinds = Partial<Record<RecordType, RecordKind>>;

export interface SeesRecords {
  records: RecordKinds;
}
