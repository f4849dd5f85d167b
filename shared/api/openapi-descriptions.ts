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

function describeParameter(template: string, parameter: Parameter): void {
  const collection = template.split('/').at(template.split('/').indexOf(`{${parameter.name}}`) - 1);
  const text = parameter.name === 'id' ? ids[collection ?? ''] : parameters[parameter.name];
  describe(parameter, text);
}

export function describeDocument({ paths, components: { schemas } }: Described): void {
  for (const [name, schema] of Object.entries(schemas)) describe(schema, describesSchema(name));
  for (const [name, { properties = {} }] of Object.entries(schemas))
    for (const [field, part] of Object.entries(properties))
      describe(part, describesField(name, field) ?? named(part, schemas)?.description);
  for (const [template, methods] of Object.entries(paths))
    for (const { parameters = [] } of Object.values(methods))
      for (const parameter of parameters) describeParameter(template, parameter);
}
