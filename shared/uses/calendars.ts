import type { Kind } from './kind.ts';
import { sealing } from './sealing.ts';

/** Servers of calendars, and the key of the passwords. The servers are nothing in AWS, where only public ones are called. */
export const calendars = {
  ...sealing,
  local: ['CALENDAR_HOSTS'],
  libraries: {
    ...sealing.libraries,
    'fast-xml-parser': { bytes: 80_000, reason: 'reads what CalDAV servers answer' },
    'ipaddr.js': { bytes: 15_000, reason: 'tells which addresses are public' },
  },
} as const satisfies Kind;
