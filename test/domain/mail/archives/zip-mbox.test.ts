import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ArchiveSource, countMessages, readMessages } from '#shared/domain/mail/archives/archive.ts';
import { longIt, reduced } from '../../../support/long.ts';
import { readAll, shownEntry, sourceOf, type ZipFileSpec, zipOf } from './archive-source.ts';

const mail = (name: string) => `Subject: ${name}\n\ntext of ${name}\n`;
const mboxOf = (names: string[]) =>
  names.map((name) => `From a@x Mon Nov  2 10:00:00 2026\n${mail(name)}\n`).join('');

/** What a zip with these files gives; it can be left and continued behind every entry. */
async function read(files: ZipFileSpec[], step = 1000) {
  const source = sourceOf(zipOf(files), 'mail.zip', step);
  const entries = await readAll(source);
  expect(await countMessages(source)).toBe(entries.length);
  expect(entries.map(({ ordinal }) => ordinal)).toEqual(entries.map((_, i) => i));
  for (const [index, entry] of entries.entries())
    expect(await readAll(source, JSON.parse(JSON.stringify(entry.next)))).toEqual(entries.slice(index + 1));
  return entries.map((entry) => [entry.name, shownEntry(entry)]);
}

describe('an mbox in a zip', () => {
  const all = 'Takeout/Mail/All mail.mbox';

  it.each<[string, Partial<ZipFileSpec>]>([
    ['deflated', {}],
    ['stored', { stored: true }],
    ['with sizes of zip64', { zip64: true }],
  ])('%s gives its messages under its name, between those of other files', async (_, spec) => {
    expect(
      await read([
        { name: 'first.eml', content: mail('first') },
        { name: all, content: mboxOf(['a', 'b']), ...spec },
        { name: 'x/Empty.mbox', content: '' },
        { name: 'x/Sent.MBOX', content: mboxOf(['c']) },
        { name: 'last.eml', content: mail('last') },
      ]),
    ).toEqual([
      ['first.eml', mail('first')],
      [all, mail('a')],
      [all, mail('b')],
      ['x/Sent.MBOX', mail('c')],
      ['last.eml', mail('last')],
    ]);
  });

  it('has the dates of its envelopes, and its failures', async () => {
    const content = `${mboxOf(['a'])}From a@x Mon Nov  2 10:00:00 2026\nno header\n\n`;
    const entries = await readAll(sourceOf(zipOf([{ name: all, content }]), 'a.zip'));
    expect(entries).toMatchObject([
      { envelope_date: '2026-11-02T10:00:00.000Z' },
      { name: all, failure: { reason: 'not_a_message' } },
    ]);
  });

  it('of a Takeout comes without what else is in a Takeout', async () => {
    const others = [
      'Takeout/archive_browser.html',
      'Takeout/Mail/User Settings/Filters.json',
      'Takeout/Drive/a.pdf',
    ];
    const zip = [...others.map((name) => ({ name, content: 'x' })), { name: all, content: mboxOf(['a']) }];
    expect(await read(zip)).toEqual([[all, mail('a')]]);
    expect(await read([{ name: 'Mail/Filters.json', content: 'x' }])).toEqual([
      ['Mail/Filters.json', '[unsupported_file]'],
    ]);
  });

  const content = mboxOf(['a', 'b']);
  it.each<[string, Partial<ZipFileSpec>, string[]]>([
    ['encrypted', { flags: 0x801 }, ['[encrypted]']],
    ['with a wrong checksum', { crc: 1 }, [mail('a'), mail('b'), '[corrupt]']],
    ['with a size that is too large', { size: 5000 }, [mail('a'), mail('b'), '[corrupt]']],
    ['with a size that is too small', { size: 70 }, ['[corrupt]']],
    ['of unknown compression', { method: 99 }, ['[corrupt]']],
    ['that is not deflated', { method: 8, stored: true }, ['[corrupt]']],
    ['that ends early', { packed: deflateRawSync(content).subarray(0, -2) }, [mail('a'), '[corrupt]']],
    ['packed over 200 times', { content: Buffer.alloc(20 * 1024 * 1024) }, ['[bomb]']],
    ['that claims over 10 GB', { zip64: true, size: 10_000_000_001 }, ['[too_large]']],
    [
      'that lies about its size, and is a bomb',
      { packed: deflateRawSync(Buffer.alloc(60 * 1024 * 1024)), size: 200 },
      ['[corrupt]'],
    ],
  ])('%s is reported behind its good messages, and the next file is read', async (_, spec, shown) => {
    expect(
      await read([
        { name: 'bad.mbox', content, ...spec },
        { name: 'good.mbox', content: mboxOf(['c']) },
      ]),
    ).toEqual([...shown.map((each) => ['bad.mbox', each]), ['good.mbox', mail('c')]]);
  });

  longIt('counts for the limit together with the others', async () => {
    const half = { content: 'x', zip64: true, size: 6_000_000_000, packed: Buffer.alloc(30_000_001, 0xff) };
    const entries = await readAll(
      sourceOf(
        zipOf([
          { name: 'a.mbox', ...half },
          { name: 'b.mbox', ...half },
        ]),
        'a.zip',
      ),
    );
    expect(entries.map(shownEntry)).toEqual(['[corrupt]', '[too_large]']);
  });

  it('that overlaps others is not read again', async () => {
    const content = mboxOf(['a', 'b'.repeat(500)]);
    const zip = zipOf([
      { name: 'a.mbox', content, stored: true },
      { name: 'b.mbox', content, stored: true },
    ]);
    const directory = zip.readUInt32LE(zip.length - 6);
    const first = zip.subarray(0, directory / 2);
    const packed = Buffer.concat([first, zip.subarray(directory)]);
    packed.writeUInt32LE(first.length, packed.length - 6);
    packed.writeUInt32LE(0, packed.lastIndexOf('PK\x01\x02', -1, 'latin1') + 42);
    const shown = (await readAll(sourceOf(packed, 'a.zip'))).map(shownEntry);
    expect(shown).toEqual([mail('a'), mail('b'.repeat(500)), '[bomb]']);
  });

  /** Noise keeps its size when it is packed: several slices are unpacked one after the other. */
  const noise = (name: string) =>
    Buffer.concat(
      Array.from({ length: 400 }, (_, i) => createHash('sha256').update(`${name}${i}`).digest()),
    ).toString('base64');

  longIt('with random damage gives the same in every run, however its bytes arrive', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `${i}${noise(String(i))}`);
    const packed = deflateRawSync(Buffer.from(mboxOf(names)));
    const zip = zipOf([
      { name: 'a.mbox', content: mboxOf(names) },
      { name: 'b.mbox', content: mboxOf(['end']) },
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 40, max: packed.length }), fc.integer({ min: 1, max: 255 })), {
          minLength: 1,
          maxLength: 3,
        }),
        async (changes) => {
          const harmed = Buffer.from(zip);
          for (const [at, byte] of changes) harmed[at]! ^= byte;
          const source = (step: number) => sourceOf(harmed, 'a.zip', step);
          const entries = await readAll(source(1_000_000));
          expect(entries.map(shownEntry).slice(-2)).toEqual(['[corrupt]', mail('end')]);
          expect(await readAll(source(777))).toEqual(entries);
          expect(await countMessages(source(5000))).toBe(entries.length);
          const middle = Math.floor(entries.length / 2) - 1;
          if (middle >= 0)
            expect(await readAll(source(999), entries[middle]!.next)).toEqual(entries.slice(middle + 1));
        },
      ),
      { numRuns: reduced(60) },
    );
  });

  longIt('larger than 32 MB is read in one stream, which ends when its reader leaves', async () => {
    const text = `${'y'.repeat(1023)}\n`.repeat(1024);
    const content = Buffer.from(mboxOf(Array.from({ length: 40 }, (_, i) => `${i}\n\n${text}`)));
    const plain = sourceOf(zipOf([{ name: 'a.mbox', content, stored: true }]), 'a.zip', 256 * 1024);
    let [open, most] = [0, 0];
    const source: ArchiveSource & { reads: number } = {
      ...plain,
      async *read(start, end) {
        open++;
        most = Math.max(most, open);
        try {
          yield* plain.read(start, end);
        } finally {
          open--;
        }
      },
    };
    expect(await countMessages(source)).toBe(40);
    expect(plain.reads).toBeLessThan(10);
    for await (const _ of readMessages(source, { offset: 0, ordinal: 0 })) break;
    await expect.poll(() => open).toBe(0);
    expect(most).toBeLessThanOrEqual(2);
  });

  longIt('passes on errors of its source as errors', async () => {
    const zip = zipOf([{ name: 'a.mbox', content: Buffer.alloc(40 * 1024 * 1024, 'x\n'), stored: true }]);
    const good = sourceOf(zip, 'a.zip', 1024 * 1024);
    const source: ArchiveSource = {
      ...good,
      async *read(start, end) {
        let left = 3;
        for await (const piece of good.read(start, end)) {
          if (end - start > 10_000_000 && left-- === 0) throw new Error('the network is down');
          yield piece;
        }
      },
    };
    await expect(countMessages(source)).rejects.toThrow('the network is down');
  });
});
