import { isDeepStrictEqual } from 'node:util';
import { changeOf, type Display } from '#shared/domain/collaboration/replies/display.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { type WritableField, writableFields } from '#shared/domain/crm/contacts/contact.ts';

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

function show(contact: Contact | undefined, field: WritableField): string | null {
  const value = contact?.[field] ?? '';
  if (field === 'custom_fields') return showCustom((value as string) || '{}') || null;
  const text = typeof value === 'string' ? value : value.map(showEntry).join(', ');
  return text === '' ? null : text;
}

/** The changed fields; for a new contact the fields that it has. */
export function changedFields(before: Contact | undefined, after: Contact): WritableField[] {
  return writableFields.filter((field) =>
    before ? !isDeepStrictEqual(before[field], after[field]) : show(after, field) !== null,
  );
}

export function contactChanges(before: Contact | undefined, after: Contact): Display['changes'] {
  return changedFields(before, after).map((field) =>
    changeOf(field, show(before, field), show(after, field)),
  );
}
