import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archiveOf } from '../../infra/scripts/import-mail/archive-of.ts';
import { readImportOptions } from '../../infra/scripts/import-mail/options.ts';
import { isWhole, Progress } from '../../infra/scripts/import-mail/progress.ts';
import { toMbox } from '../../infra/scripts/mbox-writer.ts';
import { zipOf } from '../domain/mail/archives/archive-source.ts';
import { calendarFile, vevent } from '../support/ics.ts';
import { eml, givenMailbox } from '../support/mail.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

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

  it('is whole only when nothing failed', () => {
    const counts = { id: 'i', messages_total: 1, messages_imported: 1, messages_skipped: 0, failures: [] };
    expect(isWhole({ ...counts, status: 'complete', messages_failed: 0 })).toBe(true);
    expect(isWhole({ ...counts, status: 'complete', messages_failed: 1 })).toBe(false);
    expect(isWhole({ ...counts, status: 'failed', messages_failed: 0 })).toBe(false);
  });

  describe('as a command', () => {
    let workspace: Workspace;
    let mailbox: string;
    beforeAll(async () => {
      workspace = await startWorkspace({ mail: true });
      mailbox = await givenMailbox(workspace, workspace.ada);
    });
    afterAll(() => workspace.stop());

    const run = (args: string[], env = {}) =>
      new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        const script = join(import.meta.dirname, '../../infra/scripts/import-mail.ts');
        const options = { env: { ...process.env, ...env } };
        execFile(process.execPath, [script, ...args], options, (error, stdout, stderr) =>
          resolve({ code: (error?.code as number | undefined) ?? 0, stdout, stderr }),
        );
      });

    it('names the import at once, and ends with 1 when a message failed; it can be followed afterwards', async () => {
      const file = join(folder, 'mixed.mbox');
      await writeFile(
        file,
        Buffer.concat([
          toMbox([eml({ id: 'ok@x' })]),
          Buffer.from('From a@x Mon Nov  2 10:00:00 2026\nno header\n\n'),
        ]),
      );
      const common = ['--mailbox', mailbox, '--url', workspace.url];
      const env = { WORKSPACE_API_KEY: workspace.ada.write_key };
      const first = await run([...common, file], env);
      expect(first.stdout).toContain('complete: 2 messages, 1 imported, 0 skipped (already there), 1 failed');
      expect(first.code).toBe(1);
      const id = /^import ([0-9a-f-]{36})$/m.exec(first.stderr)?.[1] as string;
      const again = await run([...common, '--follow', id], env);
      expect(again).toMatchObject({ code: 1, stdout: first.stdout });
      expect(await run([...common, '--follow'], env)).toMatchObject(again);
    });

    it('tries a table with its columns, stores it with --apply, and ends with 1 when a row failed', async () => {
      const file = join(folder, 'people.csv');
      await writeFile(file, 'Name,E-mail,Shoe size\nAda,ada@table.example,37\nBad,none,\n');
      const common = ['--url', workspace.url, '--key', workspace.ada.write_key, file];
      const tried = await run(common);
      expect(tried.stdout.split('\n').map((line) => line.trim())).toEqual([
        'Name -> name',
        'E-mail -> email_addresses',
        'Shoe size -> (left out)',
        'tried, complete: 2 rows, 1 created, 0 updated, 0 unchanged, 1 failed',
        'row 2: invalid_request: email_addresses.0.email_address must be an email address',
        'Nothing was stored: --apply stores the records.',
        '',
      ]);
      expect(tried.code).toBe(1);
      await writeFile(file, 'Name,E-mail\nAda,ada@table.example\n');
      const applied = await run(['--apply', ...common]);
      expect(applied.stdout).toContain('complete: 1 rows, 1 created, 0 updated, 0 unchanged, 0 failed');
      expect(applied.code).toBe(0);
      const wrong = await run(['--type', 'ships', ...common]);
      expect([wrong.code, wrong.stderr.trim()]).toEqual([
        2,
        '--type is one of contacts, organizations, deals, tasks, not ships',
      ]);
    });

    it('imports a calendar into the one that is named', async () => {
      const file = join(folder, 'a.ics');
      await writeFile(file, calendarFile([vevent('command')]));
      const common = ['--apply', '--url', workspace.url, '--key', workspace.ada.write_key, file];
      const { records } = (await workspace.ada.api.listCalendars()).body.collection;
      const done = await run(['--calendar', `${records[0]?.id}`, ...common]);
      expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('1 rows, 1 created')]);
      const wrong = await run(common);
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--calendar <id> is missing')]);
    });

    it('has no newest import to follow in an empty mailbox', async () => {
      const empty = await givenMailbox(workspace, workspace.ada);
      const args = ['--mailbox', empty, '--url', workspace.url, '--key', workspace.ada.write_key, '--follow'];
      const { code, stderr } = await run(args);
      expect([code, stderr.trim()]).toEqual([2, `Nothing was imported into the mailbox ${empty} yet`]);
    });

    it('imports a Takeout as it was downloaded, and names its encrypted file', async () => {
      const file = join(folder, 'takeout.zip');
      await writeFile(
        file,
        zipOf([
          { name: 'Takeout/archive_browser.html', content: 'x' },
          { name: 'Takeout/Mail/All mail.mbox', content: toMbox([eml({ id: 'z1@x' }), eml({ id: 'z2@x' })]) },
          { name: 'Takeout/Mail/Secret.mbox', content: 'x', flags: 0x801 },
        ]),
      );
      const args = ['--mailbox', mailbox, '--url', workspace.url, '--key', workspace.ada.write_key, file];
      const { code, stdout } = await run(args);
      expect(stdout).toContain('complete: 3 messages, 2 imported, 0 skipped (already there), 1 failed');
      expect(stdout).toContain('message 3 Takeout/Mail/Secret.mbox: encrypted: The file is encrypted.');
      expect(code).toBe(1);
    });

    it.each<[string, string[], RegExp]>([
      [
        'an unknown mailbox',
        ['--mailbox', '0198c0de-0000-7000-8000-00000000abcd', 'FILE'],
        /^The API refused: 404 record_not_found: There is no such record/,
      ],
      [
        'no API',
        ['--mailbox', 'm', '--url', 'http://127.0.0.1:9', 'FILE'],
        /No API responds at http:\/\/127.0.0.1:9/,
      ],
    ])('%s is one line', async (_, args, message) => {
      const file = join(folder, 'one.mbox');
      await writeFile(file, toMbox([eml({ id: 'b@x' })]));
      const given = args.map((each) => (each === 'FILE' ? file : each));
      const url = args.includes('--url') ? [] : ['--url', workspace.url];
      const { code, stderr, stdout } = await run([...given, ...url, '--key', workspace.ada.write_key]);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr.trim()).toMatch(message);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    });
  });
});
