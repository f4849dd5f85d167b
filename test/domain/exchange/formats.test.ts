import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '#shared/domain/exchange/formats/csv-layout.ts';
import { BrokenCsv, MAX_ROW, readCsv } from '#shared/domain/exchange/formats/csv-reader.ts';
import { encodingOf, isWide } from '#shared/domain/exchange/formats/encoding.ts';
import { endOfRow } from '#shared/domain/exchange/formats/end-of-row.ts';
import { type ByteSource, inWindows, WINDOW } from '#shared/domain/exchange/formats/source.ts';
import { readCards } from '#shared/domain/exchange/formats/vcard-reader.ts';
import { readCard } from '#shared/domain/exchange/records/card.ts';
import { ApiError } from '#shared/errors.ts';
import { rounds } from '../../support/long.ts';

/** Files as programs write them: encodings, delimiters, and what is broken. */

/** Read in parts of a few bytes, so that characters and line ends are cut. */
const sourceOf = (bytes: Buffer, part = 7): ByteSource => ({
  size: bytes.length,
  async *read(start, end) {
    for (let at = start; at < end; at += part) yield bytes.subarray(at, Math.min(at + part, end));
  },
});

const swap = (bytes: Buffer) => Buffer.from(bytes).swap16();
const table = 'Name,Ort\r\n"Zoë, €",Köln\r\n"Zwei\nZeilen","ein ""Wort"""\r\n';
const rows = [
  ['Zoë, €', 'Köln'],
  ['Zwei\nZeilen', 'ein "Wort"'],
];
const western = Buffer.from(table.replace('€', '\x80'), 'latin1');

async function all<T>(found: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const each of found) list.push(each);
  return list;
}

