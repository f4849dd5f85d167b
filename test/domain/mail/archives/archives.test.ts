import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countMessages } from '#shared/domain/mail/archives/archive.ts';
import { MailError, parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { dialects, madeArchive } from '../../../support/archives.ts';
import { Dice } from '../../../support/dice.ts';
import { longIt, reduced } from '../../../support/long.ts';
import { readAll, shownEntry, sourceOf } from './archive-source.ts';

/** Line breaks at the end are the archive's as much as the message's. */
const shown = (text: string) => text.replace(/(?:\r?\n)+$/, '');

longIt('50 random archives give back everything that was put in, and all good mail unchanged', async () => {
  let run = 0;
  const forms = Object.keys(dialects).length + 3;
  expect(forms).toBeLessThan(50);
  await fc.assert(
    fc.asyncProperty(fc.noShrink(fc.integer()), fc.constantFrom(100, 4096, 65_536), async (seed, step) => {
      const { bytes, file_name, items } = await madeArchive(new Dice(seed), run++);
      const source = sourceOf(bytes, file_name, bytes.length > 1_000_000 ? 65_536 : step);
      const entries = await readAll(source);
      expect(entries).toHaveLength(items.length);
      expect(await countMessages(source)).toBe(items.length);
      for (const [index, item] of items.entries()) {
        if (item.kind === 'bad') continue;
        const entry = entries[index]!;
        expect('raw' in entry && shown(Buffer.from(entry.raw).toString('latin1'))).toBe(shown(item.text));
      }
      const middle = entries[Math.floor(entries.length / 2)]!;
      const rest = (await readAll(source, middle.next)).map(shownEntry);
      expect(rest).toEqual(entries.slice(middle.ordinal + 1).map(shownEntry));
    }),
    { numRuns: reduced(50) },
  );
});

it('malformed messages in them are read or refused, and never throw', async () => {
  const forms = Object.keys(dialects).length;
  const reasons = new Set<string>();
  for (const run of [0, forms - 1, forms, forms + 1, forms + 2]) {
    const { bytes, file_name } = await madeArchive(new Dice(run), run);
    for (const entry of await readAll(sourceOf(bytes, file_name, 65_536))) {
      if ('failure' in entry) reasons.add(entry.failure.reason);
      else {
        const read = await parseMessage(entry.raw, entry).catch((error) => error);
        if (read instanceof MailError) reasons.add(read.reason);
        else expect(read).toHaveProperty('rfc_id');
      }
    }
  }
  expect([...reasons].sort()).toEqual(expect.arrayContaining(['not_a_message', 'unsupported_file']));
});

it.each([
  ['Mail.PST', '!BDN binary', "Outlook's .pst files cannot be read: readpst -e -o <folder> <file>"],
  ['mail.tgz', '\x1f\x8b\b', 'A .tgz cannot be read: unpack it with tar -xzf'],
])('of %s it is said what to do, once', async (file_name, bytes, way) => {
  const source = sourceOf(bytes, file_name);
  const entries = await readAll(source);
  expect(entries).toMatchObject([
    { name: file_name, failure: { reason: 'unsupported_file', message: expect.stringContaining(way) } },
  ]);
  expect(await countMessages(source)).toBe(1);
  expect(await readAll(source, entries[0]?.next)).toEqual([]);
});

it('mail is read whatever its file is called', async () => {
  const mail = 'Subject: Hello\n\nYes\n';
  expect((await readAll(sourceOf(mail, 'a.msg'))).map(shownEntry)).toEqual([mail]);
  expect(
    (await readAll(sourceOf(`From a@x Thu Jan  1 00:00:00 2026\n${mail}`, 'a.pst'))).map(shownEntry),
  ).toEqual([mail]);
});
