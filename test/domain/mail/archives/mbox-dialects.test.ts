import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ArchiveSource, countMessages, readMessages } from '#shared/domain/mail/archives/archive.ts';
import { readAll, shownEntry, sourceOf } from './archive-source.ts';

const USUAL = 'From ann@a.example Tue Nov 17 21:28:37 2009\n';
const message = (name: string, body = 'text\n') => `Subject: ${name}\n\n${body}`;
const whole = (name: string, body = 'text\n') =>
  `Return-Path: <a@x>\nFrom: a@x\nMessage-ID: <${name}@x>\nSubject: ${name}\n\n${body}`;

/** The messages of a box. Reading also checks that it gives the same result when it is left and resumed anywhere. */
async function shown(text: string | Uint8Array, name = 'box', step = 64) {
  const source = sourceOf(text, name, step);
  const all = await readAll(source);
  expect(await countMessages(source)).toBe(all.length);
  for (const [index, entry] of all.entries()) {
    expect(await readAll(source, JSON.parse(JSON.stringify(entry.next)))).toEqual(all.slice(index + 1));
  }
  return all.map(shownEntry);
}

const DATED = [
  'From ann@a.example Nov 17 21:28:37 2009',
  'From ann@a.example Tue Nov 17 21:28:37 +0600 2009',
  'From ann@a.example Tue Nov 17 21:28 PST 2009',
  'From ann@a.example Tue Nov 17 21:28:37 2009 +06:00',
  'From ann@a.example Tue Nov 17 21:28:37 2009 GMT+0600 (East Kazakhstan Time)',
  'From - Tue Nov 17 2009 21:28:37 GMT+0600 (East Kazakhstan Time)',
  'From ann@a.example 17 Nov 2009 21:28:37 +0600',
  'From ann@a.example 17-Nov-2009 21:28:37',
  'From ann@a.example 2009-11-17 21:28:37',
  'From ann@a.example 2009-11-17T21:28:37.123+06:00',
  'From ann@a.example 2009-11-17T21:28:37Z',
  'From - 2009-11-17 21:28:37 +0600',
  'From Tue Nov 17 21:28:37 2009',
  'From ???@??? Tue Nov 17 21:28:37 2009',
];
const SPACED = [
  'From Ann Lee Tue Nov 17 21:28:37 2009',
  'From "Ann Lee" <ann@a.example> Tue Nov 17 21:28:37 2009',
  'From Ann Lee 2009-11-17 21:28:37 +0600',
];
const BARE = ['From ', 'From -', 'From - ', 'From ann@a.example', 'From <ann@a.example>  ', 'From <>'];
const ODD = [
  'From MAILER-DAEMON',
  'From Ann Lee',
  'From ann at a.example',
  'From - Di 17. Nov 2009 21.28 Uhr',
];
const PROSE = [
  'From Russia with love',
  'From time to time: we meet',
  'From the list archive:',
  'From here on, the header follows.',
  'From what I saw on Tue Nov 17 21:28:37 2009 it works',
];

describe.each([
  ['LF', (text: string) => text],
  ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
])('lines that separate messages, with %s', (_, written) => {
  it.each([...DATED, ...SPACED, ...BARE])('after a blank line, above a header: %j', async (line) => {
    const box = `${line}\n${message('a')}\n${line}\n${message('b')}\n`;
    expect(await shown(written(box))).toEqual([written(message('a')), written(message('b'))]);
  });

  it.each([...DATED, ...SPACED])('with a date, without a blank line: %j', async (line) => {
    const box = `${line}\n${message('a')}${line}\n${message('b')}`;
    expect(await shown(written(box))).toEqual([written(message('a')), written(message('b'))]);
  });

  it.each(BARE)('without date and blank line, above the header of a delivered mail: %j', async (line) => {
    const box = `${line}\n${whole('a')}${line}\n${whole('b')}`;
    expect(await shown(written(box))).toEqual([written(whole('a')), written(whole('b'))]);
  });

  it.each(ODD)('of any words, after a blank line, above the header of a delivered mail: %j', async (line) => {
    const box = `${line}\n${whole('a')}\n${line}\n${whole('b')}\n`;
    expect(await shown(written(box))).toEqual([written(whole('a')), written(whole('b'))]);
  });
});

