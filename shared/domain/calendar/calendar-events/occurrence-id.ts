import { createHash, randomBytes } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { idFrom } from '#shared/ids.ts';

/**
 * Ids of events. That of a series follows from a handle of 80 bits, and those of its occurrences contain the handle and
 * their keys: so an occurrence is found by its id without an item of its own, and keeps it for good.
 */

/** A day, `2026-03-29`, or a moment on it, `2026-03-29T15:00`, of an RDATE at another time than the series has. */
export type OccurrenceKey = string;

const HANDLE = 80n;
const MINUTES = 11n;

const seriesId = (handle: bigint) => idFrom('calendar event', handle.toString(16).padStart(20, '0'));

const newHandle = () => BigInt(`0x${randomBytes(10).toString('hex')}`);

/** The id of an event that may become a series, with its handle. */
export function newEventId(): { id: string; handle: string } {
  const handle = newHandle();
  return { id: seriesId(handle), handle: handle.toString(16) };
}

/** The same for an event that comes from a file: always the same in the calendar, so nothing is made of it twice. */
export function importedEventId(calendar_id: string, ical_uid: string): { id: string; handle: string } {
  const digest = createHash('sha256')
    .update(JSON.stringify([calendar_id, ical_uid]))
    .digest('hex');
  const handle = BigInt(`0x${digest.slice(0, 20)}`);
  return { id: seriesId(handle), handle: handle.toString(16) };
}

const FIRST = Temporal.PlainDate.from('0001-01-01');

const mask = (bits: bigint) => (1n << bits) - 1n;

/** 122 bits as a UUIDv8 (RFC 9562, 5.8). */
function uuidOf(bits: bigint): string {
  const low = bits & mask(62n);
  const middle = (bits >> 62n) & mask(12n);
  const high = bits >> 74n;
  const value = (high << 80n) | (8n << 76n) | (middle << 64n) | (2n << 62n) | low;
  const hex = value.toString(16).padStart(32, '0');
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => hex.slice(from, to))
    .join('-');
}

function bitsOf(id: string): bigint {
  const value = BigInt(`0x${id.replaceAll('-', '')}`);
  return ((value >> 80n) << 74n) | (((value >> 64n) & mask(12n)) << 62n) | (value & mask(62n));
}

export function occurrenceId(handle: string, key: OccurrenceKey): string {
  const days = Temporal.PlainDate.from(key.slice(0, 10)).since(FIRST).days;
  // 0 is the time of the series.
  const minutes = key.length > 10 ? 1 + 60 * Number(key.slice(11, 13)) + Number(key.slice(14, 16)) : 0;
  return uuidOf((((BigInt(days) << MINUTES) | BigInt(minutes)) << HANDLE) | BigInt(`0x${handle}`));
}

/** What an id says, if it is that of an occurrence. */
export function readOccurrenceId(id: string): { series_id: string; key: OccurrenceKey } | undefined {
  if (id[14] !== '8') return undefined;
  const bits = bitsOf(id);
  const days = Number(bits >> (HANDLE + MINUTES));
  const minutes = Number((bits >> HANDLE) & mask(MINUTES)) - 1;
  if (days > 3_652_058 || minutes >= 1_440) return undefined;
  const time = [Math.floor(minutes / 60), minutes % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
  const day = FIRST.add({ days }).toString();
  return { series_id: seriesId(bits & mask(HANDLE)), key: minutes < 0 ? day : `${day}T${time}` };
}
