import type { DeletesRecords } from '#shared/domain/collaboration/life/delete.ts';
import { deletesContact } from '#shared/domain/crm/contacts/delete.ts';

/** How records are deleted. */
export const deletions: DeletesRecords = { deletions: { contacts: deletesContact } };
