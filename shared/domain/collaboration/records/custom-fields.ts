import * as z from 'zod';
import { invalidField } from '#shared/errors.ts';
import { isName, refuse, text } from '#shared/values.ts';

const KEYS = 50;
const BYTES = 16 * 1024;

const customValue = z.union([text(BYTES), z.number(), z.boolean(), z.null(), z.array(text(BYTES))]);

/**
 * Names and simple values that the service stores without interpreting them (docs/specification/records.md, "Custom
 * fields").
 */
export const customFields = z.record(z.string(), customValue).check((context) => {
  if (!Object.keys(context.value).every(isName))
    return refuse(context, 'invalid_format', 'must have keys that are one line each');
  const bytes = Buffer.byteLength(JSON.stringify(context.value));
  if (Object.keys(context.value).length > KEYS) refuse(context, 'too_long', `must have at most ${KEYS} keys`);
  else if (bytes > BYTES) refuse(context, 'too_long', 'must have at most 16 KB');
});

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
