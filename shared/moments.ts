import { Temporal } from 'temporal-polyfill';
import * as z from 'zod';
import { dateTime, isoDate } from './values.ts';

/**
 * A moment in a request: an ISO 8601 date-time, or a plain date for midnight in the user's zone
 * (docs/specification/requests.md, "Moments and days").
 */
export const moment = z.union([dateTime, isoDate]);

export function readMoment(sent: string, timeZone: string): Date {
  if (sent.length > 10) return new Date(sent);
  return new Date(Temporal.PlainDate.from(sent).toZonedDateTime(timeZone).epochMilliseconds);
}
