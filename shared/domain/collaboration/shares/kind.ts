import type { Label } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Key, RecordType } from '#shared/table/keys.ts';
import type { Table, Write } from '#shared/table/table.ts';
import type { RecordRef, ShareRecord, StoredShare } from './share.ts';

/** A record that the caller sees, with whom it is shared and what that opens. */
export interface Shareable {
  /** Where its shares are kept. */
  record: RecordRef;
  /** The item that has the `shares`. */
  item: Key;
  account_id: string;
  /** What everybody calls it; absent where that depends on who it is. */
  label?: Label;
  shares: Record<string, StoredShare>;
  /** What other records' shares open on this one; they end there. */
  inherited: ShareRecord[];
  /** Whether the caller may share it. */
  may_share: boolean;
  /** What a share keeps besides whom it is for. */
  opens: Record<string, unknown>;
}

export interface ShareKind {
  load(ctx: CallerContext, id: string): Promise<Shareable | undefined>;
  /** What each of these users will call the record once it is shared, where that depends on who it is. */
  labelsFor?(
    table: Table,
    shareable: Shareable,
    share: StoredShare,
    user_ids: string[],
  ): Promise<Map<string, Label>>;
  /** Further writes that give what the share opens, or change how. */
  giving(shareable: Shareable, share: StoredShare): Write[];
  taking(shareable: Shareable, share: StoredShare): Write[];
}

/** The kinds of those types whose family registered them: nothing else can be shared. */
export type ShareKinds = Partial<Record<RecordType, ShareKind>>;

export interface SharesRecords {
  sharing: ShareKinds;
}
