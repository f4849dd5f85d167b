import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Access } from './policy.ts';

export interface RecordRef {
  type: RecordType;
  id: string;
}

/** The field that names a record in a notification's payload. */
export type Label = { name: string | null } | { subject: string | null };

/** A record that the caller sees. Its comments and taggings are stored under `id`. */
export interface VisibleRecord {
  type: RecordType;
  id: string;
  /** The name of the record for the caller. */
  label: Label;
  /** Owner and assignee, who are notified of comments. */
  owner_ids: string[];
  tag_ids: string[];
  /** What the caller may do with it; missing for types whose visibility follows from mail. */
  access?: Access | undefined;
}

/** A user who sees a record. */
export interface Seer {
  user: User;
  /** The name of the record for this user, for kinds that are `personal`. */
  label?: Label;
}

/** Who reads which part of records that are made of the mail of several mailboxes. */
export interface SeesMail {
  /** By the id of the record, a user's mailboxes in it: by access to them, and by a share of the record. */
  openings(table: Table, ids: string[]): Promise<Map<string, (user: User) => ReadonlySet<string>>>;
  /** The users to whom shares of the record open mail of these mailboxes. */
  openedTo(table: Table, id: string, mailbox_ids: string[]): Promise<string[]>;
}

export interface RecordKind {
  /** Users may see different parts of a record, so one user's name of it must not be shown to others. */
  personal?: true;
  /** The record as the caller sees it; undefined when it does not exist or is hidden. */
  load(ctx: CallerContext, id: string): Promise<VisibleRecord | undefined>;
  /** Those of `users` who see the record. */
  seenBy(table: Table, id: string, users: User[]): Promise<Seer[]>;
  /**
   * Whose lists have what is visible with the record: the account when everybody sees it, else users, and mailboxes for
   * everybody who may read them. For types that records are linked to.
   */
  audience?(table: Table, id: string): Promise<string[]>;
  /** Stores a visible record that has no item yet: before something is stored under it. */
  keep?(ctx: CallerContext, id: string): Promise<void>;
  /** For records made of mail. */
  mail?: SeesMail;
}

/** The kinds of the registered types; other types have no records. */
export type RecordKinds = Partial<Record<RecordType, RecordKind>>;

export interface SeesRecords {
  records: RecordKinds;
}
