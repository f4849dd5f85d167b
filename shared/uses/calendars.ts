import type { Kind } from './kind.ts';

/** Servers of calendars, and the key of the passwords. They are nothing in AWS, where only public ones are called. */
export const calendars = {
  variables: (_, { sealing_keys }) => ({ MAILBOX_KEYS: sealing_keys }),
  local: ['CALENDAR_HOSTS'],
  libraries: {
    'fast-xml-parser': { bytes: 80_000, reason: 'reads what CalDAV servers answer' },
    'ipaddr.js': { bytes: 15_000, reason: 'tells which addresses are public' },
  },
} as const satisfies Kind;
