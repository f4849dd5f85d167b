import * as z from 'zod';
import { ApiError } from '#shared/errors.ts';
import { type Fields, schemaAt } from '#shared/fields.ts';
import { isKeyed, oneValue, readKeyed } from '#shared/keyed.ts';
import { parseJson } from './json.ts';
import type { Shape } from './route.ts';

/**
 * Check 10 (docs/specification/requests.md, "Order of checks"): query and body match their schemas, and all bad fields
 * are reported at once.
 */

function isObject(schema: z.core.$ZodType | undefined): boolean {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable) inner = inner.unwrap();
  return inner instanceof z.ZodObject;
}

/** The name of the body's resource wrapper: the only key, or the only one that is required, when its value is an object. */
function wrapperOf(shape: Shape): string | undefined {
  const names = Object.keys(shape);
  const required = names.filter((name) => !z.safeParse(shape[name] as z.ZodType, undefined).success);
  const [only, ...others] = names.length === 1 ? names : required;
  return only !== undefined && others.length === 0 && isObject(shape[only]) ? only : undefined;
}

export interface BodyParser {
  schema: z.ZodType;
  wrapper: string | undefined;
}

export function bodyParser(shape: Shape): BodyParser {
  return { schema: z.object(shape), wrapper: wrapperOf(shape) };
}

/** Fields of an example. */
const SHOWN = 3;

/** Says how to send a wrapper that is missing, with the fields that were sent without it. */
export function explainWrapper({ schema, wrapper }: BodyParser, sent: object, fields: Fields): void {
  if (wrapper === undefined || Object.hasOwn(sent, wrapper) || z.safeParse(schema, {}).success) return;
  const inner = schemaAt(schema, [wrapper]);
  const known = inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
  const bare = known.filter((name) => Object.hasOwn(sent, name));
  const shown = (bare.length > 0 ? bare : known).slice(0, SHOWN).map((name) => `"${name}": ...`);
  fields.add(
    wrapper,
    'required',
    `is required: send the fields in it, as {"${wrapper}": {${shown.join(', ')}}}`,
  );
}

/** A JSON object, or 400 without fields. A missing body is an empty object. */
export function readJsonObject(body: string | null): Record<string, unknown> {
  if (body === null || body === '') return {};
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (error) {
    throw new ApiError('invalid_request', { message: (error as SyntaxError).message });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ApiError('invalid_request', { message: 'The body is JSON, but not an object.' });
  return value as Record<string, unknown>;
}

/** A body key that names a path parameter must have the same value (docs/specification/requests.md, "Bodies"). */
export function checkPathNames(
  body: Record<string, unknown>,
  parameters: Record<string, string>,
  fields: Fields,
): void {
  for (const [name, value] of Object.entries(parameters)) {
    if (!Object.hasOwn(body, name)) continue;
    const sent = body[name];
    if (typeof sent !== 'string' || sent.toLowerCase() !== value.toLowerCase())
      fields.add(name, 'not_allowed', 'must be the same as in the path');
  }
}

/** Query parameters, one value each. A repeated or empty one is `invalid`; unknown ones are ignored. */
export function readQuery(
  shape: Shape,
  sent: Record<string, string[] | undefined>,
  fields: Fields,
): Record<string, string | Record<string, string>> {
  const values: Record<string, string | Record<string, string>> = {};
  for (const name of Object.keys(shape)) {
    const given = Object.hasOwn(sent, name) ? sent[name] : undefined;
    const value = isKeyed(shape[name])
      ? readKeyed(name, sent, fields)
      : given && oneValue(name, given, fields);
    if (value !== undefined) values[name] = value;
  }
  return values;
}