describe('a file of separated values', () => {
  it.each([
    ['utf-8', Buffer.from(table)],
    ['utf-8', Buffer.from(`\ufeff${table}`)],
    ['utf-16le', Buffer.from(`\ufeff${table}`, 'utf16le')],
    ['utf-16le', Buffer.from(table, 'utf16le')],
    ['utf-16be', swap(Buffer.from(`\ufeff${table}`, 'utf16le'))],
    ['windows-1252', western],
  ])('is read in %s, from any of its rows on', async (encoding, bytes) => {
    const sample = await sampleOf(sourceOf(bytes));
    expect(sample).toMatchObject({ encoding, delimiter: ',', header: ['Name', 'Ort'], rows });
    const { begin = 0, delimiter = '' } = sample ?? {};
    const layout = { encoding: encodingOf(bytes).encoding, delimiter };
    const whole = await all(readCsv(sourceOf(bytes), layout, begin));
    expect(whole.map((row) => 'cells' in row && row.cells)).toEqual(rows);
    expect(whole.at(-1)?.next).toBe(bytes.length);
    const rest = await all(readCsv(sourceOf(bytes), layout, whole[0]?.next ?? 0));
    expect(rest).toEqual(whole.slice(1));
  });

  it('is fetched by windows while its rows are taken: 200 MB by hand', async () => {
    const WIDTH = 200;
    const count = rounds(20_000, 1_000_000);
    const rowOf = (i: number) => `${`Person ${i},"${'x, '.repeat(100)}`.slice(0, WIDTH - 2)}"\n`;
    let fetched = 0;
    const source: ByteSource = {
      size: count * WIDTH,
      async *read(start, end) {
        fetched = end;
        for (let at = start; at < end; ) {
          const rest = rowOf(Math.floor(at / WIDTH)).slice(at % WIDTH, (at % WIDTH) + end - at);
          yield Buffer.from(rest);
          at += rest.length;
        }
      },
    };
    const layout = { encoding: 'utf-8', delimiter: ',' } as const;
    let [taken, ahead, next] = [0, 0, 0];
    for await (const row of readCsv(inWindows(source), layout, 0)) {
      taken++;
      next = row.next;
      ahead = Math.max(ahead, fetched - next);
    }
    expect([taken, next]).toEqual([count, source.size]);
    // The row that a window cuts is not known before the next one.
    expect(ahead).toBeLessThanOrEqual(WINDOW + WIDTH);
    const rest = await all(readCsv(inWindows(source), layout, (count - 1) * WIDTH));
    expect(rest).toMatchObject([{ cells: [`Person ${count - 1}`, expect.any(String)] }]);
  });

  it.each([',', ';', '\t', '|'])('has its delimiter found: %j', async (delimiter) => {
    const text = [['Name', 'Sum'].join(delimiter), ['A', '"1,5; 2"'].join(delimiter)].join('\n');
    expect(await sampleOf(sourceOf(Buffer.from(text)))).toMatchObject({ delimiter, rows: [['A', '1,5; 2']] });
  });

  it('has windows-1252 where it is not UTF-8 after all', async () => {
    const bytes = Buffer.concat([Buffer.from('Zoë\n'), Buffer.from('Zo\xeb\n', 'latin1')]);
    const read = await all(readCsv(sourceOf(bytes), { encoding: 'utf-8', delimiter: ',' }, 0));
    expect(read).toMatchObject([{ cells: ['Zoë'] }, { cells: ['Zoë'] }]);
  });

  it.each([
    ['without quotation marks', 'utf-8', 'x'],
    ['in quotation marks, with lines', 'utf-8', '"x""y,\n"'],
    ['with a quotation mark in its text', 'windows-1252', '5" x'],
    ['in two bytes a character', 'utf-16le', '"x\r\n"'],
    ['in two bytes a character, the higher one first', 'utf-16be', '"x\r\n"'],
  ] as const)('goes on after a row that is too large, %s', async (_, encoding, cell) => {
    const long = cell.replace('x', 'x'.repeat(MAX_ROW + 10));
    const bytes = Buffer.from(`a,b\n${long},c\r\nd,e\n`, isWide(encoding) ? 'utf16le' : 'latin1');
    const source = sourceOf(encoding === 'utf-16be' ? swap(bytes) : bytes, 65_535);
    const read = await all(readCsv(source, { encoding, delimiter: ',' }, 0));
    expect(read).toMatchObject([{ cells: ['a', 'b'] }, { failure: 'row_too_large' }, { cells: ['d', 'e'] }]);
  });

  it('has the end of each row found as the library finds it, in parts of any size', async () => {
    const sign = fc.constantFrom('a', ',', '"', '""', '\n', '\r\n', '\r', 'é', '€');
    const texts = fc.array(sign, { maxLength: 40 }).map((signs) => `${signs.join('')}\n`);
    const layouts = fc
      .constantFrom('utf-8', 'utf-16le')
      .map((encoding) => ({ encoding, delimiter: ',' }) as const);
    const found = fc.asyncProperty(
      texts,
      layouts,
      fc.integer({ min: 1, max: 9 }),
      async (text, layout, part) => {
        const source = sourceOf(Buffer.from(text, layout.encoding), part);
        const rows: { next: number }[] = [];
        const reading = async () => {
          for await (const row of readCsv(source, layout, 0)) rows.push(row);
        };
        const error = await reading().catch((cause: unknown) => cause);
        const starts = [0, ...rows.map(({ next }) => next)];
        for (const [i, { next }] of rows.entries())
          expect(await endOfRow(source, layout, starts[i]!)).toBe(next);
        if (error) expect(await endOfRow(source, layout, starts.at(-1)!)).toBeUndefined();
      },
    );
    await fc.assert(found, { numRuns: rounds(500, 20_000) });
  });

  it.each([
    ['at its end', 'a,b\nc,"d\ne,f\n'],
    ['for megabytes', `a,b\nc,"d\n${'e,f\n'.repeat(MAX_ROW / 3)}`],
  ])('ends at a quotation mark that is not closed %s, after the rows before', async (_, text) => {
    const read: unknown[] = [];
    const reading = async () => {
      const layout = { encoding: 'utf-8', delimiter: ',' } as const;
      for await (const row of readCsv(sourceOf(Buffer.from(text), 65_536), layout, 0)) read.push(row);
    };
    const error = await reading().catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(BrokenCsv);
    expect((error as BrokenCsv).row).toBe(2);
    expect(read).toMatchObject([{ cells: ['a', 'b'] }]);
  });
});

