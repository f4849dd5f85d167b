import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envelopeDate } from '#shared/domain/mail/archives/envelope.ts';
import { isoDate } from '#shared/domain/mail/mime/dates.ts';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';

describe('a date', () => {
  it.each([
    ['Tue, 17 Nov 2009 21:28:37 +0600', '2009-11-17T15:28:37.000Z'],
    ['17 Nov 2009 21:28 GMT', '2009-11-17T21:28:00.000Z'],
    ['Tue, 17 Nov 09 21:28:37 -0500 (EST)', '2009-11-18T02:28:37.000Z'],
    ['Tue, 17 Nov 99 21:28:37 PST', '1999-11-18T05:28:37.000Z'],
    ['17 Nov 49 21:28:37 GMT', '2049-11-17T21:28:37.000Z'],
    ['17 Nov 50 21:28:37 GMT', '1950-11-17T21:28:37.000Z'],
    ['Tue Nov 17 21:28:37 EST 2009 +0600', '2009-11-18T02:28:37.000Z'],
    ['Tue, 17 Nov 109 21:28:37 +0000', '2009-11-17T21:28:37.000Z'],
    ['Tue, 17 Nov 2009 21:28:37', '2009-11-17T21:28:37.000Z'],
    ['Tue, 17-Nov-2009 21.28.37 +0000', '2009-11-17T21:28:37.000Z'],
    ['Tue, 17 November 2009 21:28:37 +0000', '2009-11-17T21:28:37.000Z'],
    ['Tue, 17 Nov 2009 21:28:37 GMT+0100', '2009-11-17T20:28:37.000Z'],
    ['Tue, 17 Nov 2009 21:28:37 +01:00', '2009-11-17T20:28:37.000Z'],
    ['Tue, 17 Nov 2009 21:28:37 -0000', '2009-11-17T21:28:37.000Z'],
    ['Tue Nov 17 21:28:37 2009', '2009-11-17T21:28:37.000Z'],
    ['Tue Nov 17 21:28:37 +0600 2009', '2009-11-17T15:28:37.000Z'],
    ['Tue Nov 17 21:28:37 2009 +0600', '2009-11-17T15:28:37.000Z'],
    ['Tue Nov 17 21:28:37 PST 2009', '2009-11-18T05:28:37.000Z'],
    ['2009-11-17T21:28:37+06:00', '2009-11-17T15:28:37.000Z'],
    ['2009-11-17T21:28:37.123Z', '2009-11-17T21:28:37.000Z'],
    ['2009-11-17 21:28:37Z', '2009-11-17T21:28:37.000Z'],
    ['2009-11-17 21:28 -0500', '2009-11-18T02:28:00.000Z'],
    ['Sat, 31 Dec 2016 23:59:60 +0000', '2016-12-31T23:59:59.000Z'],
  ])('%j is %j', (value, moment) => {
    expect(isoDate(value)).toBe(moment);
  });

  it.each([
    [
      'Thu,\r\n      13\r\n        Feb\r\n          1969\r\n      23:32\r\n               -0330 (Newfoundland Time)',
    ],
    ['Thu, 13 (x (y (z))) Feb 69 (1970?) 23 (hours) : 32 -0330'],
  ])('has comments and folds anywhere, as RFC 5322 A.5 and A.6.3 show: %j', (value) => {
    expect(isoDate(value)).toBe('1969-02-14T03:02:00.000Z');
  });

  it.each([
    ['Mon, 01 Jan 1900 00:00:00 +0000', '1900-01-01T00:00:00.000Z'],
    ['Mon, 20 Jul 1903 10:00:00 +0000', '1903-07-20T10:00:00.000Z'],
    ['Wed, 31 Dec 1969 23:59:59 +0000', '1969-12-31T23:59:59.000Z'],
    ['Thu, 01 Jan 1970 00:00:00 +0600', '1969-12-31T18:00:00.000Z'],
    ['Tue, 17 Nov 2035 21:28:37 +0000', '2035-11-17T21:28:37.000Z'],
    ['Tue, 17 Nov 9998 21:28:37 +0000', '9998-11-17T21:28:37.000Z'],
  ])('lies in any year from 1900 on: %j', (value, moment) => {
    expect(isoDate(value)).toBe(moment);
  });

  it.each([
    '31 Feb 2009 10:00 +0000',
    '17 Foo 2009 10:00',
    '17 Nov 2009 25:00 +0000',
    '17 Nov 2009 10:60 +0000',
    '17 Nov 2009 10:00:61 +0000',
    '0 Nov 2009 10:00 +0000',
    '117 Nov 2009 10:00 +0000',
    'Sun, 31 Dec 1899 23:59:59 +0000',
    'Mon, 01 Jan 1900 00:00:00 +0600',
    'Sat, 01 Jan 0000 00:00:00 +0000',
    '0000-01-01T00:00:00Z',
    '0099-01-01T00:00:00Z',
    'Tue, 17 Nov 9999 21:28:37 +0000',
    '17 Nov 200999 10:00',
    'Tue Nov 17 21:28:37 20091',
    '12009-11-17T21:28:37Z',
    '2009-13-17T21:28:37Z',
    'yesterday',
    'NaN',
    '-1',
    '',
    `${' '.repeat(600)}17 Nov 2009 10:00`,
  ])('is not %j', (value) => {
    expect(isoDate(value)).toBeNull();
  });

  it.each(['+9999', '-1500', '+0060', '+0099', 'XYZ', 'K'])('in the zone %s is one of UTC', (zone) => {
    expect(isoDate(`17 Nov 2009 10:00 ${zone}`)).toBe('2009-11-17T10:00:00.000Z');
  });

  it('written in any of the usual forms is read back', () => {
    const moment = fc
      .date({ min: new Date('1900-01-02'), max: new Date('9998-12-30'), noInvalidDate: true })
      .map((date) => new Date(Math.floor(date.getTime() / 1000) * 1000));
    fc.assert(
      fc.property(moment, (date) => {
        const iso = date.toISOString();
        const [, day, month, year, time] = date.toUTCString().split(/,? /);
        for (const text of [
          date.toUTCString(),
          iso,
          `Tue ${month} ${day} ${time} ${year}`,
          `Tue ${month} ${+day!} ${time} +0000 ${year}`,
        ])
          expect(isoDate(text)).toBe(iso);
      }),
    );
  });

  it('is a moment or null, whatever the text', () => {
    const piece = fc.constantFrom(
      '17',
      'Nov',
      '2009',
      '21:28:37',
      '+0600',
      '(',
      ')',
      ',',
      '-',
      'T',
      ' ',
      'Z',
      '0',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((all) => all.join(' ')),
        ),
        (text) => {
          const found = isoDate(text);
          if (found !== null) expect(new Date(found).toISOString()).toBe(found);
        },
      ),
    );
  });
});

