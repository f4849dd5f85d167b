import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { Fields, parseShape } from '#shared/fields.ts';
import { isoDate } from '#shared/values.ts';
import type { CustomField } from './custom-field.ts';

/** The values of custom fields, as their definitions want them. */

export type Values = Readonly<Record<string, unknown>>;

/** Options that a record may have of one field: each is in lists of its own. */
const MAX_SELECTED = 20;

type Checked = Pick<CustomField, 'type' | 'options'>;

function schemaOf({ type, options }: Checked): z.ZodType {
  const option = z.enum(options.map(({ value }) => value));
  switch (type) {
    case 'text':
      return z.string();
    case 'number':
      return z.number();
    case 'boolean':
      return z.boolean();
    case 'date':
      return isoDate;
    case 'select':
      return option;
    case 'multi_select':
      return z
        .array(option)
        .max(MAX_SELECTED)
        .refine((all) => new Set(all).size === all.length, { error: 'must have each option once' });
  }
}

/** Undefined for a key that a record does not have. */
const valueIn = (values: Values, key: string): unknown =>
  Object.hasOwn(values, key) ? values[key] : undefined;

const isEmpty = (value: unknown) =>
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);

/**
 * 400 for values that changed and are not as defined, and for required ones that are missing. A value stays as it is for
 * as long as nobody changes it, whatever has been defined since. `before` is undefined for a new record.
 */
export function requireDefined(fields: CustomField[], before: Values | undefined, after: Values): void {
  const bad = new Fields();
  for (const field of fields) {
    const { key } = field;
    const value = valueIn(after, key);
    const same = before !== undefined && isDeepStrictEqual(value, valueIn(before, key));
    if (same) continue;
    if (field.required && isEmpty(value)) bad.add(`custom_fields.${key}`, 'required', 'is required');
    else if (value !== undefined)
      parseShape(
        z.object({ custom_fields: z.object({ [key]: schemaOf(field) }) }),
        { custom_fields: { [key]: value } },
        bad,
      );
  }
  bad.throwIfAny();
}

/** The single values by which records are found: none of another type, which a record may have had before. */
export function singleValues({ type, key }: Pick<CustomField, 'type' | 'key'>, values: Values): unknown[] {
  const value = valueIn(values, key);
  if (type === 'multi_select') return Array.isArray(value) ? [...new Set(value)].slice(0, MAX_SELECTED) : [];
  const wanted = type === 'number' || type === 'boolean' ? type : 'string';
  return typeof value === wanted ? [value] : [];
}

/** Values are long, and have characters that keys have not. */
export const nameOfValue = (value: unknown) => hash('sha256', String(value), 'base64url');
