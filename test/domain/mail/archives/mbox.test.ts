import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ArchiveSource, countMessages } from '#shared/domain/mail/archives/archive.ts';
import { longIt, reduced } from '../../../support/long.ts';
import { readAll, shownEntry, sourceOf } from './archive-source.ts';

const ENVELOPE = 'From ann@a.example Tue Nov 17 21:28:37 2009\n';
const message = (name: string, body = 'text\n') => `Subject: ${name}\n\n${body}`;

async function shown(text: string | Uint8Array, name = 'mail', step = 64) {
  return (await readAll(sourceOf(text, name, step))).map(shownEntry);
}

describe('what a file is', () => {
  longIt.each([
    ['an mbox', `${ENVELOPE}${message('a')}\n${ENVELOPE}${message('b')}`, [message('a'), message('b')]],
    ['a single message', message('a'), [message('a')]],
    ['a message with a BOM', `\ufeff${message('a')}`, [`\u00ef\u00bb\u00bf${message('a')}`]],
    ['an mbox behind a BOM and blank lines', `\ufeff\r\n\n${ENVELOPE}${message('a')}`, [message('a')]],
    [
      'a message that mentions an envelope',
      message('a', `x\n\n${ENVELOPE}y\n`),
      [message('a', `x\n\n${ENVELOPE}y\n`)],
    ],
    ['neither', 'just some text\n', ['[not_a_message]']],
    ['an empty file', '', []],
    ['blank lines only', '\n\r\n\n', []],
    ['a message that begins like a zip', 'PK-Key: a\n\ntext\n', ['PK-Key: a\n\ntext\n']],
    ['binary data', '\x7fELF\x02\x01\x01\x00', ['[not_a_message]']],
  ])('%s', async (_, text, entries) => {
    expect(await shown(text)).toEqual(entries);
    expect(await countMessages(sourceOf(text))).toBe(entries.length);
  });

  it('treats a file without first envelope as an mbox when its name ends in .mbox', async () => {
    const text = `${message('a')}\n${ENVELOPE}${message('b')}`;
    expect(await shown(text, 'all.mbox')).toEqual([message('a'), message('b')]);
    expect(await shown(text, 'all.eml')).toEqual([text]);
  });
});

describe('envelope lines', () => {
  it.each([
    'From ann@a.example Tue Nov 17 21:28:37 2009',
    'From ann@a.example  Tue Nov  7 21:28 2009',
    'From - Tue Nov 17 21:28:37 2009',
    'From MAILER-DAEMON Tue Nov 17 21:28:37 2009',
    'From ann at a.example  Tue Nov 17 21:28:37 2009',
    'From 1655@xxx Tue Nov 17 21:28:37 +0000 2009',
    'From ann@a.example Tue Nov 17 21:28:37 GMT 2009',
    'From ann@a.example Tue Nov 17 21:28:37 2009 +0600',
    'From ann@a.example Tue, 17 Nov 2009 21:28:37 +0600',
    'From ann@a.example Tue, 17 Nov 2009 21:28:37 +0600 (CET)',
    'From uucp Tue Nov 17 21:28:37 2009 remote from host',
    'From ann@a.example Tue Nov 17 21:28:37 2009\r',
  ])('%s parts messages', async (line) => {
    expect(await shown(`${ENVELOPE}${message('a')}\n${line}\n${message('b')}`)).toEqual([
      message('a'),
      message('b'),
    ]);
  });

  it.each([
    'From now on we meet at ten.',
    'From Tuesday on, Nov 17 2009, 21:28:37.',
    'From what I saw on Tue Nov 17 21:28:37 2009 it works',
    'From ann@a.example Tue Nov 17 21:28:37 2009 it was clear',
    'From ann@a.example',
    'From: Tue Nov 17 21:28:37 2009',
    'from ann@a.example Tue Nov 17 21:28:37 2009',
    ' From ann@a.example Tue Nov 17 21:28:37 2009',
    `From ${'a'.repeat(1000)} Tue Nov 17 21:28:37 2009`,
  ])('%s is text', async (line) => {
    const text = message('a', `x\n\n${line}\ny\n`);
    for (const step of [64, 5000]) expect(await shown(`${ENVELOPE}${text}`, 'mail', step)).toEqual([text]);
  });

  it('are not prefixes of longer lines, wherever a chunk of the file ends', async () => {
    const line = `From ${'a'.repeat(970)} Tue Nov 17 21:28:37 2009`;
    const text = message('a', `x\n\n${line} or so\ny\n`);
    expect(line).toHaveLength(1000);
    expect(await shown(`${ENVELOPE}${text}`, 'mail', 1)).toEqual([text]);
  });

  it.each(['x', 'y'.repeat(1200)])('count only after a blank line, not after %s', async (line) => {
    const text = message('a', `${line}\n${ENVELOPE}y\n`);
    expect(await shown(`${ENVELOPE}${text}`)).toEqual([text]);
  });
});