describe('lines that are text', () => {
  it.each([...PROSE, ...ODD, ...BARE, ...SPACED])('above text: %j', async (line) => {
    const text = message('a', `x\n\n${line}\ny\n\nFrom: me\nz\n`);
    expect(await shown(`${USUAL}${text}`)).toEqual([text]);
  });

  it.each(PROSE)('above lines with colons: %j', async (line) => {
    const text = message('a', `x\n\n${line}\nNote: this\nSubject: that\nTo: me\n\nz\n`);
    expect(await shown(`${USUAL}${text}`)).toEqual([text]);
  });

  it.each(PROSE)('above the header of a mail that somebody quotes: %j', async (line) => {
    const text = message('a', `x\n\n${line}\nFrom: Bob\nDate: today\nTo: Ann\nSubject: that\n\nz\n`);
    expect(await shown(`${USUAL}${text}`)).toEqual([text]);
  });

  it.each(['From the list archive:', 'From here on, the header follows.'])(
    'with punctuation at the end, above any header: %j',
    async (line) => {
      const text = message('a', `x\n\n${line}\n${whole('b')}`);
      expect(await shown(`${USUAL}${text}`)).toEqual([text]);
    },
  );

  it.each(['From: a@x\nMessage-ID: <b@x>', 'To: a@x\nMessage-ID: <b@x>\nSubject: b'])(
    'of any words above less than the header of a delivered mail: %j',
    async (header) => {
      const text = message('a', `x\n\nFrom Ann Lee\n${header}\n\ny\n`);
      expect(await shown(`${USUAL}${text}`)).toEqual([text]);
    },
  );

  it.each(BARE)('without a date, below other text and above a few fields: %j', async (line) => {
    const text = message('a', `x\n${line}\nSubject: b\nTo: x\n\ny\n`);
    expect(await shown(`${USUAL}${text}`)).toEqual([text]);
  });

  it.each([...PROSE, ...ODD])('below other text, whatever follows: %j', async (line) => {
    const text = message('a', `x\n${line}\n${whole('b')}`);
    expect(await shown(`${USUAL}${text}`)).toEqual([text]);
  });

  it.each(['From 09:30 on', 'From: ann@a.example', 'FROM ann@a.example', 'From\tann@a.example'])(
    'in any other form: %j',
    async (line) => {
      const text = message('a', `x\n\n${line}\nSubject: b\n\ny\n`);
      expect(await shown(`${USUAL}${text}`)).toEqual([text]);
    },
  );
});

describe('a header below a line', () => {
  const BARE_LINE = 'From ann@a.example\n';

  it.each([
    ['ends with the file', 'Subject: b'],
    ['is cut off in a field', 'Subject: b\nTo: x\nDa'],
    ['is cut off in its second field', 'Subject: b\nDa'],
    ['has folded fields', 'Received: from x\n\tby y;\n  today\nDate: x\n\nt\n'],
    ['has the envelope of another mailbox in it', '>From bob@b.example 1 Jan 2009\nSubject: b\n\nt\n'],
    [
      'is longer than is looked at',
      `Received: ${'x '.repeat(50_000)}\n${' y\n'.repeat(9_000)}Subject: b\n\nt\n`,
    ],
    ['is followed by lines without a blank one', 'From: a@x\nSubject: b\nno header\n'],
  ])('%s', async (_, text) => {
    expect(await shown(`${USUAL}${message('a')}\n${BARE_LINE}${text}`, 'box', 5000)).toEqual([
      message('a'),
      text.replace(/^>/, ''),
    ]);
  });

  it.each(['Note: b\n\nt\n', 'Subject: b\nno header\n', ' Subject: b\n\n', '\nSubject: b\n\nt\n'])(
    'is none: %j',
    async (text) => {
      expect(await shown(`${USUAL}${message('a')}\n${BARE_LINE}${text}`)).toEqual([
        `${message('a')}\n${BARE_LINE}${text}`.replace(/\n\n$/, '\n'),
      ]);
    },
  );
});

describe('envelopes', () => {
  it('give their date with the message', async () => {
    const box = `From - \n${message('a')}\nFrom x y 2009-11-17 21:28:37 +0600\n${message('b')}\n${USUAL}${message('c')}`;
    const entries = await readAll(sourceOf(box));
    expect(entries.map((entry) => 'raw' in entry && entry.envelope_date)).toEqual([
      null,
      '2009-11-17T15:28:37.000Z',
      '2009-11-17T21:28:37.000Z',
    ]);
  });

  it('directly below each other begin one message', async () => {
    const inner = `From bob@b.example Tue Nov 17 21:28:37 2009\n${message('a')}`;
    expect(await shown(`${USUAL}${inner}\n${USUAL}${message('b')}`)).toEqual([inner, message('b')]);
  });

  it('below the cut-off header of another message begin their own', async () => {
    expect(await shown(`${USUAL}Subject: a\nTo: x\n${USUAL}${message('b')}`)).toEqual([
      'Subject: a\nTo: x\n',
      message('b'),
    ]);
  });
});

