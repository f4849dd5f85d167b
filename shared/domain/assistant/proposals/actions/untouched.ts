import { hasComments } from '#shared/domain/collaboration/comments/dependent.ts';
import { linkedPage } from '#shared/domain/collaboration/record-lists/linked.ts';
import type { ListedItem } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { type ActionContext, notUndoable } from './action.ts';

/** People who work at the organization. */
async function hasEmployees(table: Table, id: string): Promise<boolean> {
  const { PK } = keys.ownerRow('organizations', id, '');
  return (await table.query({ partition: PK, limit: 1 })).items.length > 0;
}

/** 422 for a new record that was changed, commented on, tagged or shared since, or that others are linked to. */
export async function requireUntouched(
  { table }: ActionContext,
  type: RecordType,
  { id, updated_at, tag_ids, shares = {} }: ListedItem,
): Promise<void> {
  if (updated_at !== null || tag_ids || Object.keys(shares).length > 0) throw notUndoable();
  const [commented, { refs }, employing] = await Promise.all([
    hasComments(table, { type, id }),
    linkedPage(table, { type, id }, { limit: 1 }),
    type === 'organizations' && hasEmployees(table, id),
  ]);
  if (commented || refs.length > 0 || employing) throw notUndoable();
}
