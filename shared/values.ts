import * as z from 'zod';
import type { FieldCode } from './errors.ts';

/** The value types of requests and responses (docs/specification/requests.md, "Values"). */

/** Refuses a value with a field code (docs/specification/requests.md, "Errors"). */
export function refuse(
  context: { issues: unknown[]; value: unknown },
  field_code: FieldCode,
  message: string,
): void {
  context.issues.push({
    code: 'custom',
    input: context.value,
    message,
    params: { field_code },
  });
}

/**
 * A record or list of at most `max` entries: too many are refused before each has a problem of its own. A body has room for
 * a million.
 */
export function ofAtMost<Entries extends z.ZodRecord | z.ZodArray>(max: number, entries: Entries) {
  return z.preprocess((sent: z.input<Entries>, context) => {
    if (typeof sent === 'object' && sent !== null && Object.keys(sent).length > max)
      refuse(context, 'too_long', `must have at most ${max} entries`);
    return sent;
  }, entries);
}

/** A field that only the service sets: `not_allowed` in requests. */
export const notWritable = z.never().optional().meta({ description: 'Set by the service' });

// No flags: OpenAPI patterns have none.
const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?([Zz]|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

/** An id in a request: any UUID version and case; parsed to lower case. */
export const uuid = z
  .string()
  .regex(UUID, { error: 'must be a UUID' })
  .toLowerCase()
  .meta({ id: 'Uuid', format: 'uuid', example: '0198c0de-0000-7000-8000-000000000001' });

/** A timestamp in a response: UTC with milliseconds. */
export const timestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ id: 'Timestamp', format: 'date-time', example: '2026-11-20T09:30:00.000Z' });

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** `max` in Unicode code points; a longer text is `too_long`, NUL or a lone surrogate `invalid_format`. */
function plain(max: number) {
  return (context: { issues: unknown[]; value: string }) => {
    const { value } = context;
    if (value.includes('\0') || !value.isWellFormed())
      return refuse(context, 'invalid_format', 'must not hold NUL or broken characters');
    if (value.length > max && codePoints(value) > max)
      refuse(context, 'too_long', `must have at most ${max} characters`);
  };
}

/**
 * Whether any of it is visible: more than white space, marks without a letter, and characters that fonts do not draw,
 * such as a zero width space, a soft hyphen or a Hangul filler (Default_Ignorable_Code_Point). The empty Braille
 * pattern is a symbol by its category.
 */
export function showsSomething(value: string): boolean {
  // NUL counts as visible: it is refused later, with its own code.
  return /\0|[^\p{Z}\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(value);
}

function notBlank(context: { issues: unknown[]; value: string }) {
  if (!showsSomething(context.value)) refuse(context, 'required', 'must not be empty');
}

/**
 * Control characters, line ends, and characters that change the direction of the surrounding text: with U+202E a name
 * and the text after it read backwards (https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing).
 */
const UNNAMEABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

/** Whether it is a valid name, for names that come as keys. */
export function isName(value: string): boolean {
  return value.isWellFormed() && showsSomething(value) && !UNNAMEABLE.test(value);
}

function oneLine(context: { issues: unknown[]; value: string }) {
  if (UNNAMEABLE.test(context.value.trim()))
    refuse(context, 'invalid_format', 'must be one line without control characters');
}

/** Text as sent, possibly empty. */
export function text(max: number) {
  return z.string().check(plain(max)).meta({ maxLength: max });
}

/** Text with more than white space; parsed trimmed. */
export function requiredText(max: number) {
  return z.string().trim().check(notBlank).check(plain(max)).meta({ minLength: 1, maxLength: max });
}

/** Text of a field that can be cleared: parsed trimmed, null when nothing is left. */
export function clearableText(max: number) {
  return text(max)
    .transform((value) => value.trim() || null)
    .nullable();
}

/** A name: one visible line. Parsed trimmed. */
export function nameText(max: number) {
  return requiredText(max).check(oneLine);
}

/** Like nameText, but keeps the white space around it. */
export function nameAsTyped(max: number) {
  return requiredContent(max).check(oneLine);
}

/** A line that can be cleared: parsed trimmed, null when only white space is left. */
export function clearableLine(max: number) {
  return text(max)
    .trim()
    .check(oneLine)
    .check((context) => {
      if (context.value !== '' && !showsSomething(context.value))
        refuse(context, 'invalid_format', 'must hold something that can be seen');
    })
    .transform((value) => value || null)
    .nullable();
}

/** Like requiredText, but keeps the white space around it (HTML, documents). */
export function requiredContent(max: number) {
  return z.string().check(notBlank).check(plain(max)).meta({ minLength: 1, maxLength: max });
}

/** Control and format characters, which make two different addresses look the same. */
const INVISIBLE = /\p{C}/u;

/** An email address (RFC 5321 lengths); parsed trimmed and in lower case. */
export const emailAddress = z
  .string()
  .trim()
  .toLowerCase()
  .check(notBlank)
  .check(plain(320))
  .check((context) => {
    if (INVISIBLE.test(context.value))
      refuse(context, 'invalid_format', 'must not hold invisible characters');
  })
  .regex(/^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\[\]]{1,255}$/, { error: 'must be an email address' })
  .meta({ format: 'email', example: 'ada@acme.example' });