describe('a byte order mark', () => {
  it.each(['box', 'all.mbox'])('is no part of the first message of %s', async (name) => {
    const box = `\ufeff${USUAL}${message('a')}\n${USUAL}${message('b')}\n${USUAL}${message('c')}`;
    expect(await shown(box, name)).toEqual([message('a'), message('b'), message('c')]);
  });

  it('before a message without envelope is left out as well', async () => {
    expect(await shown(`\ufeff${message('a')}\n${USUAL}${message('b')}`, 'all.mbox')).toEqual([
      message('a'),
      message('b'),
    ]);
  });

  it('within a box that joins several files hides no message', async () => {
    const box = `\ufeff${USUAL}${message('a')}\n\ufeff${USUAL}${message('b')}\ufeffFrom - \r\n${whole('c')}`;
    expect(await shown(box)).toEqual([message('a'), message('b'), whole('c')]);
  });
});

describe('Content-Length', () => {
  const sized = (name: string, body: string, claim: number | string = body.length) =>
    `Subject: ${name}\nContent-Length: ${claim}\n\n${body}`;
  const QUOTED = `x\n\n${USUAL}${message('quoted')}\n>From me\nFrom you\n`;

  it('says where a body with lines like envelopes ends (mboxcl2), which then stays byte for byte', async () => {
    const texts = [sized('a', QUOTED), sized('b', 'text\n'), sized('c', QUOTED)];
    expect(await shown(texts.map((text) => `${USUAL}${text}\n`).join(''))).toEqual(texts);
  });

  it('may count the blank line, or stand where there is none', async () => {
    const counted = sized('a', QUOTED, QUOTED.length + 1);
    expect(await shown(`${USUAL}${counted}\n${USUAL}${sized('b', 't\n')}`)).toEqual([
      counted,
      sized('b', 't\n'),
    ]);
    expect(await shown(`${USUAL}${sized('a', QUOTED)}${USUAL}${sized('b', 't\n')}`)).toEqual([
      sized('a', QUOTED),
      sized('b', 't\n'),
    ]);
  });

  it('of the last message may end with the file, without a line break too', async () => {
    for (const body of [QUOTED, QUOTED.trimEnd()]) {
      expect(await shown(`${USUAL}${sized('a', body)}`)).toEqual([sized('a', body)]);
    }
  });

  it('is used above a message that is broken', async () => {
    const long = `Subject: b\nX-Long: ${'x'.repeat(20_000)}\nContent-Length: 2\n\nt\n`;
    for (const [text, read] of [
      [long, long],
      ['no header\n', '[not_a_message]'],
      ['\nno header\n', '[not_a_message]'],
    ] as const) {
      const box = `${USUAL}${sized('a', QUOTED)}\n${USUAL}${text}\n${USUAL}${sized('c', 't\n')}`;
      expect(await shown(box)).toEqual([sized('a', QUOTED), read, sized('c', 't\n')]);
    }
  });

  it('counts CRLF as two', async () => {
    const body = QUOTED.replaceAll('\n', '\r\n');
    const texts = ['a', 'b'].map(
      (name) => `Subject: ${name}\r\ncontent-length:${body.length}\r\n\r\n${body}`,
    );
    expect(await shown(texts.map((text) => `From - \r\n${text}\r\n`).join(''))).toEqual(texts);
  });

  it('reads a body that is escaped as well (mboxcl) as escaped', async () => {
    const texts = [sized('a', '>From me\n'), sized('b', 'text\n')];
    expect(await shown(texts.map((text) => `${USUAL}${text}\n`).join(''))).toEqual([
      sized('a', 'From me\n', 9),
      sized('b', 'text\n'),
    ]);
  });

  const box = (claim: number | string) =>
    `${USUAL}${sized('a', 'text\n', claim)}\n${USUAL}${message('b')}\n${USUAL}${message('c')}`;
  const second = USUAL.length + message('b').length + 1;

  it.each<[string, number | string]>([
    ['too small', 3],
    ['too large by a byte', 6],
    ['of a line of the next header', 5 + 1 + USUAL.length],
    ['over the next message, which has none', 5 + 1 + second],
    ['of no line break', 4],
    ['beyond the end', 1_000_000],
    ['of more than 25 MB', 30_000_000],
    ['of more digits than a number has', '9'.repeat(40)],
    ['negative', -1],
    ['no number', 'a'],
    ['nothing', ''],
    ['zero', 0],
  ])('that is %s is ignored: no message is swallowed', async (_, claim) => {
    expect(await shown(box(claim))).toEqual([sized('a', 'text\n', claim), message('b'), message('c')]);
  });

  it('is ignored where it ends within a line', async () => {
    const before = `x\n\n${USUAL}${message('quoted')}see `;
    const text = `${before}${USUAL}Content-Length: 1\n\ny\n`;
    const [first, ...rest] = await shown(`${USUAL}${sized('a', text, before.length)}`);
    expect(first).toBe(sized('a', 'x\n', before.length));
    expect(rest).toEqual([`${message('quoted')}see ${USUAL}Content-Length: 1\n\ny\n`]);
  });

  it('of more than 25 MB causes no reading ahead', async () => {
    const start = `${USUAL}${sized('a', 't\n', 30_000_000)}\n${USUAL}${message('b')}`;
    let given = 0;
    const source: ArchiveSource = {
      size: 40_000_000,
      file_name: 'box',
      async *read(from, end) {
        yield Buffer.from(start).subarray(from, end);
        for (let at = start.length; at < end; at += 100_000) {
          given += 100_000;
          yield Buffer.alloc(100_000, 'x\n');
        }
      },
    };
    for await (const entry of readMessages(source, { offset: 0, ordinal: 0 })) {
      expect(shownEntry(entry)).toContain('Subject: a');
      break;
    }
    expect(given).toBeLessThan(1_000_000);
  });

  it('is a field of the header only', async () => {
    const body = `Content-Length: ${2 + 1 + second}\n\nx\n`;
    expect(
      await shown(`${USUAL}${message('a', body)}\n${USUAL}${message('b')}\n${USUAL}${sized('c', 't\n')}`),
    ).toEqual([message('a', body), message('b'), sized('c', 't\n')]);
  });

  it('reads no more bytes than its source has, whatever it claims', async () => {
    const claims = Array.from(
      { length: 300 },
      (_, index) => `${USUAL}${sized('a', 't\n', 25_000_000 - index)}\n`,
    );
    const data = Buffer.from(claims.join(''));
    let given = 0;
    const source: ArchiveSource = {
      size: data.length,
      file_name: 'box',
      async *read(start, end) {
        for (let at = start; at < end; at += 1000) {
          given += Math.min(1000, end - at);
          yield data.subarray(at, Math.min(at + 1000, end));
        }
      },
    };
    expect(await readAll(source)).toHaveLength(300);
    // Once to detect the kind of file, once to read it.
    expect(given).toBeLessThanOrEqual(2 * data.length);
  });

  it('is not needed to close the source when the reader leaves', async () => {
    const data = Buffer.from(`${USUAL}${message('a')}\n`.repeat(100));
    let open = 0;
    const source: ArchiveSource = {
      size: data.length,
      file_name: 'box',
      async *read(start, end) {
        open++;
        try {
          for (let at = start; at < end; at += 100) yield data.subarray(at, at + 100);
        } finally {
          open--;
        }
      },
    };
    for await (const entry of readMessages(source, { offset: 0, ordinal: 0 })) {
      expect(open).toBe(1);
      if (entry.ordinal === 2) break;
    }
    expect(open).toBe(0);
  });
});