describe('a file of vCards', () => {
  const cards = (text: string) => all(readCards(sourceOf(Buffer.from(text), 100_000), 'utf-8', 0));

  it('is read without its photos, and past what is too large', async () => {
    const photo = `PHOTO;ENCODING=b;TYPE=JPEG:${'/9j/4A'.repeat(100)}\r\n ${'A'.repeat(10 * 1024 * 1024)}\r\n`;
    const card = (name: string, more = '') =>
      `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${name}\r\n${more}END:VCARD\r\n`;
    const large = `NOTE:${'x'.repeat(600_000)}\r\n`;
    const read = await cards(card('Ada', photo) + card('Large', large) + card('Grace'));
    expect(read).toMatchObject([
      { card: 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD' },
      { failure: 'row_too_large' },
      { card: 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Grace\r\nEND:VCARD' },
    ]);
  });

  it('has cards without an end, which are read apart from the next one', async () => {
    const open = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Open\r\n';
    const card = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n';
    const read = await cards(card + open + card);
    const whole = card.trimEnd();
    expect(read).toEqual([
      { card: whole, next: card.length },
      { card: open.trimEnd(), next: (card + open).length },
      { card: whole, next: (card + open + card).length },
    ]);
    expect(() => readCard(open.trimEnd())).toThrow(ApiError);
  });

  it('has lines that are folded, in the middle of a character too', async () => {
    const bytes = Buffer.from('BEGIN:VCARD\nVERSION:3.0\nFN:Zoë\nEND:VCARD\n');
    const at = bytes.indexOf(0xc3) + 1;
    const folded = Buffer.concat([bytes.subarray(0, at), Buffer.from('\n '), bytes.subarray(at)]);
    const [read] = await all(readCards(sourceOf(folded), 'utf-8', 0));
    expect(read && 'card' in read && readCard(read.card).draft).toMatchObject({ name: 'Zoë' });
  });

  it('has contacts of versions 3 and 4', () => {
    const card = [
      'BEGIN:VCARD',
      'VERSION:4.0',
      'FN:Dr Ada Byron',
      'N:Byron;Ada;;Dr;',
      'NICKNAME:Countess',
      'item1.EMAIL;TYPE=INTERNET,HOME:home@x.example',
      'EMAIL;TYPE=WORK,PREF:work@x.example',
      'TEL;VALUE=uri;TYPE=cell:tel:+44-20',
      'ADR;TYPE=WORK:;Hall 2;Pier 3;London;;SW1;GB',
      'ORG:Acme\\, Inc;Research',
      'TITLE:Analyst',
      'BDAY:18151210',
      'URL:https://x.example/ada',
      'NOTE:One\\nTwo\\; three',
      'CATEGORIES:vip,north',
      'PHOTO:https://x.example/ada.png',
      'UID:urn:uuid:1',
      'END:VCARD',
    ].join('\r\n');
    expect(readCard(card)).toEqual({
      draft: {
        name: 'Dr Ada Byron',
        first_name: 'Ada',
        last_name: 'Byron',
        nickname: 'Countess',
        description: 'One\nTwo; three',
        avatar_url: 'https://x.example/ada.png',
        birthday: '1815-12-10',
        email_addresses: [
          { email_address: 'work@x.example', label: 'work' },
          { email_address: 'home@x.example', label: 'home' },
        ],
        phone_numbers: [{ phone_number: '+44-20', label: 'mobile' }],
        links: [{ url: 'https://x.example/ada', label: null }],
        addresses: [
          {
            ...{ street: 'Hall 2, Pier 3', city: 'London', region: null, postal_code: 'SW1', country: 'GB' },
            label: 'work',
          },
        ],
        employments: [{ title: 'Analyst', organization: { name: 'Acme, Inc' }, current: true }],
        external_id: 'urn:uuid:1',
      },
      tags: ['vip', 'north'],
    });
  });

  it('has first choices, extensions of numbers, and addresses of the web without a scheme', () => {
    const card = [
      'BEGIN:VCARD',
      'VERSION:4.0',
      'EMAIL:third@x.example',
      'EMAIL;PREF=2:second@x.example',
      'EMAIL;PREF=1;TYPE=work:first@x.example',
      'TEL;VALUE=uri;TYPE="voice,home":tel:+1-555-555-5555;phone-context=+1;ext=5555',
      'TEL;VALUE=uri;PREF=1:tel:+1-555-555-0100',
      'URL:www.x.example/ada',
      'END:VCARD',
    ].join('\r\n');
    expect(readCard(card).draft).toEqual({
      email_addresses: [
        { email_address: 'first@x.example', label: 'work' },
        { email_address: 'second@x.example', label: null },
        { email_address: 'third@x.example', label: null },
      ],
      phone_numbers: [
        { phone_number: '+1-555-555-0100', label: null },
        { phone_number: '+1-555-555-5555 x5555', label: 'home' },
      ],
      links: [{ url: 'https://www.x.example/ada', label: null }],
    });
  });

  it.each(['3.0', '4.0'])('has what is escaped, also where it needs it not: version %s', (version) => {
    const card = [
      'BEGIN:VCARD',
      `VERSION:${version}`,
      'FN:a\\\\\\;b\\\\;c\\:d\\\\:e',
      'N:\\\\;f\\;g\\\\\\;;;;',
      'ADR:;;h\\\\\\,i,j;k\\\\;;;',
      'URL:https\\://x.example/l\\;m\\,n\\\\',
      'CATEGORIES:o\\\\,p\\,q\\\\\\,r',
      'NOTE:C:\\\\new\\nline',
      'END:VCARD',
    ].join('\r\n');
    expect(readCard(card)).toMatchObject({
      draft: {
        ...{ name: 'a\\;b\\;c:d\\:e', last_name: '\\', first_name: 'f;g\\;', description: 'C:\\new\nline' },
        addresses: [{ street: 'h\\,i j', city: 'k\\' }],
        links: [{ url: 'https://x.example/l;m,n\\' }],
      },
      tags: ['o\\', 'p,q\\,r'],
    });
  });

  it.each(['', 'FN:x', 'BEGIN:VCARD\r\nbla\r\nEND:VCARD'])('refuses %j', (card) => {
    expect(() => readCard(card)).toThrow();
  });
});