/** #RRGGBB */
export const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a color of the form #RRGGBB' })
  .meta({ example: '#2F6FED' });

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** ISO 4217; parsed to upper case. */
export const currency = z
  .string()
  .toUpperCase()
  .check((context) => {
    if (!currencies.has(context.value))
      refuse(context, 'invalid_format', 'must be a currency code of ISO 4217, such as EUR');
  })
  .meta({ minLength: 3, maxLength: 3, example: 'EUR' });

/** JavaScript reads 30 February as 2 March, and accepts the year 0, which no calendar has. */
function onTheCalendar(context: { issues: unknown[]; value: string }) {
  const day = context.value.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day || day.startsWith('0000'))
    refuse(context, 'invalid_format', 'is not a day of the calendar');
}

/** The year must have four digits in UTC as well: 9999-12-31T23:59-12:00 is in the year 10000 there. */
function inUtc(context: { issues: unknown[]; value: string }) {
  const date = new Date(context.value);
  if (!Number.isNaN(date.getTime()) && !/^(?!0000)\d{4}-/.test(date.toISOString()))
    refuse(context, 'invalid_format', 'must be in the years 1 to 9999 in UTC');
}

export const isoDate = z
  .string()
  .regex(DATE, { error: 'must be a date of the form YYYY-MM-DD' })
  .check(onTheCalendar)
  .meta({ format: 'date', example: '2026-11-20' });

/** An ISO 8601 date-time with an offset or Z, as sent. */
export const dateTime = z
  .string()
  .regex(DATE_TIME, { error: 'must be an ISO 8601 date-time with an offset or Z' })
  .check(onTheCalendar)
  .check(inUtc)
  .meta({ format: 'date-time', example: '2026-11-20T09:30:00Z' });

/** A boolean query parameter. */
export const flag = z
  .enum(['true', 'false'], { error: 'must be true or false' })
  .transform((value) => value === 'true')
  .meta({ type: 'boolean' });

/** An integer query parameter of at least 1; capped at `max`. */
export function pageSize(max: number) {
  return z
    .string()
    .regex(/^[0-9]{1,15}$/, { error: 'must be a whole number' })
    .transform(Number)
    .refine((size) => size >= 1, { error: 'must be at least 1' })
    .transform((size) => Math.min(size, max))
    .meta({ type: 'integer', minimum: 1 });
}

/** Where counting stops: an integer query parameter of at least 1. */
export const countCap = z
  .string()
  .regex(/^[0-9]{1,15}$/, { error: 'must be a whole number' })
  .transform(Number)
  .refine((cap) => cap >= 1, { error: 'must be at least 1' })
  .meta({ type: 'integer', minimum: 1 });

/** A count; `cap` is null where counting has no limit. */
export const countSchema = z
  .strictObject({ total: z.int(), exact: z.boolean(), capped: z.boolean(), cap: z.int().nullable() })
  .meta({ id: 'Count', example: { total: 3, exact: true, capped: false, cap: null } });