describe('any box', () => {
  const line = fc.constantFrom(
    '',
    '\r',
    'x',
    ...[DATED[0]!, DATED[9]!, SPACED[0]!, ...BARE, ODD[1]!, PROSE[0]!],
    '>From me',
    '\ufeffFrom -',
    'Subject: s',
    'From: a@x',
    'Message-ID: <m@x>',
    'Content-Length: 30',
    'Content-Length: 99',
    ' folded',
    'y'.repeat(1200),
  );

  it('gives the same in pieces of any size, and when it is left and resumed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 25 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 60 }),
        async (lines, bom, step) => {
          const text = `${bom ? '\ufeff' : ''}${lines.join('\n')}`;
          expect(await shown(text, 'a.mbox', step)).toEqual(await shown(text, 'a.mbox', 10_000));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('loses no line: each is in an entry, or separates two', async () => {
    const distinct = (kind: number, index: number) => {
      const date = kind < 3 ? ' Tue Nov 17 21:28:37 2009' : '';
      const envelope = kind < 5 ? [`From ann-${index}@a.example${date}`] : [];
      return [...envelope, `X-${index}: x`, ...(kind > 7 ? [''] : [])];
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(9), { maxLength: 15 }), async (kinds) => {
        const lines = kinds.flatMap(distinct);
        const entries = await readAll(sourceOf(`X-top: x\n${lines.join('\n')}`, 'a.mbox'));
        expect(entries.filter((entry) => 'raw' in entry && entry.raw.length === 0)).toEqual([]);
        const text = entries.map(shownEntry).join('\n');
        const missing = lines.filter((each) => !text.includes(each));
        expect(missing.every((each) => each.startsWith('From '))).toBe(true);
        // Each line outside of entries began one.
        expect(missing).toHaveLength(entries.length - 1);
      }),
      { numRuns: 300 },
    );
  });
});
