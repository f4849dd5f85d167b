import type { Label } from '#shared/domain/collaboration/records/kind.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** Threads and events that a user may know of without seeing them (docs/specification/people.md, "Share requests"). */

export type InteractionType = Extract<RecordType, 'threads' | 'calendar_events'>;

export interface InteractionRef {
  type: InteractionType;
  id: string;
}

/** A thread or an event of an account, whoever asks. */
export interface Interaction {
  id: string;
  /** Its name for all who see it; null where that depends on them. */
  label: Label;
  /** The mailboxes that it came with. None when nobody else may know of it. */
  mailbox_ids: string[];
  isSeenBy(user: User): boolean;
}

export interface InteractionKind {
  /** By the id that was asked for, which may lead to another one. */
  find(table: Table, account_id: string, ids: string[]): Promise<Map<string, Interaction>>;
}

export interface KnowsHidden {
  hidden: {
    kinds: Record<InteractionType, InteractionKind>;
    /**
     * For those of the mailboxes whose owners let colleagues know of what they hide: the users who may give access to
     * it.
     */
    givers(table: Table, account_id: string, mailbox_ids: string[]): Promise<Map<string, string[]>>;
  };
}
