import * as z from 'zod';
import { refuse } from './values.ts';

/** Offsets such as +01:00 are no time zones: they have no rules for summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || name.length > 64) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** A name of the IANA time zone database. */
export const timeZone = z
  .string()
  .check((context) => {
    if (!isTimeZone(context.value)) refuse(context, 'invalid_format', 'must be an IANA time zone');
  })
  .meta({ example: 'Europe/London' });
