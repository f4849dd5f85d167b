import { exampleText } from './example-values.ts';

/** Examples for documentation: a schema's own, or one assembled from the examples of its parts. */

export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  example?: unknown;
  examples?: unknown[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
} & Record<string, unknown>;

/** The name that a reference to a schema gives. */
export const nameOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);

export type Schemas = Record<string, JsonSchema>;

const byFormat: Record<string, string> = {
  uuid: '0198c0de-0000-7000-8000-000000000001',
  'date-time': '2026-11-20T09:30:00.000Z',
  date: '2026-11-20',
  email: 'ada@acme.example',
  uri: 'https://acme.example/ada',
};

/** Far ahead: an example that is copied must not be over. */
const AHEAD = '2099-01-31T09:00:00.000Z';
const inTheFuture = new Set([
  'current_period_ends_at',
  'due_at',
  'due_on',
  'expected_close_on',
  'expires_at',
  'next_at',
  'next_attempt_at',
  'next_interaction_at',
  'restorable_until',
  'send_at',
  'snooze_until',
  'trial_ends_at',
  'url_expires_at',
]);

function isDay(schema: JsonSchema): boolean {
  return schema.format === 'date' || (schema.anyOf ?? []).some(isDay);
}

/** Gives fields that are about the future an example that is. */
export function lookAhead(schemas: Schemas): void {
  const parts = Object.values(schemas).flatMap(({ properties }) => Object.entries(properties ?? {}));
  for (const [name, part] of parts) {
    const own = part.examples?.[0];
    const isDate = typeof own === 'string' && /^\d{4}-/.test(own);
    if (inTheFuture.has(name) && (own === undefined || isDate))
      part.examples = [isDay(part) ? AHEAD.slice(0, 'YYYY-MM-DD'.length) : AHEAD];
  }
}

const byType: Record<string, (schema: JsonSchema, schemas: Schemas, name?: string) => unknown> = {
  null: () => null,
  boolean: () => true,
  integer: (schema) => Math.max(1, schema.minimum ?? 1),
  number: (schema) => Math.max(1, schema.minimum ?? 1),
  string: (schema, _, name) => byFormat[schema.format ?? ''] ?? exampleText[name ?? ''] ?? 'text',
  array: (schema, schemas, name) => {
    const entry = schema.items === undefined ? undefined : exampleOf(schema.items, schemas, name);
    return entry === undefined ? [] : [entry];
  },
  object: (schema, schemas) =>
    Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .map(([name, part]) => [name, exampleOf(part, schemas, name)])
        .filter(([, value]) => value !== undefined),
    ),
};

const nothing = (schema: JsonSchema) => schema.type === 'null' || Object.keys(schema).length === 0;

/** Undefined when the schema does not restrict its values. `name` is the field's, for text without an example. */
export function exampleOf(schema: JsonSchema, schemas: Schemas, name?: string): unknown {
  if (schema.examples?.length) return schema.examples[0];
  if (schema.$ref) return exampleOf(schemas[nameOf(schema.$ref)] ?? {}, schemas, name);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  // Nullable values show their other type.
  if (choices) return exampleOf(choices.find((choice) => !nothing(choice)) ?? {}, schemas, name);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, schemas, name)));
  const type = Array.isArray(schema.type) ? schema.type.find((each) => each !== 'null') : schema.type;
  return byType[type ?? '']?.(schema, schemas, name);
}

/** Keywords for strings, meaningless beside another type. */
const ofStrings = ['enum', 'pattern', 'minLength', 'maxLength', 'format'];

/** The range of every JavaScript integer, and that keys are strings. */
function leaveOutTheObvious(schema: JsonSchema): void {
  if (Number.isInteger(schema.const)) schema.type = 'integer';
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  delete schema.propertyNames;
}

/** One text for several forms of it: generated clients do not write unions into addresses. */
export function mergeTexts(schema: JsonSchema, schemas: Schemas = {}): void {
  const choices = (schema.anyOf ?? []).map((each) =>
    each.$ref ? (schemas[nameOf(each.$ref)] ?? each) : each,
  );
  if (choices.length === 0 || !choices.every(({ type, pattern }) => type === 'string' && pattern)) return;
  delete schema.anyOf;
  schema.type = 'string';
  schema.pattern = choices.map(({ pattern }) => pattern).join('|');
  schema.examples ??= [exampleOf(choices[0] as JsonSchema, schemas)];
}

/** `type` can list types that differ: generators of clients handle that better than a union of nameless types. */
function mergeTypes(schema: JsonSchema): void {
  const choices = schema.anyOf ?? [];
  const types = choices.map(({ type }) => type);
  const keywords = choices.flatMap((choice) => Object.keys(choice).filter((key) => key !== 'type'));
  const apart = new Set(types).size === types.length && new Set(keywords).size === keywords.length;
  // Generators know a list that may be null only as a union.
  const list = types.includes('array') && types.length === 2;
  const plain = !list && types.every((type) => typeof type === 'string' && type !== 'object');
  if (choices.length === 0 || !apart || !plain || keywords.some((key) => key === 'const' || key === 'enum'))
    return;
  delete schema.anyOf;
  Object.assign(schema, ...choices, { type: types, ...schema });
}

/**
 * Query parameters are strings that encode booleans and numbers: the documentation shows the decoded type. `example`
 * becomes `examples`, as in JSON Schema 2020-12. The service checks its responses strictly, but they may grow: clients
 * must accept more fields than are documented.
 */
export function tidy(schema: JsonSchema): void {
  if (schema.type === 'boolean' || schema.type === 'integer')
    for (const name of ofStrings) delete schema[name];
  leaveOutTheObvious(schema);
  mergeTexts(schema);
  mergeTypes(schema);
  if (schema.additionalProperties === false) schema.additionalProperties = true;
  if (schema.example === undefined) return;
  schema.examples = [schema.example];
  delete schema.example;
}