describe('the date of an envelope', () => {
  it.each([
    ['From ann@a.example Tue Nov 17 21:28:37 2009', '2009-11-17T21:28:37.000Z'],
    ['From - Tue Nov 17 21:28:37 2009\r\n', '2009-11-17T21:28:37.000Z'],
    ['From 1655@xxx Tue Nov 17 21:28:37 +0600 2009', '2009-11-17T15:28:37.000Z'],
    ['From ann@a.example Tue, 17 Nov 2009 21:28:37 +0600', '2009-11-17T15:28:37.000Z'],
    ['From ann@a.example 2009-11-17T21:28:37Z', '2009-11-17T21:28:37.000Z'],
    ['From uucp Tue Nov 17 21:28:37 2009 remote from host', '2009-11-17T21:28:37.000Z'],
    ['From ann@a.example', null],
    ['From - ', null],
    ['From MAILER-DAEMON Thu Jan  1 00:00:00 1970', null],
    ['From 0f1c2d3e Mon Sep 17 00:00:00 2001', null],
  ])('reads %j as %j, and placeholders of programs as null', (line, moment) => {
    expect(envelopeDate(Buffer.from(line))).toBe(moment);
  });
});

const TOP =
  'Received: from b by mx.own.example (x; y) with ESMTP id 1;\r\n Wed, 18 Nov 2009 09:00:00 +0000 (UTC)';
