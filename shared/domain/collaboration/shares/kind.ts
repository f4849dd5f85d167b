import type { Label } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Key, RecordType } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import type { RecordRef, ShareRecord, StoredShare } from './share.ts';
import type { Target } from './target.ts';

/** A record that the caller sees, with its shares and what they open. */
export interface Shareable {
  /** The record that stores the shares. */
  record: RecordRef;
  /** The item with the `shares` attribute. */
  item: Key;
  account_id: string;
  /** Its name for everyone; missing where it depends on the user. */
  label?: Label;
  shares: Record<string, StoredShare>;
  /** Access through shares of other records, which is revoked there. */
  inherited: ShareRecord[];
  /** Whether the caller may share it. */
  may_share: boolean;
  /** What a share stores besides its target. */
  opens: Record<string, unknown>;
}

export interface ShareKind {
  load(ctx: CallerContext, id: string): Promise<Shareable | undefined>;
  /** The name of the record for each of these users once it is shared, where it depends on the user. */
  labelsFor?(
    table: Table,
    shareable: Shareable,
    share: StoredShare,
    user_ids: string[],
  ): Promise<Map<string, Label>>;
  /** A share that is there, as a further one of the caller's with the same target makes it; unchanged where it opens nothing. */
  joined?(existing: StoredShare, shareable: Shareable): StoredShare;
  /** 400 when the account has no room for a new share with the target. */
  requireRoom?(ctx: CallerContext, target: Target): Promise<void>;
  /** Further writes that grant what the share opens, or change the access. */
  giving(shareable: Shareable, share: StoredShare): Write[];
  taking(shareable: Shareable, share: StoredShare): Write[];
  /** Stores a record that has no item yet: before it is shared. */
  keep?(ctx: CallerContext, id: string): Promise<void>;
}

/** The kinds of the registered types: nothing else can be shared. */
export type ShareKinds = Partial<Record<RecordType, ShareKind>>;

export interface SharesRecords {
  sharing: ShareKinds;
}
