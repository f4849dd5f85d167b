import { expect, it } from 'vitest';
import { vtimezoneOf } from '#shared/domain/exchange/calendars/vtimezone-writer.ts';
import { type EventEntry, noHead, readEvents } from '#shared/domain/exchange/formats/ics-reader.ts';
import type { ByteSource } from '#shared/domain/exchange/formats/source.ts';
import { zoneOf } from '#shared/domain/exchange/formats/time-zones.ts';
import { zoneOfRules } from '#shared/domain/exchange/formats/vtimezone-reader.ts';
import { windowsZones } from '#shared/domain/exchange/formats/windows-zones.ts';
import { clockChangesIn, offsetOf } from '#shared/domain/exchange/formats/zone-changes.ts';
import { calendarFile, vevent } from '../../support/ics.ts';
import { longIt } from '../../support/long.ts';

/** Reading calendars in parts, and time zones by their names and rules. */

const sourceOf = (bytes: Buffer, part: number): ByteSource => ({
  size: bytes.length,
  async *read(start, end) {
    for (let at = start; at < end; at += part) yield bytes.subarray(at, Math.min(end, at + part));
  },
});

async function entriesOf(source: ByteSource, from = 0, known = noHead): Promise<EventEntry[]> {
  const found = [];
  for await (const entry of readEvents(source, 'utf-8', { from, known })) found.push(entry);
  return found;
}

const rules = vtimezoneOf('Europe/Berlin', new Date()).replace('Europe/Berlin', 'Custom');
const file = Buffer.from(
  calendarFile(
    [rules, vevent('ä-1'), 'BEGIN:VEVENT\r\nUID:open\r\n', vevent('2', 'LOCATION:ä\r\n ö')],
    'METHOD:CANCEL',
  ) + calendarFile([vevent('3')]).replaceAll('\r\n', '\n'),
);

it('reads the same events in parts of any size, and from any place between two', async () => {
  const whole = await entriesOf(sourceOf(file, file.length));
  expect(whole.map((entry) => /UID:(.*)/.exec('event' in entry ? entry.event : '')?.[1])).toEqual([
    ...['ä-1', 'open', '2', '3'],
  ]);
  expect(whole[2]).toMatchObject({ event: expect.stringContaining('LOCATION:äö') });
  for (const part of [1, 2, 7, 100]) expect(await entriesOf(sourceOf(file, part))).toEqual(whole);
  for (const [i, { next, head }] of whole.entries())
    expect(await entriesOf(sourceOf(file, 50), next, head)).toEqual(whole.slice(i + 1));
});

it('knows what the calendar around an event has said', async () => {
  const heads = (await entriesOf(sourceOf(file, 100))).map(({ head }) => head);
  const first = { cancels: true, zones: { Custom: 'Europe/Berlin' } };
  expect(heads).toEqual([first, first, first, noHead]);
});

it('knows the zones of 5,000 calendars in a file, whose rules nobody has', async () => {
  const unknown = rules.replaceAll('+0200', '+0217');
  const calendars = Array.from({ length: 5_000 }, () => calendarFile([unknown]));
  const entries = await entriesOf(
    sourceOf(Buffer.from(calendars.join('') + calendarFile([rules, vevent('1')])), 65_536),
  );
  expect(entries).toMatchObject([{ head: { zones: { Custom: 'Europe/Berlin' } } }]);
});

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['"Europe/Berlin"', 'Europe/Berlin'],
  ['W. Europe Standard Time', 'Europe/Berlin'],
  ['pacific standard time', 'America/Los_Angeles'],
  ['/freeassociation.sourceforge.net/America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['/citadel.org/20210210_1/Asia/Tokyo', 'Asia/Tokyo'],
  ['Customized Time Zone', undefined],
  ['+01:00', undefined],
  ['', undefined],
])('the zone %s is %s', (name, zone) => {
  expect(zoneOf(name)).toBe(zone);
});

longIt('finds a zone with the same clocks by the rules of each zone, and only by those', () => {
  const year = new Date().getUTCFullYear();
  const clocks = (zone: string) => [
    offsetOf(zone, year),
    ...clockChangesIn(zone, year).map(({ at, to }) => `${at.month} ${at.day} ${to}`),
  ];
  for (const zone of new Set(windowsZones.values())) {
    const text = vtimezoneOf(zone, new Date());
    // Clocks that change on other days every year have no rule.
    if (clockChangesIn(zone, year).length > 0 && !text.includes('RRULE')) continue;
    const found = zoneOfRules(text.replace(`TZID:${zone}`, 'TZID:Custom'));
    expect(found && clocks(found.zone), zone).toEqual(clocks(zone));
  }
  expect(zoneOfRules(rules.replaceAll('+0200', '+0217'))).toBeUndefined();
  expect(zoneOfRules('BEGIN:VTIMEZONE\r\nnothing')).toBeUndefined();
});
