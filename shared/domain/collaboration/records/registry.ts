import { contactKind } from '#shared/domain/crm/contacts/kind.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { threadKind } from '#shared/domain/mail/threads/kind.ts';
import { recordNotFound } from '#shared/errors.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Label, RecordKind, RecordRef, Seer, VisibleRecord } from './kind.ts';

/** How the records that can be commented on and tagged are loaded, who sees them and who is told. */

/** A family registers its type here. Until then none of its records exists. */
const kinds: Partial<Record<RecordType, RecordKind>> = {
  contacts: contactKind,
  threads: threadKind,
};

export async function findVisible(
  table: Table,
  caller: Caller,
  { type, id }: RecordRef,
): Promise<VisibleRecord | undefined> {
  return kinds[type]?.load(table, caller, id);
}

/** 404 `record_not_found` for whatever the caller does not see. */
export async function requireVisible(
  table: Table,
  caller: Caller,
  record: RecordRef,
): Promise<VisibleRecord> {
  const found = await findVisible(table, caller, record);
  if (!found) throw recordNotFound();
  return found;
}

export async function whoSees(
  table: Table,
  record: Pick<VisibleRecord, 'type' | 'id'>,
  users: User[],
): Promise<Seer[]> {
  if (users.length === 0) return [];
  return (await kinds[record.type]?.seenBy(table, record.id, users)) ?? [];
}

/** What everybody who sees the record calls it; undefined when that depends on who it is. */
export function commonLabel({ type, label }: Pick<VisibleRecord, 'type' | 'label'>): Label | undefined {
  return kinds[type]?.personal ? undefined : label;
}
