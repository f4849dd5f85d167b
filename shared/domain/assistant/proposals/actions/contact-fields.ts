import { isDeepStrictEqual } from 'node:util';
import { changeOf, type Display } from '#shared/domain/collaboration/replies/display.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { type WritableField, writableFields } from '#shared/domain/crm/contacts/contact.ts';
import { employersOf } from '#shared/domain/crm/contacts/employers.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** The fields of contacts as people read them. */

/** An entry of a list: its texts, with the label in brackets. */
function showEntry({ id: _, label, ...content }: { id: string; label?: string | null }): string {
  const texts = Object.values(content).filter((value) => typeof value === 'string');
  return [...texts, ...(label ? [`(${label})`] : [])].join(' ');
}

function showCustom(json: string): string {
  return Object.entries(JSON.parse(json))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

type Names = ReadonlyMap<string, string>;

/** The names of the organizations that a change of a contact is about, as the user sees them. */
export async function organizationNames(
  ctx: CallerContext,
  contacts: Contact[],
  founded: { id: string; name: string }[],
): Promise<Names> {
  const employers = await employersOf(ctx, contacts);
  return new Map([...employers.values(), ...founded].map(({ id, name }) => [id, name]));
}

function showJobs(employments: Contact['employments'], names: Names): string {
  const jobs = employments.map((each) => ({
    ...each,
    organization: names.get(each.organization?.id ?? ''),
  }));
  return jobs.map(showEntry).join(', ');
}

function show(contact: Contact | undefined, field: WritableField, names: Names): string | null {
  const value = contact?.[field] ?? '';
  if (field === 'custom_fields') return showCustom((value as string) || '{}') || null;
  if (field === 'employments') return showJobs(contact?.employments ?? [], names) || null;
  const text = typeof value === 'string' ? value : value.map(showEntry).join(', ');
  return text === '' ? null : text;
}

/** The changed fields; for a new contact the fields that it has. */
export function changedFields(
  before: Contact | undefined,
  after: Contact,
  names: Names = new Map(),
): WritableField[] {
  return writableFields.filter((field) =>
    before ? !isDeepStrictEqual(before[field], after[field]) : show(after, field, names) !== null,
  );
}

export function contactChanges(
  before: Contact | undefined,
  after: Contact,
  names: Names,
): Display['changes'] {
  return changedFields(before, after, names).map((field) =>
    changeOf(field, show(before, field, names), show(after, field, names)),
  );
}
