import * as z from 'zod';
import { ApiError, type FieldCode, type FieldErrors } from './errors.ts';

/**
 * Collects what does not match a schema as the fields of a 400 `invalid_request`: all of them, each with its first
 * problem.
 */

type Issue = z.core.$ZodIssue;

/** The schema at a path of the input, as far as the path can be followed. */
export function schemaAt(
  schema: z.core.$ZodType | undefined,
  path: PropertyKey[],
): z.core.$ZodType | undefined {
  let found = schema;
  for (const step of path) {
    while (found instanceof z.ZodOptional || found instanceof z.ZodNullable || found instanceof z.ZodDefault)
      found = found.unwrap();
    if (found instanceof z.ZodObject) found = found.shape[step as string];
    else if (found instanceof z.ZodArray) found = found.element;
    else return undefined;
  }
  return found;
}

function mayBeLeftOut(schema: z.core.$ZodType | undefined): boolean {
  return schema !== undefined && z.safeParse(schema, undefined).success;
}

function fieldCode(issue: Issue, input: unknown, schema: z.ZodType): FieldCode {
  if (issue.code === 'invalid_type' && issue.expected === 'never') return 'not_allowed';
  switch (issue.code) {
    case 'custom':
      return (issue.params?.field_code as FieldCode | undefined) ?? 'invalid';
    case 'invalid_format':
      return 'invalid_format';
    case 'too_big':
      return issue.origin === 'string' || issue.origin === 'array' ? 'too_long' : 'invalid';
    case 'too_small':
      return issue.origin === 'string' || issue.origin === 'array' ? 'too_short' : 'invalid';
    case 'unrecognized_keys':
      return 'not_allowed';
    default: {
      const value = valueAt(input, issue.path);
      if (value === undefined) return 'required';
      if (value === null) return mayBeLeftOut(schemaAt(schema, issue.path)) ? 'invalid' : 'required';
      return 'invalid';
    }
  }
}

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  let value = input;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[step];
  }
  return value;
}

/** The JSON type of a value. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The message about a problem, without the field's name. */
function messageOf(issue: Issue, code: FieldCode, input: unknown): string {
  if (code === 'required') return 'is required';
  if (code === 'not_allowed') return 'cannot be set in this request';
  const sent = valueAt(input, issue.path);
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === kindOf(sent)
        ? `must be of type ${issue.expected}`
        : `must be of type ${issue.expected}, not ${kindOf(sent)}`;
    case 'invalid_value':
      return issue.message.startsWith('Invalid')
        ? `must be one of: ${issue.values.join(', ')}`
        : issue.message;
    case 'too_big':
      return `must be at most ${issue.maximum}${issue.origin === 'array' ? ' entries' : ''}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${issue.origin === 'array' ? ' entries' : ''}`;
    default:
      return issue.message;
  }
}

/** `wrapped` fields lose the resource wrapper: a bad name in `deal` is reported as `name`. */
function fieldName(path: PropertyKey[], wrapped: boolean): string {
  return (wrapped && path.length > 1 ? path.slice(1) : path).map(String).join('.');
}

/** Fields that a response names, and characters of each: a body may have a million bad ones, or one of megabytes. */
const MOST = 1_000;
const LONGEST = 1_000;

export class Fields {
  readonly found: FieldErrors = {};
  #count = 0;

  get isFull(): boolean {
    return this.#count >= MOST;
  }

  add(name: string, code: FieldCode, message: string): void {
    const shown = name.slice(0, LONGEST);
    if (this.isFull || Object.hasOwn(this.found, shown)) return;
    Object.defineProperty(this.found, shown, { value: { code, message }, enumerable: true });
    this.#count++;
  }

  throwIfAny(): void {
    if (this.#count > 0) throw new ApiError('invalid_request', { fields: this.found });
  }
}

/** The values of these names. 400 for all that are missing. */
export function requireAll<Sent extends object, Name extends keyof Sent & string>(
  sent: Sent,
  names: readonly Name[],
): { [N in Name]: NonNullable<Sent[N]> } {
  const fields = new Fields();
  for (const name of names) if (sent[name] === undefined) fields.add(name, 'required', 'is required');
  fields.throwIfAny();
  return sent as { [N in Name]: NonNullable<Sent[N]> };
}

/** Parses `input` and adds its problems to `fields`. */
export function parseShape(shape: z.ZodType, input: unknown, fields: Fields, wrapper?: string): unknown {
  const result = z.safeParse(shape, input);
  if (result.success) return result.data;
  for (const issue of flattened(result.error.issues)) {
    if (fields.isFull) break;
    const code = fieldCode(issue, input, shape);
    fields.add(fieldName(issue.path, issue.path[0] === wrapper), code, messageOf(issue, code, input));
  }
  return undefined;
}

const depthOf = (issues: Issue[]) => issues.reduce((most, { path }) => Math.max(most, path.length), 0);

/** The problems of the union member that matched furthest. Unions are rarely nested here. */
function flattened(issues: Issue[]): Issue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
    const deepest = issue.errors.reduce((best, next) => (depthOf(next) > depthOf(best) ? next : best));
    return flattened(deepest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }) as Issue));
  });
}
