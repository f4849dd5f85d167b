import fc from 'fast-check';
import { DAY, transitions } from './wall-clock.ts';

/** Time zones with all kinds of clock changes: none, an hour, half an hour, two hours, at midnight, a lost day. */
const zones = [
  'Etc/UTC',
  'Europe/London',
  'Europe/Berlin',
  'Europe/Dublin',
  'America/New_York',
  'America/Los_Angeles',
  'Australia/Adelaide',
  'America/Sao_Paulo',
  'America/Havana',
  'America/Santiago',
  'America/Asuncion',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tokyo',
  'Asia/Tehran',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Antarctica/Troll',
];

/** Any moment from 2000 to 2035, in milliseconds. */
const moment = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2035, 0, 1) });

/** A zone and a moment in it; half of them close to a change of its clocks, or to a leap day. */
export const zoneAndMoment = fc.oneof(
  ...zones.map((zone) => {
    const changes = transitions(zone, Date.UTC(2009, 0, 1), Date.UTC(2013, 0, 1));
    const turns = changes.length > 0 ? changes : [Date.UTC(2012, 1, 29)];
    const away = fc.integer({ min: -8 * DAY, max: 8 * DAY });
    const close = fc.tuple(fc.constantFrom(...turns), away).map(([turn, by]) => turn + by);
    return fc.record({ zone: fc.constant(zone), moment: fc.oneof(moment, close) });
  }),
);