const BELOW = 'Received: from a by b; Tue, 17 Nov 2009 23:00:00 +0000';
const DATE = 'Date: Tue, 17 Nov 2009 22:00:00 +0000';
const NO_DATE = 'Date: some day';
const BARE = 'Received: from c by d with SMTP';
const ENVELOPE = '2009-11-18T10:00:00.000Z';
const top = '2009-11-18T09:00:00.000Z';
const below = '2009-11-17T23:00:00.000Z';
const date = '2009-11-17T22:00:00.000Z';

describe('a message', () => {
  it.each<[string[], string | null, string | null, string | null]>([
    [[TOP, BELOW, DATE], ENVELOPE, date, top],
    [[TOP, BELOW, DATE], null, date, top],
    [[TOP, BELOW, NO_DATE], ENVELOPE, ENVELOPE, top],
    [[TOP, BELOW, NO_DATE], null, top, top],
    [[TOP, BELOW], null, top, top],
    [[BELOW, TOP], null, below, below],
    [[DATE], ENVELOPE, date, ENVELOPE],
    [[NO_DATE], ENVELOPE, ENVELOPE, ENVELOPE],
    [[DATE], null, date, null],
    [[NO_DATE], null, null, null],
    [[BARE, BELOW, DATE], ENVELOPE, date, ENVELOPE],
    [[BARE, BELOW], null, below, below],
    [[NO_DATE, DATE], null, date, null],
  ])(
    'with %j under %s was sent at %s and received at %s',
    async (lines, envelope_date, sent_at, received_at) => {
      const raw = Buffer.from(`${lines.join('\r\n')}\r\nSubject: a\r\n\r\ntext`);
      expect(await parseMessage(raw, { envelope_date })).toMatchObject({ sent_at, received_at });
    },
  );

  it('saved with its envelope has the envelope’s date', async () => {
    const raw = Buffer.from('From ann@a.example Tue Nov 17 21:28:37 2009\nSubject: a\n\ntext');
    const envelope = '2009-11-17T21:28:37.000Z';
    expect(await parseMessage(raw)).toMatchObject({ sent_at: envelope, received_at: envelope });
    expect(await parseMessage(raw, { envelope_date: ENVELOPE })).toMatchObject({ sent_at: ENVELOPE });
  });

  it.each([
    ['from x 1 Jan 2035 00:00:00 +0000 by mx', null],
    ['from x (1 Jan 2035 00:00:00; y) by mx; Wed, 18 Nov 2009 09:00:00 +0000', top],
    ['from x; 1 Jan 2035 00:00:00 +0000; Wed, 18 Nov 2009 09:00:00 +0000', top],
    ['from x (helo=; 1 Jan 2035 00:00:00 +0000) by mx; Wed, 18 Nov 2009 09:00:00 +0000', top],
    ['from x (helo=; 1 Jan 2035 00:00:00 +0000) by mx', null],
    ['from x( by mx ([192.0.2.1]); Wed, 18 Nov 2009 09:00:00 +0000 (a; (b; c))', top],
    [`from x${'('.repeat(200_000)} by mx; Wed, 18 Nov 2009 09:00:00 +0000`, top],
  ])('ignores dates that the sending client told the server: %j', async (received, received_at) => {
    const found = await parseMessage(Buffer.from(`Received: ${received}\n\ntext`));
    expect(found.received_at).toBe(received_at);
  });

  it('keeps a delivery in the future as stated', async () => {
    const raw = Buffer.from('Received: by mx; Tue, 17 Nov 2035 21:28:37 +0000\nDate: x\n\ntext');
    expect((await parseMessage(raw)).received_at).toBe('2035-11-17T21:28:37.000Z');
  });
});
