import ICAL from 'ical.js';

/** Properties of events as ical.js writes them (RFC 7265). */

/** Bytes of a line without the space that continues it: 75 at most (RFC 5545, 3.1). */
ICAL.foldLength = 74;

export type Property = [name: string, parameters: Record<string, string>, type: string, ...values: unknown[]];

/** One that is a line already. */
export const written = (line: string): Property => ICAL.parse.property(line) as Property;

export const text = (name: string, value: string | null): Property[] =>
  value === null || value === '' ? [] : [[name, {}, 'text', value]];

/** In UTC, to the second. */
export const moment = (name: string, at: string): Property => [
  name,
  {},
  'date-time',
  at.replace(/\.\d+Z$/, 'Z'),
];

/** A component with its lines folded. */
export const component = (name: string, properties: Property[]): string =>
  `${ICAL.stringify([name, properties, []] as never).trimEnd()}\r\n`;
