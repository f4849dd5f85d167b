import type { NamedItem } from '#shared/domain/collaboration/records/named-kind.ts';
import { visibleRecords } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { invalidField, recordNotFound } from '#shared/errors.ts';
import type { Deal, DealChanges, DealContact } from './deal.ts';
import { MAX_CONTACTS } from './written.ts';

/** The people and the organization of a deal. */

type People = Pick<Deal, 'contacts' | 'organization_id'>;

/** The names of those that the caller sees, by id. */
export async function namesIn(ctx: CallerContext, deals: People[]): Promise<Map<string, string>> {
  const contact_ids = deals.flatMap(({ contacts }) => contacts.map(({ id }) => id));
  const organization_ids = deals.flatMap(({ organization_id }) => organization_id ?? []);
  const visible = await Promise.all([
    visibleRecords<NamedItem>(ctx, 'contacts', contact_ids),
    visibleRecords<NamedItem>(ctx, 'organizations', organization_ids),
  ]);
  return new Map(visible.flat().map(({ id, name }) => [id, name]));
}

/** By id alone, a person keeps the role. */
function sentContacts(
  before: DealContact[],
  { contact_ids, contacts }: DealChanges,
): DealContact[] | undefined {
  if (contacts && contact_ids) throw invalidField('contacts', 'invalid', 'cannot be sent with contact_ids');
  const sent = contacts
    ? contacts.map(({ id, role = null }) => ({ id, role }))
    : contact_ids?.map((id) => before.find((contact) => contact.id === id) ?? { id, role: null });
  return sent?.filter(({ id }, i) => sent.findIndex((other) => other.id === id) === i);
}

/** Who replaces them without seeing some keeps those: hidden people and organizations stay. 404 for a hidden one. */
export async function peopleAfter(ctx: CallerContext, before: Deal, sent: DealChanges): Promise<People> {
  const contacts = sentContacts(before.contacts, sent);
  const { organization_id } = sent;
  if (!contacts && organization_id === undefined) return before;
  const wanted: People = {
    contacts: contacts ?? [],
    organization_id: organization_id ?? null,
  };
  const names = await namesIn(ctx, [wanted, before]);
  const ids = [...wanted.contacts.map(({ id }) => id), ...(organization_id ? [organization_id] : [])];
  if (!ids.every((id) => names.has(id))) throw recordNotFound();
  const all = [...wanted.contacts, ...before.contacts.filter(({ id }) => !names.has(id))];
  if (contacts && all.length > MAX_CONTACTS)
    throw invalidField('contacts', 'too_long', `a deal has at most ${MAX_CONTACTS} people`);
  const hidden = before.organization_id !== null && !names.has(before.organization_id);
  const cleared = hidden ? before.organization_id : null;
  return {
    contacts: contacts ? all : before.contacts,
    organization_id: organization_id === undefined ? before.organization_id : (organization_id ?? cleared),
  };
}
