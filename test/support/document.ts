import { Ajv2020 } from 'ajv/dist/2020.js';
import { type OpenApiDocument, openApiDocument } from '#shared/api/openapi.ts';
import type { JsonSchema } from '#shared/api/openapi-examples.ts';
import { operations } from '../../functions/catalogue.ts';

/** The published document, and what it accepts by the rules of JSON Schema. */

export const document: OpenApiDocument = openApiDocument(operations);

export const schemas = document.components.schemas;

export const documented = Object.values(document.paths).flatMap((methods) => Object.values(methods));

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'document');

const compiled = new Map<string, (value: unknown) => boolean>();

/** Whether a value fits a schema of the document. */
export function fits(schema: JsonSchema, value: unknown): boolean {
  const inDocument = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const check = compiled.get(inDocument) ?? ajv.compile(JSON.parse(inDocument));
  compiled.set(inDocument, check);
  return check(value);
}

/** All schemas inside of a schema, and itself; not those that it refers to. */
export function* within(schema: JsonSchema): Generator<JsonSchema> {
  yield schema;
  const { properties = {}, anyOf = [], oneOf = [], allOf = [], items, additionalProperties } = schema;
  const rest = [items, additionalProperties].filter((part) => typeof part === 'object');
  for (const part of [...Object.values(properties), ...anyOf, ...oneOf, ...allOf, ...rest])
    yield* within(part as JsonSchema);
}
