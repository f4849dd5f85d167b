import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ArchiveSource, countMessages } from '#shared/domain/mail/archives/archive.ts';
import { longIt, reduced } from '../../../support/long.ts';
import { readAll, shownEntry, sourceOf, type ZipFileSpec, zipOf } from './archive-source.ts';

const mail = (name: string) => `Subject: ${name}\n\ntext of ${name}\n`;

/** Bytes that do not compress, and their number in a zip. */
const noise = Buffer.concat(
  Array.from({ length: 6250 }, (_, i) => createHash('sha256').update(String(i)).digest()),
);
const some = noise.subarray(0, 6400);
const packed = deflateRawSync(some).length;

async function read(files: ZipFileSpec[]) {
  const source = sourceOf(zipOf(files), 'mail.zip', 1000);
  const entries = await readAll(source);
  expect(await countMessages(source)).toBe(entries.length);
  return entries.map((entry) => [entry.name, shownEntry(entry)]);
}

describe('a zip', () => {
  it('gives its .eml files in order', async () => {
    const files = ['a.eml', 'folder/B.EML', 'c d.eml'].map((name) => ({ name, content: mail(name) }));
    expect(await read([files[0]!, { ...files[1]!, stored: true }, files[2]!])).toEqual(
      files.map(({ name, content }) => [name, content]),
    );
  });

  it('ignores folders and files that systems add to zips', async () => {
    const files = ['folder/', '__MACOSX/._a.eml', '.DS_Store', 'x/.hidden.eml'].map((name) => ({
      name,
      content: '',
    }));
    expect(await read([...files, { name: 'a.eml', content: mail('a') }])).toEqual([['a.eml', mail('a')]]);
  });

  it('reports other files, and reads on', async () => {
    expect(
      await read([
        { name: 'all.pst', content: 'x' },
        { name: 'a.eml', content: mail('a') },
        { name: 'b.eml', content: 'no header' },
      ]),
    ).toEqual([
      ['all.pst', '[unsupported_file]'],
      ['a.eml', mail('a')],
      ['b.eml', '[not_a_message]'],
    ]);
  });

  it('says what to do with files of Outlook', async () => {
    const names = ['Backup/Outlook.PST', 'note.txt'];
    const entries = await readAll(sourceOf(zipOf(names.map((name) => ({ name, content: 'x' }))), 'mail.zip'));
    expect(entries.map((entry) => ('failure' in entry ? entry.failure.message : entry))).toEqual([
      "Outlook's .pst files cannot be read: readpst -e -o <folder> <file> (package pst-utils) makes .eml files of them.",
      'Only .eml and .mbox files are read from a zip.',
    ]);
  });

  longIt.each<[string, Partial<ZipFileSpec>, string]>([
    ['encrypted', { flags: 0x801 }, '[encrypted]'],
    ['a wrong checksum', { crc: 1 }, '[corrupt]'],
    ['a size that is too small', { size: 5 }, '[corrupt]'],
    ['a size that is too large', { size: 5000 }, '[corrupt]'],
    ['an unknown compression', { method: 99 }, '[corrupt]'],
    ['bytes that are not deflated', { method: 8, stored: true }, '[corrupt]'],
    ['over 25 MB', { content: Buffer.alloc(25 * 1024 * 1024 + 1) }, '[too_large]'],
    // These claim it in the directory, and are judged by that alone.
    ['exactly 25 MB', { content: noise, size: 25 * 1024 * 1024 }, '[corrupt]'],
    ['200 times its size', { content: some, size: 200 * packed }, '[corrupt]'],
    ['more than 200 times its size', { content: some, size: 200 * packed + 1 }, '[bomb]'],
    ['a bomb', { content: Buffer.alloc(20 * 1024 * 1024) }, '[bomb]'],
    ['a bomb that lies about its size', { content: Buffer.alloc(60 * 1024 * 1024), size: 1000 }, '[corrupt]'],
  ])('reports a file with %s, and reads on', async (_, spec, shown) => {
    expect(
      await read([
        { name: 'bad.eml', content: mail('bad'), ...spec },
        { name: 'a.eml', content: mail('a') },
      ]),
    ).toEqual([
      ['bad.eml', shown],
      ['a.eml', mail('a')],
    ]);
  });

  it('stops returning files when together they are larger than the zip: they overlap', async () => {
    const zip = zipOf(
      Array.from({ length: 50 }, (_, index) => ({
        name: `${index}.eml`,
        content: mail('a'.repeat(500)),
        stored: true,
      })),
    );
    const listing = zip.readUInt32LE(zip.length - 6);
    for (let at = listing; at < zip.length - 22; at = zip.indexOf('PK\x01\x02', at + 4, 'latin1')) {
      if (at < 0) break;
      zip.writeUInt32LE(0, at + 42);
    }
    const first = zip.subarray(0, zip.readUInt32LE(18) + 30 + 5);
    const packed = Buffer.concat([first, zip.subarray(listing)]);
    packed.writeUInt32LE(first.length, packed.length - 6);
    const entries = (await readAll(sourceOf(packed, 'a.zip', 1000))).map(shownEntry);
    expect(entries).toHaveLength(50);
    expect(entries[0]).toBe(mail('a'.repeat(500)));
    expect(entries.at(-1)).toBe('[bomb]');
  });

  it('shows harmless names as they are', async () => {
    const names = ['../../etc/passwd.eml', 'C:\\temp\\x.eml', 'bad\ud800\u0007.eml'];
    const entries = await read(names.map((name) => ({ name, content: mail('a') })));
    expect(entries.map(([name]) => name)).toEqual(['../../etc/passwd.eml', 'C:/temp/x.eml', 'bad\ufffd.eml']);
  });

  it.each([
    ['cut off', (zip: Buffer) => zip.subarray(0, zip.length - 30)],
    ['only its first bytes', (zip: Buffer) => zip.subarray(0, 10)],
    [
      'with a directory that points nowhere',
      (zip: Buffer) => {
        zip.writeUInt32LE(0xfffffff, zip.length - 6);
        return zip;
      },
    ],
  ])('%s is one failure', async (_, harm) => {
    const source = sourceOf(harm(zipOf([{ name: 'a.eml', content: mail('a') }])), 'a.zip', 100);
    const entries = await readAll(source);
    expect(entries.map(shownEntry)).toEqual(['[broken_archive]']);
    const message = expect.stringMatching(/^The zip file is damaged: .*[^.]\.$/);
    expect(entries[0]).toMatchObject({ failure: { message } });
    expect(await countMessages(source)).toBe(1);
    expect(await readAll(source, entries[0]!.next)).toEqual([]);
  });

  it('damaged in the middle of its directory gives what comes before, and one failure', async () => {
    const zip = zipOf(['a', 'b', 'c'].map((name) => ({ name: `${name}.eml`, content: mail(name) })));
    zip.write('XX', zip.lastIndexOf('PK\x01\x02', -1, 'latin1'), 'latin1');
    const source = sourceOf(zip, 'a.zip', 100);
    const entries = await readAll(source);
    expect(entries.map(shownEntry)).toEqual([mail('a'), mail('b'), '[broken_archive]']);
    for (const [index, entry] of entries.entries()) {
      expect(await readAll(source, entry.next)).toEqual(entries.slice(index + 1));
    }
  });

  it.each([0, 1, 2])('that says it has %i of its three files gives all', async (said) => {
    const zip = zipOf(['a', 'b', 'c'].map((name) => ({ name: `${name}.eml`, content: mail(name) })));
    zip.writeUInt16LE(said, zip.length - 12);
    const source = sourceOf(zip, 'a.zip', 100);
    expect((await readAll(source)).map(shownEntry)).toEqual([mail('a'), mail('b'), mail('c')]);
    expect(await countMessages(source)).toBe(3);
  });

  it('that claims more files than it has gives those, and one failure', async () => {
    const zip = zipOf(['a', 'b'].map((name) => ({ name: `${name}.eml`, content: mail(name) })));
    zip.writeUInt16LE(9, zip.length - 12);
    const source = sourceOf(zip, 'a.zip', 100);
    expect((await readAll(source)).map(shownEntry)).toEqual([mail('a'), mail('b'), '[broken_archive]']);
    expect(await countMessages(source)).toBe(3);
  });

  it('within a zip, a link out of it and a folder named like a mail are counted, and others are read', async () => {
    const inner = zipOf([{ name: 'x.eml', content: mail('x') }]);
    expect(
      await read([
        { name: 'inner.zip', content: inner, stored: true },
        { name: 'inner.eml', content: inner, stored: true },
        { name: '/etc/passwd', content: '../../etc/passwd' },
        { name: 'folder.eml/', content: '' },
        { name: 'folder.eml/a.eml', content: mail('a') },
      ]),
    ).toEqual([
      ['inner.zip', '[unsupported_file]'],
      ['inner.eml', '[not_a_message]'],
      ['/etc/passwd', '[unsupported_file]'],
      ['folder.eml/a.eml', mail('a')],
    ]);
  });

  it('of 20,000 other files is read in blocks, in time for each file alike', async () => {
    const files = Array.from({ length: 20_000 }, (_, i) => ({
      name: `photos/${i}.jpg`,
      content: 'x',
      stored: true,
    }));
    const source = sourceOf(zipOf([...files, { name: 'a.eml', content: mail('a') }]), 'a.zip', 1_000_000);
    const entries = await readAll(source);
    expect(entries).toHaveLength(20_001);
    expect(shownEntry(entries.at(-1)!)).toBe(mail('a'));
    expect(source.reads).toBeLessThan(10);
  });

  it('that is empty has no entries', async () => {
    expect(await readAll(sourceOf(zipOf([]), 'a.zip'))).toEqual([]);
  });

  it('asks its source for large blocks, not for each field', async () => {
    const source = sourceOf(
      zipOf(Array.from({ length: 500 }, (_, i) => ({ name: `${i}.eml`, content: mail('a') }))),
      'a.zip',
      100_000,
    );
    expect(await readAll(source)).toHaveLength(500);
    expect(source.reads).toBeLessThan(10);
  });

  it('keeps the block of its directory while it reads its files', async () => {
    const content = Buffer.concat([Buffer.from(mail('a')), Buffer.alloc(1024 * 1024, 'x')]);
    const source = sourceOf(
      zipOf(Array.from({ length: 10 }, (_, i) => ({ name: `${i}.eml`, content, stored: true }))),
      'a.zip',
      1024 * 1024,
    );
    expect(await readAll(source)).toHaveLength(10);
    // One to detect the kind of file, then each block, and one of them again.
    expect(source.reads).toBeLessThanOrEqual(2 + Math.ceil(source.size / 1024 / 1024));
  });

  it('passes on errors of its source as errors', async () => {
    const zip = zipOf([{ name: 'a.eml', content: mail('a') }]);
    const good = sourceOf(zip, 'a.zip');
    let reads = 0;
    const source: ArchiveSource = {
      ...good,
      read: (start, end) => {
        reads++;
        if (reads > 1) throw new Error('the network is down');
        return good.read(start, end);
      },
    };
    await expect(readAll(source)).rejects.toThrow('the network is down');
  });
});

