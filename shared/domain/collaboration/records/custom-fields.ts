import * as z from 'zod';
import { invalidField } from '#shared/errors.ts';
import { isName, refuse, text } from '#shared/values.ts';

const KEYS = 50;
const BYTES = 16 * 1024;
const TOO_MANY = `must have at most ${KEYS} keys`;
const TOO_LARGE = 'must have at most 16 KB';

const customValue = z.union([text(BYTES), z.number(), z.boolean(), z.null(), z.array(text(BYTES))]);

/** JavaScript gives objects another meaning for this key: no record can have it. */
export const NO_KEY = '__proto__';

const named = z.record(z.string(), customValue).check((context) => {
  if (!Object.keys(context.value).every(isName))
    return refuse(context, 'invalid_format', 'must have keys that are one line each');
  if (Buffer.byteLength(JSON.stringify(context.value)) > BYTES) refuse(context, 'too_long', TOO_LARGE);
});

/** Elements of all lists: each has a byte at least. */
const elementsIn = (sent: object) =>
  Object.values(sent).reduce((sum, value) => sum + (Array.isArray(value) ? value.length : 0), 0);

/**
 * Names and simple values that the service stores without interpreting them (docs/specification/records.md, "Custom
 * fields"). The key is refused before, as the schema of a record leaves it out without a word, and so are too many values:
 * a body has room for a million, each with a problem of its own.
 */
export const customFields = z.preprocess((sent: z.input<typeof named>, context) => {
  if (typeof sent !== 'object' || sent === null) return sent;
  if (Object.hasOwn(sent, NO_KEY)) refuse(context, 'invalid', `cannot have the key ${NO_KEY}`);
  else if (Object.keys(sent).length > KEYS) refuse(context, 'too_long', TOO_MANY);
  else if (elementsIn(sent) > BYTES) refuse(context, 'too_long', TOO_LARGE);
  return sent;
}, named);

/** Of a record for which none were sent. */
export const NO_CUSTOM_FIELDS = '{}';

/**
 * The stored fields, as JSON text, after a change: keys that are sent replace, others stay, `null` removes a key, or all.
 * 400 when there are too many afterwards.
 */
export function mergeCustomFields(before: string, sent: Record<string, unknown> | null | undefined): string {
  if (sent === undefined) return before;
  if (sent === null) return NO_CUSTOM_FIELDS;
  const all = Object.entries<unknown>({ ...JSON.parse(before), ...sent });
  const merged = Object.fromEntries(all.filter(([, value]) => value !== null));
  const [problem] = z.safeParse(customFields, merged).error?.issues ?? [];
  if (problem) throw invalidField('custom_fields', 'too_long', problem.message);
  return JSON.stringify(merged);
}
