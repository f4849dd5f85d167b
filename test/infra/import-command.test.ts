import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveOf } from '../../infra/scripts/import-mail/archive-of.ts';
import { readImportOptions } from '../../infra/scripts/import-mail/options.ts';
import { isWhole, Progress, reportOf } from '../../infra/scripts/import-mail/progress.ts';
import { toMbox } from '../../infra/scripts/mbox-writer.ts';
import { eml } from '../support/mail.ts';

describe('npm run import', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'import-command-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  describe('its options', () => {
    const read = (args: string[], env = {}) => readImportOptions(args, env);

    it.each<[string[], RegExp]>([
      [['--key', 'k', 'x.mbox'], /^--mailbox <id> is missing/],
      [
        ['--mailbox', 'm', 'x.mbox'],
        /^--key <api key> is missing; the environment variable WORKSPACE_API_KEY/,
      ],
      [['--mailbox', 'm', '--key', 'k'], /^The file or folder to import is missing/],
      [['--mailbox', 'm', '--key', 'k', 'a', 'b'], /^One file or folder at a time: a, b/],
      [['--mailbox', 'm', '--key', 'k', 'a', '--follow', 'i'], /^Give either a file or --follow/],
      [['--mailbxo', 'm'], /^Unknown option '--mailbxo': did you mean --mailbox\?/],
    ])('%j', (args, message) => {
      expect(() => read(args)).toThrow(message);
    });

    it('takes the key from the environment, and an import to follow in place of a file', () => {
      const env = { WORKSPACE_API_KEY: 'from-env' };
      const url = ['--url', 'http://127.0.0.1:1'];
      expect(read(['--mailbox', 'm', ...url, '--follow', 'i'], env)).toEqual({
        ...{ mailbox_id: 'm', key: 'from-env', base_url: 'http://127.0.0.1:1' },
        source: { follow: 'i' },
      });
      for (const args of [
        ['--mailbox', 'm', ...url, '--follow'],
        ['--follow', '--mailbox', 'm', ...url],
      ])
        expect(read(args, env)).toMatchObject({ mailbox_id: 'm', source: { follow: 'newest' } });
      expect(read(['--mailbox', 'm', '--key', 'given', ...url, 'a'], env)).toMatchObject({
        key: 'given',
        source: { path: 'a' },
      });
      expect(read(['--help'])).toBeUndefined();
    });
  });

  describe('what it uploads', () => {
    const bytesOf = async (path: string) => {
      const { bytes } = await archiveOf(path, await mkdtemp(join(folder, 'scratch-')));
      if (Buffer.isBuffer(bytes)) return bytes;
      const whole = Buffer.from(await new Response(bytes.stream()).arrayBuffer());
      expect(whole.length).toBe(bytes.size);
      return whole;
    };

    it('is one mbox for a folder with .mbox and .eml files at any depth, as Gmail Takeout has them', async () => {
      const takeout = join(folder, 'Takeout', 'Mail', 'Labels');
      await mkdir(takeout, { recursive: true });
      const [one, two, three] = [1, 2, 3].map((i) => eml({ id: `${i}@x`, subject: `Mail ${i}` }));
      // Without a line end at its end, as some programs leave it.
      await writeFile(
        join(takeout, 'Work.mbox'),
        toMbox([one as Buffer])
          .toString()
          .trimEnd(),
      );
      await writeFile(join(folder, 'Takeout', 'Mail', 'All.MBOX'), toMbox([two as Buffer]));
      await writeFile(join(folder, 'Takeout', 'one.eml'), three as Buffer);
      await writeFile(join(folder, 'Takeout', 'archive_browser.html'), 'no mail');
      const text = (await bytesOf(join(folder, 'Takeout'))).toString();
      expect(text.match(/^From /gm)).toHaveLength(3);
      for (const i of [1, 2, 3]) expect(text).toContain(`Subject: Mail ${i}`);
      expect(text).not.toContain('no mail');
    });

    it('is the file as it is', async () => {
      await writeFile(join(folder, 'some.mbox'), toMbox([eml({ id: 'a@x' })]));
      expect(await bytesOf(join(folder, 'some.mbox'))).toEqual(await readFile(join(folder, 'some.mbox')));
    });

    it.each([
      ['mail.pst', /readpst/],
      ['mail.OST', /readpst/],
      ['mail.olm', /Finder/],
      ['mail.msg', /msgconvert/],
      ['takeout-1.tgz', /tar -xzf/],
    ])('is nothing for %s, with the way out', async (name, message) => {
      await writeFile(join(folder, name), 'x');
      await expect(archiveOf(join(folder, name), folder)).rejects.toThrow(message);
    });

    it('is nothing for an empty folder, or what does not exist', async () => {
      await mkdir(join(folder, 'empty'));
      await expect(archiveOf(join(folder, 'empty'), folder)).rejects.toThrow(/has no .mbox or .eml files/);
      await expect(archiveOf(join(folder, 'nowhere'), folder)).rejects.toThrow(/There is no file or folder/);
    });
  });

  it('shows progress with the rate and the time left', () => {
    let now = 0;
    const progress = new Progress(() => now);
    const at = (seconds: number, done: number, total: number | null) => {
      now = seconds * 1_000;
      return progress.line({
        ...{ id: 'i', status: 'running', messages_total: total, failures: [] },
        ...{ messages_imported: done, messages_skipped: 0, messages_failed: 0 },
      });
    };
    expect(at(0, 0, null)).toBe(`[${'.'.repeat(30)}] 0/? running`);
    expect(at(2, 100, 1_000)).toBe(
      `[${'#'.repeat(3)}${'.'.repeat(27)}] 100/1000 running 50 a second 18 s left`,
    );
    expect(at(100, 200, 30_000)).toContain('2.0 a second 4 h 9 min left');
    expect(at(101, 30_000, 30_000)).toMatch(/a second$/);
  });

  it('names the failed messages at its end, with their files where an archive has several', () => {
    const failed = { reason: 'unreadable' as const, message: 'It has no header.' };
    const failures = [null, 'Takeout/Work.mbox'].map((name, ordinal) => ({ ordinal, name, ...failed }));
    const counts = { id: 'i', messages_total: 2, messages_imported: 0, messages_skipped: 0 };
    expect(
      reportOf({ ...counts, status: 'complete', messages_failed: 2, failures })
        .split('\n')
        .slice(1),
    ).toEqual([
      '  message 1: unreadable: It has no header.',
      '  message 2 Takeout/Work.mbox: unreadable: It has no header.',
    ]);
  });

  it('is whole only when nothing failed', () => {
    const counts = { id: 'i', messages_total: 1, messages_imported: 1, messages_skipped: 0, failures: [] };
    expect(isWhole({ ...counts, status: 'complete', messages_failed: 0 })).toBe(true);
    expect(isWhole({ ...counts, status: 'complete', messages_failed: 1 })).toBe(false);
    expect(isWhole({ ...counts, status: 'failed', messages_failed: 0 })).toBe(false);
  });
});
