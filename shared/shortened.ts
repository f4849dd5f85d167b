import * as z from 'zod';

/**
 * Bodies have room for lists with a million elements, each with a problem of its own that nobody reads. Zod validates all
 * elements before it counts them: so a list that is too long comes to it with one element too many.
 */

/** Without what says that it may be missing, what prepares it, and what follows the first reading. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return bare(schema.unwrap());
  if (schema instanceof z.ZodPipe) return bare(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema;
}

function maximumOf({ _zod }: z.core.$ZodType): number {
  const limits = (_zod.def.checks ?? []).map(
    ({ _zod: { def } }) => def as { check: string; maximum?: number },
  );
  return limits.find(({ check }) => check === 'max_length')?.maximum ?? Number.POSITIVE_INFINITY;
}

/** The input with lists that are too long cut after the first element that is too many. */
export function shortened(schema: z.core.$ZodType, input: unknown): unknown {
  const known = bare(schema);
  if (known instanceof z.ZodArray && Array.isArray(input)) {
    const most = maximumOf(known);
    return input.length > most ? input.slice(0, most + 1) : input;
  }
  if (!(known instanceof z.ZodObject) || typeof input !== 'object' || input === null) return input;
  const sent = input as Record<string, unknown>;
  const changed = Object.entries(known.shape as Record<string, z.core.$ZodType>).flatMap(([name, inner]) => {
    if (!Object.hasOwn(sent, name)) return [];
    const value = shortened(inner, sent[name]);
    return value === sent[name] ? [] : [[name, value] as const];
  });
  return changed.length === 0 ? input : { ...sent, ...Object.fromEntries(changed) };
}
