import { isLive, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import type { AccessChange } from '#shared/domain/platform/lists/keeper.ts';
import { keys } from '#shared/table/keys.ts';
import { type AllOf, at, type Test, type Write } from '#shared/table/table.ts';
import type { Shareable } from './kind.ts';
import type { StoredShare } from './share.ts';

/** A share, the access it gives, its notifications and the jobs for the recipients' lists are one transaction. */

export type SharedItem = RecordItem & { shares: Record<string, StoredShare> };

export const shareIs = (id: string, there: Test | StoredShare): AllOf<SharedItem> => ({
  ...isLive,
  shares: at(id, there),
});

/** A group's row for a record shared with it, so that all shares end with the group. */
export function groupRow(
  { record, account_id }: Shareable,
  { group_id }: StoredShare,
  given: boolean,
): Write[] {
  if (group_id === null) return [];
  const { PK, SK } = keys.groupShare(group_id, record.type, record.id);
  if (!given) return [{ delete: { PK, SK } }];
  return [{ put: { PK, SK, account_id, record_type: record.type, record_id: record.id } }];
}

/** The users whose lists change with a share. */
export const changeOf = ({ account_id, record }: Shareable, user_ids: string[]): AccessChange => ({
  account_id,
  record,
  user_ids,
});
