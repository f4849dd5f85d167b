import { recordChange, recordDeletion } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { ExternalIds } from '#shared/domain/collaboration/records/external-ids.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, noChange } from '#shared/domain/platform/jobs/commit.ts';
import type { AllOf, Write } from '#shared/table/table.ts';
import { addressWrites } from './addresses.ts';
import type { Contact } from './contact.ts';
import { contactIndex } from './lists.ts';

export const externalIds = new ExternalIds('contacts');

/** The addresses and the external id of a contact. */
async function nameWrites(
  ctx: CallerContext,
  before: Contact | undefined,
  after: Contact | undefined,
): Promise<Write[]> {
  return [...externalIds.change(before, after), ...(await addressWrites(ctx, before, after))];
}

/**
 * The change that creates or changes a contact, with its addresses, its external id and its lists. It fails when another
 * request changes one of these. 409 `email_address_taken`, `external_id_taken`.
 */
export async function contactChange(
  ctx: CallerContext,
  before: Contact | undefined,
  after: Contact,
): Promise<Change> {
  if (before === after) return noChange;
  const besides = nameWrites(ctx, before, after);
  return recordChange(ctx, contactIndex, { before, after, besides });
}

/**
 * The change that marks a contact as deleted. Its addresses and its external id are free at once. It fails when another
 * request changes the contact, or when a further condition does not hold.
 */
export function contactDeletion(
  ctx: CallerContext,
  contact: Contact,
  further: AllOf<Contact> = {},
): Promise<Change> {
  return recordDeletion(ctx, contactIndex, contact, nameWrites(ctx, contact, undefined), further);
}
