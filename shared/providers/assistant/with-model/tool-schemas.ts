import * as z from 'zod';
import type { Tool, Toolbox } from '#shared/domain/assistant/answering/assistant.ts';
import type { ModelTool } from '#shared/providers/assistant/model.ts';

type Json = Record<string, unknown>;

/** The toolbox in the form of the model port. */
export function modelTools(tools: Toolbox): ModelTool[] {
  return Object.values(tools).map(({ name, description, input }) => ({
    name,
    description,
    input: schemaOf(input),
  }));
}

/**
 * Only `type`, `properties` and `required`, with references resolved: Nova refuses `$schema` and `$defs`
 * (https://github.com/pydantic/pydantic-ai/issues/1623).
 */
function schemaOf(input: Tool['input']): Json {
  const {
    $defs = {},
    properties = {},
    required = [],
  } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
  });
  const schema = { type: 'object', properties: inPlace(properties, $defs as Json) };
  return required.length === 0 ? schema : { ...schema, required };
}

const DEFINED = '#/$defs/';

/** Replaces each `$ref` by its definition. Tool schemas are not recursive. */
function inPlace(schema: unknown, defs: Json): unknown {
  if (Array.isArray(schema)) return schema.map((each) => inPlace(each, defs));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...rest } = schema as Json;
  const own = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, inPlace(value, defs)]));
  if (typeof $ref !== 'string') return own;
  return { ...(inPlace(defs[$ref.slice(DEFINED.length)], defs) as Json), ...own };
}
