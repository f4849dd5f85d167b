import * as z from 'zod';
import type { Fields } from './fields.ts';

/** Parameters that are sent as `name[key]=value`, once for each key (`deepObject` in the words of OpenAPI). */

export function isKeyed(schema: z.core.$ZodType | undefined): boolean {
  return schema instanceof z.ZodOptional ? isKeyed(schema.unwrap()) : schema instanceof z.ZodRecord;
}

/** The key of a parameter that is sent as `name[key]`. */
function keyIn(name: string, sent: string): string | undefined {
  return sent.startsWith(`${name}[`) && sent.endsWith(']') ? sent.slice(name.length + 1, -1) : undefined;
}

/** Whether a shape has a parameter of this name; those with keys only together with one. */
export function isKnown(shape: Readonly<Record<string, z.core.$ZodType>>): (name: string) => boolean {
  const names = Object.keys(shape);
  const keyed = names.filter((name) => isKeyed(shape[name]));
  const plain = new Set(names.filter((name) => !keyed.includes(name)));
  return (name) => plain.has(name) || keyed.some((each) => keyIn(each, name) !== undefined);
}

/** The one value of a parameter; a repeated or empty one is `invalid`. */
export function oneValue(name: string, given: string[], fields: Fields): string | undefined {
  if (given.length === 1 && given[0] !== '') return given[0];
  fields.add(name, 'invalid', given.length > 1 ? 'must be sent once' : 'must not be empty');
  return undefined;
}

/** Schemas of objects leave it out without a word. */
const DROPPED = '__proto__';

/** In the order of the keys, whatever the order in which they were sent; undefined for none. */
export function readKeyed(
  name: string,
  sent: Record<string, string[] | undefined>,
  fields: Fields,
): Record<string, string> | undefined {
  const found = Object.keys(sent).flatMap((parameter) => {
    const key = keyIn(name, parameter);
    if (key === undefined) return [];
    if (key === DROPPED) fields.add(parameter, 'invalid', 'cannot be a key');
    const value = oneValue(parameter, sent[parameter] ?? [], fields);
    return value === undefined ? [] : [[key, value] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}
