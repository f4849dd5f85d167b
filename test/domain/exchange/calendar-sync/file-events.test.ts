import { expect, it } from 'vitest';
import { FileEvents } from '#shared/domain/exchange/calendar-sync/file-events.ts';
import { calendarFile, vevent } from '../../../support/ics.ts';
import { longIt } from '../../../support/long.ts';

/** Whoever writes a file that others follow may write anything: 10 MB are read in steps that grow with them. */

const event = 'BEGIN:VEVENT\r\nUID:a\r\nEND:VEVENT\r\n';
const textsOf = (text: string) => {
  const events = new FileEvents(text);
  return events.resources().map(({ url }) => `${events.textOf(url)}`);
};

longIt('has no more of one UID than are enough to refuse it', () => {
  const [many = '', other = '', ...none] = textsOf(calendarFile([event.repeat(200_000), vevent('b')]));
  expect(many.match(/BEGIN:VEVENT/g)).toHaveLength(2_101);
  expect(other).toContain('UID:b');
  expect(none).toEqual([]);
});

it('has events of any number of lines', () => {
  const [long = ''] = textsOf(calendarFile([vevent('a', 'X-A:1\r\n'.repeat(400_000).trim())]));
  expect(long.match(/X-A:1/g)).toHaveLength(400_000);
});

it('has time zones as far as they say something', () => {
  const zone = (name: string, lines: number) =>
    `BEGIN:VTIMEZONE\r\nTZID:${name}\r\n${'X-A:1\r\n'.repeat(lines)}END:VTIMEZONE\r\n`;
  const [text = ''] = textsOf(calendarFile([zone('Pier', 1), zone('Long', 400_000), zone('Quay', 1), event]));
  expect(text.match(/TZID:\w+/g)).toEqual(['TZID:Pier', 'TZID:Quay']);
});

it('has no event in a time zone', () => {
  const hidden = 'BEGIN:VEVENT\r\n X\r\nUID:b\r\nATTENDEE:mailto:grace@acme.example\r\nEND:VEVENT\r\n X\r\n';
  const zone = `BEGIN:VTIMEZONE\r\nTZID:Pier\r\n${hidden}END:VTIMEZONE\r\n`;
  const [text = ''] = textsOf(calendarFile([zone, event]));
  expect(text.match(/^BEGIN:VEVENT$/gm)).toHaveLength(1);
});
