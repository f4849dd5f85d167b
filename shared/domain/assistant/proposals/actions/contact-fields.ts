import { type Contact, writableFields } from '#shared/domain/crm/contacts/contact.ts';
import { employersOf } from '#shared/domain/crm/contacts/employers.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import type { ActionContext } from './action.ts';
import { customFields, plainField, type ShownField, showEntry, shownField } from './shown.ts';

type Names = ReadonlyMap<string, string>;

function showJobs(employments: Contact['employments'], names: Names): string | null {
  const jobs = employments.map((each) => ({
    ...each,
    organization: names.get(each.organization?.id ?? ''),
  }));
  return jobs.map(showEntry).join(', ') || null;
}

/** The fields of contacts as people read them, with the names of the organizations that the user sees. */
export async function contactFields(
  ctx: ActionContext,
  { before, after, founded }: { before?: Contact | undefined; after: Contact; founded: Organization[] },
): Promise<ShownField<Contact>[]> {
  const employers = await employersOf(ctx, before ? [before, after] : [after]);
  const names = new Map([...employers.values(), ...founded].map(({ id, name }) => [id, name]));
  return writableFields.map((name) => {
    if (name === 'custom_fields') return customFields();
    if (name === 'employments') return shownField(name, ({ employments }) => showJobs(employments, names));
    return plainField(name);
  });
}
