import { invalidField } from '#shared/errors.ts';

/** A page has 50 records. */
const MAX_BYTES = 100 * 1024;

/** 400 `too_long` for the largest field when the record is too large. `name` is what people call its type. */
export function fitting<R extends object>(record: R, name: string): R {
  const sizes = Object.entries(record).map(([field, value]) => ({
    field,
    bytes: Buffer.byteLength(JSON.stringify(value) ?? ''),
  }));
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= MAX_BYTES) return record;
  const largest = sizes.reduce((best, next) => (next.bytes > best.bytes ? next : best));
  throw invalidField(largest.field, 'too_long', `makes the ${name} larger than 100 KB`);
}
