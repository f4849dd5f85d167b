import { Temporal } from 'temporal-polyfill';
import { zoneOf } from '#shared/domain/exchange/formats/time-zones.ts';
import { invalidField } from '#shared/errors.ts';
import type { Property } from './vevent.ts';

/** Dates and times of events in files. */

/** Where local times are read. */
export interface Clocks {
  /** Time zones that the calendar describes by their rules. */
  zones: Record<string, string>;
  /** Of the user: for times without a zone. */
  own: string;
}

/** A day, or a local time in a zone; `zone` is null for a time in UTC. */
export type Written = { day: Temporal.PlainDate } | { local: Temporal.PlainDateTime; zone: string | null };

/** 400 for a zone that neither has a known name nor known rules. */
export function zoneIn({ parameters }: Property, { zones, own }: Clocks): string {
  const { tzid } = parameters;
  if (tzid === undefined) return own;
  const zone = zoneOf(tzid) ?? (Object.hasOwn(zones, tzid) ? zones[tzid] : undefined);
  if (zone === undefined)
    throw invalidField('time_zone', 'invalid', `is ${tzid.slice(0, 100)}, which the file does not explain`);
  return zone;
}

/** 400 for what is no date or time. */
export function writtenIn(property: Property, clocks: Clocks, field: string): Written {
  const text = `${property.values[0] ?? ''}`;
  try {
    if (property.type === 'date') return { day: Temporal.PlainDate.from(text, { overflow: 'reject' }) };
    const local = Temporal.PlainDateTime.from(text.replace(/Z$/, ''), { overflow: 'reject' });
    if (text.endsWith('Z')) return { local, zone: null };
    return { local, zone: zoneIn(property, clocks) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw invalidField(field, 'invalid_format', 'is no date or time');
  }
}

const iso = (moment: { epochMilliseconds: number }) => new Date(moment.epochMilliseconds).toISOString();

/** A local time that clocks skip is as much later. */
export const momentOf = ({ local, zone }: Extract<Written, { local: unknown }>): string =>
  iso(local.toZonedDateTime(zone ?? 'UTC', { disambiguation: 'compatible' }));