describe('the messages', () => {
  it('lose one > of escaped lines (mboxrd), and only of those', async () => {
    const body = '>From here\n>>From there\n>from\n> From\n>From\nx >From y\n';
    const read = 'From here\n>From there\n>from\n> From\n>From\nx >From y\n';
    expect(await shown(`${ENVELOPE}${message('a', body)}`)).toEqual([message('a', read)]);
  });

  it('keep CRLF', async () => {
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');
    expect(await shown(crlf(`${ENVELOPE}${message('a')}\n${ENVELOPE}${message('b')}\n`))).toEqual([
      crlf(message('a')),
      crlf(message('b')),
    ]);
  });

  it('keep their last line without line break', async () => {
    expect(await shown(`${ENVELOPE}Subject: a\n\nend`)).toEqual(['Subject: a\n\nend']);
  });

  it('are failures without a header, and none is dropped', async () => {
    const text = `garbage\n\n${ENVELOPE}no header here\n\n${ENVELOPE}\n${ENVELOPE}${message('a')}\n${ENVELOPE}`;
    const failed = '[not_a_message]';
    expect(await shown(text)).toEqual([failed, failed, failed, message('a'), failed]);
    expect(await countMessages(sourceOf(text))).toBe(5);
  });

  longIt('over 25 MB are failures, others around them are read', async () => {
    const big = message('b', 'x'.repeat(79).concat('\n').repeat(330_000));
    const text = `${ENVELOPE}${message('a')}\n${ENVELOPE}${big}\n${ENVELOPE}${message('c')}`;
    expect(await shown(text, 'mail', 65536)).toEqual([message('a'), '[too_large]', message('c')]);
  });

  it('alone in a file are read up to exactly 25 MB', async () => {
    for (const [extra, entry] of [
      [0, { raw: expect.any(Uint8Array) }],
      [1, { failure: expect.objectContaining({ reason: 'too_large' }) }],
    ] as const) {
      const bytes = Buffer.alloc(25 * 1024 * 1024 + extra, message('a'));
      const entries = await readAll(sourceOf(bytes, 'a.eml', bytes.length));
      expect(entries).toEqual([expect.objectContaining(entry)]);
    }
  });

  longIt('of exactly 25 MB are read, one byte more is not', async () => {
    const head = 'Subject: a\n\n';
    const body = 'x'.repeat(25 * 1024 * 1024 - head.length - 1);
    const [fits] = await readAll(sourceOf(`${ENVELOPE}${head}${body}\n\n`, 'mail', 1_000_000));
    expect('raw' in fits! && fits.raw.length).toBe(25 * 1024 * 1024);
    expect(await shown(`${ENVELOPE}${head}${body}x\n\n`, 'mail', 1_000_000)).toEqual(['[too_large]']);
    expect(await shown(`${head}${body}\n`, 'a.eml', 1_000_000)).toEqual([`${head}${body}\n`]);
    expect(await shown(`${head}${body}x\n`, 'a.eml', 1_000_000)).toEqual(['[too_large]']);
  });

  it('stream in constant memory: 400 MB without a line break, then a message', async () => {
    const piece = new Uint8Array(4_000_000).fill(120);
    const source: ArchiveSource = {
      size: 400_000_000,
      file_name: 'big.mbox',
      async *read(_, end) {
        if (end < 1_000_000) return yield Buffer.from(`${ENVELOPE}Subject: big\n\n`);
        yield Buffer.from(`${ENVELOPE}Subject: big\n\n`);
        for (let i = 0; i < 100; i++) yield piece;
        yield Buffer.from(`\n\n${ENVELOPE}${message('small')}`);
      },
    };
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const entries: string[] = [];
    for await (const entry of (await import('#shared/domain/mail/archives/archive.ts')).readMessages(source, {
      offset: 0,
      ordinal: 0,
    })) {
      entries.push(shownEntry(entry));
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    expect(entries).toEqual(['[too_large]', message('small')]);
    expect(most).toBeLessThan(100_000_000);
  });
});

describe('any mbox', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      'x',
      ENVELOPE.trimEnd(),
      'From me',
      '>From me',
      '>>From me',
      'A: b',
      ' ',
      '\r',
      `${'y'.repeat(1200)}`,
    ),
    fc.string().map((text) => text.replace(/[^\x20-\x7e]/g, '')),
  );
  const body = fc.array(line, { maxLength: 8 }).map((lines) => lines.map((text) => `${text}\n`).join(''));
  const messages = fc.array(
    body.map((text) => `Subject: s\n\n${text}`),
    { minLength: 1, maxLength: 6 },
  );
  const escaped = (text: string) => text.replace(/^(>*From )/gm, '>$1');

  it('written as mboxrd is read back byte for byte, in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(messages, fc.integer({ min: 1, max: 50 }), async (texts, step) => {
        const mbox = texts.map((text) => `${ENVELOPE}${escaped(text)}\n`).join('');
        expect(await shown(mbox, 'mail', step)).toEqual(texts);
        expect(await countMessages(sourceOf(mbox, 'mail', step))).toBe(texts.length);
      }),
      { numRuns: reduced(200) },
    );
  });

  it('of any lines can be left and resumed behind every entry', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
        const source = sourceOf(lines.join('\n'), 'a.mbox', 7);
        const all = await readAll(source);
        expect(all.map((entry) => entry.ordinal)).toEqual(all.map((_, index) => index));
        expect(await countMessages(source)).toBe(all.length);
        for (const [index, entry] of all.entries()) {
          const position = JSON.parse(JSON.stringify(entry.next));
          expect(await readAll(source, position)).toEqual(all.slice(index + 1));
        }
      }),
      { numRuns: reduced(300) },
    );
  });
});
