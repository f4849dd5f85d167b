import { isDeepStrictEqual } from 'node:util';
import { type JsonSchema, nameOf, type Schemas } from './openapi-examples.ts';

/** Gives every object of a document a name, so that generated clients have a type for it. */

const pascal = (name: string) =>
  name
    .split(/[_\W]+/)
    .map((word) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`)
    .join('');

/** One entry of a list: `addresses` has addresses, `changes` has changes. */
function entryName(list: string): string {
  if (list.endsWith('sses')) return list.slice(0, -2);
  if (list.endsWith('ies')) return `${list.slice(0, -3)}y`;
  return list.endsWith('s') && !list.endsWith('ss') ? list.slice(0, -1) : list;
}

const refOf = (name: string) => `#/components/schemas/${name}`;

/** What a schema is by the named schema in it: `Tag`, `TagList`, `TagCollection`; undefined when there is none. */
function contentName(schema: JsonSchema): string | undefined {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.items) {
    const entry = contentName(schema.items);
    return entry && `${entry}List`;
  }
  const records = schema.properties?.records?.items;
  const record = records && contentName(records);
  return record && `${record}Collection`;
}

export class Names {
  private readonly schemas: Schemas;

  constructor(schemas: Schemas) {
    this.schemas = schemas;
    for (const [name, schema] of Object.entries(schemas)) this.within(schema, name);
  }

  /** A body with one property is named after what is in it, any other after its operation. */
  body(schema: JsonSchema, operation: string, kind: 'Request' | 'Response'): JsonSchema {
    if (schema.$ref || !schema.properties) return schema;
    const properties = Object.entries(schema.properties);
    const [[key, only] = [], ...more] = properties;
    if (key === 'ok') return this.add('Ok', schema);
    const content = only && more.length === 0 ? contentName(only) : undefined;
    if (!content || kind === 'Request') return this.add(`${pascal(operation)}${kind}`, schema);
    if (only?.properties) Object.assign(schema.properties, { [key as string]: this.add(content, only) });
    return this.add(`${content}${kind}`, schema);
  }

  private add(name: string, schema: JsonSchema): JsonSchema {
    this.within(schema, name);
    const known = this.schemas[name];
    if (known && !isDeepStrictEqual(known, schema)) throw new Error(`Two schemas have the name ${name}`);
    this.schemas[name] = schema;
    return { $ref: refOf(name) };
  }

  /** Names the objects inside of a schema after their places. Fields that no request may set are not offered. */
  private within(schema: JsonSchema, name: string): void {
    for (const [field, part] of Object.entries(schema.properties ?? {}))
      if (part.not) delete schema.properties?.[field];
    for (const [field, part] of Object.entries(schema.properties ?? {}))
      this.visit(part, `${name}${pascal(field)}`, `${name}${pascal(entryName(field))}`);
    for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
      this.visit(part, name);
  }

  private visit(schema: JsonSchema, name: string, entry = name): void {
    for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) this.visit(part, name, entry);
    for (const part of [schema.items, schema.additionalProperties])
      if (typeof part === 'object') this.visit(part as JsonSchema, entry);
    if (!schema.properties) return;
    const { description, default: initial, ...named } = schema;
    for (const key of Object.keys(schema)) delete schema[key];
    Object.assign(schema, this.add(name, named));
    if (description !== undefined) schema.description = description;
    if (initial !== undefined) schema.default = initial;
  }
}
