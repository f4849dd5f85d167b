import * as z from 'zod';
import type { FieldCode } from './errors.ts';

/** The kinds of values that requests and responses are made of (docs/specification/requests.md, "Values"). */

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

/** A field that only the service sets: sent in a request it is `not_allowed`. */
export const notWritable = z.never().optional().meta({ description: 'Set by the service' });

// No flags: the patterns are in the OpenAPI document, which knows none.
const UUID = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?([Zz]|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

/** An id in a request: any UUID version, upper or lower case; comes out lower case. */
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

/** `max` in Unicode code points; longer is `too_long`, NUL or a lone surrogate `invalid_format`. */
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
 * Whether anything of it can be seen: more than white space, marks without a letter, and what fonts leave out, such as
 * a zero width space, a soft hyphen or a Hangul filler (Default_Ignorable_Code_Point). The empty Braille pattern is
 * a symbol by its category.
 */
function showsSomething(value: string): boolean {
  // NUL is seen, so that it is refused as what it is.
  return /\0|[^\p{Z}\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(value);
}

function notBlank(context: { issues: unknown[]; value: string }) {
  if (!showsSomething(context.value)) refuse(context, 'required', 'must not be empty');
}

/**
 * Control characters and line ends, and what turns the direction of the text around it: with U+202E a name reads
 * backwards, and so does what stands behind it (https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing).
 */
const UNNAMEABLE = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;

/** Whether something can be called that, when it comes as a key and not as a value. */
export function isName(value: string): boolean {
  return value.isWellFormed() && showsSomething(value) && !UNNAMEABLE.test(value);
}

function oneLine(context: { issues: unknown[]; value: string }) {
  if (UNNAMEABLE.test(context.value.trim()))
    refuse(context, 'invalid_format', 'must be one line without control characters');
}

/** Text as sent, which may be empty. */
export function text(max: number) {
  return z.string().check(plain(max)).meta({ maxLength: max });
}

/** Text that must hold something besides white space; comes out trimmed. */
export function requiredText(max: number) {
  return z.string().trim().check(notBlank).check(plain(max)).meta({ minLength: 1, maxLength: max });
}

/** Text of a field that can be cleared: comes out trimmed, and as null when nothing is left. */
export function clearableText(max: number) {
  return text(max)
    .transform((value) => value.trim() || null)
    .nullable();
}

/** What people call something: one line that shows. Comes out trimmed. */
export function nameText(max: number) {
  return requiredText(max).check(oneLine);
}

/** Like nameText, but white space around it is kept. */
export function nameAsTyped(max: number) {
  return requiredContent(max).check(oneLine);
}

/** A line that can be cleared: comes out trimmed, and as null when nothing but white space is left. */
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

/** Like requiredText, but white space around it is kept (HTML, documents). */
export function requiredContent(max: number) {
  return z.string().check(notBlank).check(plain(max)).meta({ minLength: 1, maxLength: max });
}

/** Control and format characters, which make two addresses look like one. */
const INVISIBLE = /\p{C}/u;

/** An email address (RFC 5321 lengths); comes out trimmed and lower case. */
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

/** JavaScript takes 30 February for 2 March, and knows a year 0, which no calendar of people has. */
function onTheCalendar(context: { issues: unknown[]; value: string }) {
  const day = context.value.slice(0, 10);
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day || day.startsWith('0000'))
    refuse(context, 'invalid_format', 'is not a day of the calendar');
}

/** Years of four digits also in UTC: 9999-12-31T23:59-12:00 is in the year 10000 there. */
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

/** An integer query parameter of at least 1; more than `max` gives `max`. */
export function pageSize(max: number) {
  return z
    .string()
    .regex(/^[0-9]{1,15}$/, { error: 'must be a whole number' })
    .transform(Number)
    .refine((size) => size >= 1, { error: 'must be at least 1' })
    .transform((size) => Math.min(size, max))
    .meta({ type: 'integer', minimum: 1, maximum: max });
}

/** Where counting stops: an integer query parameter of at least 1. */
export const countCap = z
  .string()
  .regex(/^[0-9]{1,15}$/, { error: 'must be a whole number' })
  .transform(Number)
  .refine((cap) => cap >= 1, { error: 'must be at least 1' })
  .meta({ type: 'integer', minimum: 1 });
