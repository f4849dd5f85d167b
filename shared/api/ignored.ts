import * as z from 'zod';
import type { Fields } from '#shared/fields.ts';
import { nearest } from '#shared/nearest.ts';
import { type ApiEvent, headerValues } from './call.ts';

/**
 * Parameters and body keys that an operation does not know are ignored (docs/specification/requests.md, "Bodies"), but
 * the response names them. A client that prefers `handling=strict` (RFC 7240, 4.4) gets a 400 instead.
 */
export interface Ignored {
  /** As in error.fields. */
  name: string;
  /** The known name that it may stand for. */
  nearest: string | undefined;
}

/** Names that a response gives, and characters of each: a key may have megabytes, which no error repeats. */
const MOST = 20;
const LONGEST = 80;

/** `own` is the last part of the name, as it was sent. */
function ignoredName(name: string, own: string, known: string[]): Ignored {
  return { name: name.slice(0, LONGEST), nearest: own.length > LONGEST ? undefined : nearest(own, known) };
}

export function unknownParameters(
  sent: object,
  known: string[],
  isKnown: (name: string) => boolean,
): Ignored[] {
  return Object.keys(sent)
    .filter((name) => !isKnown(name))
    .slice(0, MOST)
    .map((name) => ignoredName(name, name, known));
}

type Schema = z.core.$ZodType;

function isWrapper(schema: Schema) {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodLazy
  );
}

/** The schemas that a value may match. */
function optionsOf(schema: Schema): Schema[] {
  if (isWrapper(schema)) return optionsOf(schema.unwrap());
  if (schema instanceof z.ZodPipe)
    return optionsOf(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema instanceof z.ZodUnion ? schema.options.flatMap(optionsOf) : [schema];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

interface Unknown {
  path: string[];
  known: string[];
}

function* unknownInObject(options: Schema[], value: object, path: string[]): Generator<Unknown> {
  const objects = options.filter((option) => option instanceof z.ZodObject);
  const shapes = objects.map(({ shape }) => shape as Record<string, Schema>);
  // Beside schemas of any keys, or of none, nothing is unknown.
  if (shapes.length === 0 || objects.some(({ def }) => def.catchall)) return;
  for (const [name, inner] of Object.entries(value)) {
    const found = shapes.flatMap((shape) => (Object.hasOwn(shape, name) ? [shape[name] as Schema] : []));
    if (found.length === 0)
      yield { path: [...path, name], known: shapes.flatMap((shape) => Object.keys(shape)) };
    else if (isObject(inner)) yield* unknownIn(found, inner, [...path, name]);
  }
}

function* unknownIn(schemas: Schema[], value: object, path: string[] = []): Generator<Unknown> {
  const options = schemas.flatMap(optionsOf);
  if (!Array.isArray(value)) yield* unknownInObject(options, value, path);
  const elements = options.flatMap((option) => (option instanceof z.ZodArray ? [option.element] : []));
  if (Array.isArray(value) && elements.length > 0)
    for (const [i, each] of value.entries())
      if (isObject(each)) yield* unknownIn(elements, each, [...path, String(i)]);
}

/** The unknown keys of a body, without those that may repeat the path's. */
export function unknownKeys(
  { schema, wrapper }: { schema: z.ZodType; wrapper: string | undefined },
  sent: object,
  ofPath: object,
): Ignored[] {
  const found: Ignored[] = [];
  for (const { path, known } of unknownIn([schema], sent)) {
    if (found.length === MOST) break;
    const [first = ''] = path;
    if (path.length === 1 && Object.hasOwn(ofPath, first)) continue;
    const name = (wrapper !== undefined && first === wrapper ? path.slice(1) : path).join('.');
    found.push(ignoredName(name, path.at(-1) as string, known));
  }
  return found;
}

const STRICT = /(^|[,;])\s*handling\s*=\s*"?strict"?\s*($|[,;])/i;

export const isStrict = (event: ApiEvent): boolean => STRICT.test(headerValues(event, 'prefer').join(','));

/** Reports them as bad fields. */
export function refuseIgnored(ignored: Ignored[], fields: Fields): void {
  for (const { name, nearest } of ignored)
    fields.add(name, 'not_allowed', `is unknown${nearest ? `: did you mean ${nearest}?` : ''}`);
}

/** A string of a structured field (RFC 9651, 3.3.3), which is printable ASCII: the rest is percent-encoded. */
function quoted(text: string): string {
  const encoded = text.replaceAll(/[^\x20-\x7e]/gu, (each) => encodeURIComponent(each.toWellFormed()));
  return `"${encoded.slice(0, LONGEST).replaceAll(/["\\]/g, '\\$&')}"`;
}

/** The names as a list, for example `"statuss";nearest="status"`. */
export function ignoredHeader(ignored: Ignored[]): Record<string, string> {
  if (ignored.length === 0) return {};
  const members = ignored
    .slice(0, MOST)
    .map(({ name, nearest }) => quoted(name) + (nearest ? `;nearest=${quoted(nearest)}` : ''));
  return { 'Ignored-Fields': members.join(', ') };
}
