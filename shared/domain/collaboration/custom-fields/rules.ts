import { invalidField } from '#shared/errors.ts';
import type { CustomField, FieldType } from './custom-field.ts';

/** What a set of definitions may be. */

const MAX_FIELDS = 50;

/** A record has up to 8 postings for each of them, and so many more for each value of a selection. */
export const MAX_INDEXED = 10;

/** A change of a record takes and frees a value of each, in one transaction. */
const MAX_UNIQUE = 5;

/** Every write of a record reads them. */
const MAX_BYTES = 100 * 1024;

const selections: readonly FieldType[] = ['select', 'multi_select'];
const comparable: readonly FieldType[] = ['text', 'number', 'date'];

/** 400 for options where there are none, for missing ones, and for a type whose values repeat. */
export function requireFitting({ type, options, unique }: CustomField): void {
  const selects = selections.includes(type);
  if (selects && options.length === 0) throw invalidField('options', 'required', `is required for ${type}`);
  if (!selects && options.length > 0)
    throw invalidField('options', 'invalid', 'is for select and multi_select');
  if (unique && !comparable.includes(type))
    throw invalidField('unique', 'invalid', 'is for text, number and date');
}

const moreThan = (fields: CustomField[], most: number, has: (field: CustomField) => boolean) =>
  fields.filter(has).length > most;

/** 400 for more definitions than a record type may have. */
export function requireRoom(fields: CustomField[]): void {
  if (fields.length > MAX_FIELDS)
    throw invalidField('custom_field', 'invalid', `cannot be added: a record type has at most ${MAX_FIELDS}`);
  if (moreThan(fields, MAX_UNIQUE, ({ unique }) => unique))
    throw invalidField('unique', 'invalid', `can be true for at most ${MAX_UNIQUE} fields of a record type`);
  if (moreThan(fields, MAX_INDEXED, ({ indexed }) => indexed))
    throw invalidField(
      'indexed',
      'invalid',
      `can be true for at most ${MAX_INDEXED} fields of a record type`,
    );
  if (Buffer.byteLength(JSON.stringify(fields)) > MAX_BYTES)
    throw invalidField('options', 'too_long', 'makes the definitions of the record type larger than 100 KB');
}
