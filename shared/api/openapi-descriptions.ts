import { describesField, describesSchema } from './descriptions/descriptions.ts';
import { ids, parameters } from './descriptions/parameters.ts';
import { type JsonSchema, nameOf, type Schemas } from './openapi-examples.ts';

/** Puts descriptions on every schema, field and parameter of a document. */

interface Parameter {
  in: string;
  name: string;
  description?: string;
  schema: JsonSchema;
}

interface Described {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  components: { schemas: Schemas };
}

/** The one named schema in a schema that may be null. */
function named(schema: JsonSchema, schemas: Schemas): JsonSchema | undefined {
  const refs = [schema, ...(schema.anyOf ?? [])].flatMap(({ $ref }) => ($ref ? [$ref] : []));
  const found = schemas[nameOf(refs[0] ?? '')];
  return found?.properties && found;
}

/** A definition's own description comes first. */
function describe(part: { description?: string }, text: string | undefined): void {
  if (part.description === undefined && text !== undefined) part.description = text;
}

/** What the `id` of a path names, for example of `/tags/{id}`. */
function idOf(template: string): string {
  const collection = /(\w+)\/\{id\}/.exec(template)?.[1] ?? '';
  return ids[collection] ?? `The ${collection.slice(0, -1).replaceAll('_', ' ')} to act on.`;
}

function parameterOf(template: string, { in: place, name }: Parameter): string | undefined {
  if (name === 'id') return idOf(template);
  const record = place === 'path' && /^(\w+)_id$/.exec(name)?.[1]?.replaceAll('_', ' ');
  return parameters[name] ?? (record ? `A ${record} that the key sees.` : undefined);
}

export function describeDocument({ paths, components: { schemas } }: Described): void {
  for (const [name, schema] of Object.entries(schemas)) describe(schema, describesSchema(name));
  for (const [name, { properties = {} }] of Object.entries(schemas))
    for (const [field, part] of Object.entries(properties))
      describe(part, describesField(name, field) ?? named(part, schemas)?.description);
  for (const [template, methods] of Object.entries(paths))
    for (const { parameters = [] } of Object.values(methods))
      for (const parameter of parameters) describe(parameter, parameterOf(template, parameter));
}
