import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toMbox } from '../../infra/scripts/mbox-writer.ts';
import { zipOf } from '../domain/mail/archives/archive-source.ts';
import { calendarFile, vevent } from '../support/ics.ts';
import { eml, givenMailbox } from '../support/mail.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

describe('npm run import as a command', () => {
  let folder: string;
  let workspace: Workspace;
  let mailbox: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'import-command-'));
    workspace = await startWorkspace({ mail: true });
    mailbox = await givenMailbox(workspace, workspace.ada);
  });
  afterAll(() => Promise.all([workspace.stop(), rm(folder, { recursive: true, force: true })]));

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
      /^The API refused: 404 record_not_found: There is no such record[^{}]*$/,
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
