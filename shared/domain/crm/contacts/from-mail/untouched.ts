import { isThere } from '#shared/domain/collaboration/records/live.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Decided } from './decision.ts';

/** The contact that mail made, as long as nobody has changed it. */
export async function untouched(
  table: Table,
  { contact_id, updated_at }: Decided,
): Promise<Contact | undefined> {
  if (contact_id === null) return undefined;
  const contact = await table.get<Contact>(keys.record('contacts', contact_id));
  const same = isThere(contact) && contact.merged_into === undefined && contact.updated_at === updated_at;
  return same ? contact : undefined;
}
