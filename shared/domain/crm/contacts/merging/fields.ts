import * as z from 'zod';
import type { Contact } from '../contact.ts';

/** The fields of two contacts with one value each. */

const names = [
  'name',
  'first_name',
  'last_name',
  'nickname',
  'headline',
  'description',
  'avatar_url',
  'birthday',
  'time_zone',
  'external_id',
] as const satisfies readonly (keyof Contact)[];

type SingleField = (typeof names)[number];

/** Except the name, which may follow from others. */
export const singleFields = names.filter((name): name is Exclude<SingleField, 'name'> => name !== 'name');

/** The contact that a request names first, or the other one. */
export const side = z.enum(['this', 'other']);

export type Side = z.output<typeof side>;

/** Whose value each field has after a merge; where none is said, the survivor's, or the other's when it has none. */
export type FieldSides = { [Name in SingleField]?: Side | undefined };

const optional = Object.fromEntries(names.map((name) => [name, side.optional()])) as {
  [Name in SingleField]: z.ZodOptional<typeof side>;
};

const noSuchField = z.unknown().refine(() => false, { error: 'is not a field with one value' });

export const fieldSides = z
  .object(optional)
  .catchall(noSuchField)
  .meta({ id: 'MergedFields', additionalProperties: false })
  .default({});

const opposite = { this: 'other', other: 'this' } as const;

/** The same choice, when the other contact survives. */
export function turned(fields: FieldSides): FieldSides {
  const chosen = Object.entries(fields).flatMap(([name, from]) => (from ? [[name, opposite[from]]] : []));
  return Object.fromEntries(chosen);
}

type Single = Pick<Contact, SingleField>;

/** The values after a merge, except the name. */
export function singleValues(survivor: Single, gone: Single, fields: FieldSides): Omit<Single, 'name'> {
  const chosen = (name: SingleField) => {
    if (fields[name]) return (fields[name] === 'this' ? survivor : gone)[name];
    return survivor[name] ?? gone[name];
  };
  const { name: _, ...rest } = Object.fromEntries(names.map((name) => [name, chosen(name)])) as Single;
  return rest;
}