describe('any zip', () => {
  const file = fc.record({
    name: fc.constantFrom('a.eml', 'b.txt', 'd/', '.x', 'c.eml'),
    content: fc.string(),
    crc: fc.option(fc.constant(7), { nil: undefined }),
  });

  it('can be left and resumed behind every entry', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 6 }), async (files) => {
        const source = sourceOf(zipOf(files), 'a.zip', 1000);
        const all = await readAll(source);
        expect(await countMessages(source)).toBe(all.length);
        for (const [index, entry] of all.entries()) {
          expect(await readAll(source, JSON.parse(JSON.stringify(entry.next)))).toEqual(all.slice(index + 1));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('with random damage never throws and counts what it gives', async () => {
    const zip = zipOf(['a', 'b', 'c'].map((name) => ({ name: `${name}.eml`, content: mail(name) })));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(zip.length - 1), fc.nat(255)), { minLength: 1, maxLength: 5 }),
        async (changes) => {
          const damaged = Buffer.from(zip);
          for (const [at, byte] of changes.filter(([at]) => at > 3)) damaged[at] = byte;
          const source = sourceOf(damaged, 'a.zip', 1000);
          expect(await countMessages(source)).toBe((await readAll(source)).length);
        },
      ),
      { numRuns: reduced(300) },
    );
  });
});
