import { type JsonSchema, nameOf } from '#shared/api/openapi-examples.ts';
import { bodyParser } from '#shared/api/parse.ts';
import { document, schemas } from './document.ts';
import type { Sweep } from './swept.ts';

/** What the document says of bodies that have a wrapper. */

export const isFirst = <T extends Pick<Sweep, 'definition'>>({ definition }: T, i: number, all: T[]) =>
  all.findIndex((each) => each.definition === definition) === i;

export const wrapperOf = ({ definition }: Pick<Sweep, 'definition'>) =>
  bodyParser(definition.body ?? {}).wrapper;

const documentOf = ({ template, method }: Sweep) => document.paths[template]?.[method.toLowerCase()];

function resolved(schema: JsonSchema | undefined): JsonSchema {
  if (schema?.$ref) return resolved(schemas[nameOf(schema.$ref)]);
  return schema ?? {};
}

export function bodyOf(sweep: Sweep): JsonSchema {
  return resolved(documentOf(sweep)?.requestBody?.content['application/json']?.schema);
}

/** The fields of the record in the request. */
export function fieldsSent(sweep: Sweep): Record<string, JsonSchema> {
  return resolved(bodyOf(sweep).properties?.[wrapperOf(sweep) ?? '']).properties ?? {};
}

/** The fields of the same record in the response; none when it has no such record. */
export function fieldsShown(sweep: Sweep): Record<string, JsonSchema> {
  const [success] = Object.values(documentOf(sweep)?.responses ?? {});
  const body = resolved(success?.content?.['application/json']?.schema);
  return resolved(body.properties?.[wrapperOf(sweep) ?? '']).properties ?? {};
}
