import { type JsonSchema, nameOf } from '#shared/api/openapi-examples.ts';
import { bodyOf } from './bodies.ts';
import { schemas } from './document.ts';
import { closed, type Sweep, typesOf } from './swept.ts';

/** The ids of other records in bodies and queries, as the document describes them. */

export interface Reference {
  sweep: Sweep;
  place: 'query' | 'body';
  /** Where it is, `0` for the first of an array: `deal.contacts.0.id`. */
  path: string;
  /** Of the record that it names; undefined where another field says so. */
  type: string | undefined;
}

const singular = (type: string) => type.replace(/xes$/, 'x').replace(/s$/, '');
const types = [...new Set(closed.flatMap(typesOf))];

/** `assigned_user_id` is of users, `contact_id_to_merge` of contacts, and `id` of the field that it is in. */
function typeOf(path: string): string | undefined {
  const [own = '', around = ''] = path
    .split('.')
    .filter((name) => name !== '0')
    .reverse();
  const name = own === 'id' ? around.replace(/s$/, '') : own.replace(/_ids?(_to_\w+)?$/, '');
  return types.find((type) => `_${name}`.endsWith(`_${singular(type)}`));
}

function* idsIn(schema: JsonSchema, path: string[]): Generator<string> {
  const name = schema.$ref && nameOf(schema.$ref);
  if (name === 'Uuid') yield path.join('.');
  const { anyOf = [], items, properties = {} } = (name ? schemas[name] : schema) ?? {};
  for (const option of anyOf) yield* idsIn(option, path);
  if (items) yield* idsIn(items, [...path, '0']);
  for (const [field, inner] of Object.entries(properties)) yield* idsIn(inner, [...path, field]);
}

export const references: Reference[] = closed.flatMap((sweep) => [
  ...Object.keys(sweep.definition.query ?? {})
    .filter((name) => name.endsWith('_id') && name !== 'external_id')
    .map((path) => ({ sweep, place: 'query' as const, path, type: typeOf(path) })),
  ...[...new Set(idsIn(bodyOf(sweep), []))].map((path) => ({
    sweep,
    place: 'body' as const,
    path,
    type: typeOf(path),
  })),
]);

/** The value with another one at a path. */
export function withAt(value: unknown, path: string, other: unknown): unknown {
  const [first = '', ...rest] = path.split('.');
  const inner = rest.length === 0 ? () => other : (old: unknown) => withAt(old, rest.join('.'), other);
  if (first === '0') return [inner(undefined)];
  const fields = (value ?? {}) as Record<string, unknown>;
  return { ...fields, [first]: inner(fields[first]) };
}
