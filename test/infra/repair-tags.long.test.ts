import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type Difference, differences, repairCount } from '#shared/domain/collaboration/tags/repair.ts';
import type { Tag } from '#shared/domain/collaboration/tags/tag.ts';
import { keys } from '#shared/table/keys.ts';
import type { Update } from '#shared/table/table.ts';
import { expectConsistent, givenTagged, runCleanUps } from '../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

const script = join(import.meta.dirname, '..', '..', 'infra', 'scripts', 'repair-tags.ts');

describe('npm run repair:tags', { timeout: 120_000 }, () => {
  let workspace: Workspace;
  /** Ids: one with right counters, one with wrong ones, a deleted one, one of another account. */
  let tags: { right: string; wrong: string; deleted: string; foreign: string };

  const create = async (name: string, user: TestUser = workspace.ada) =>
    (await user.api.createTag({ body: { tag: { name } } })).body.tag.id;
  const drift = (account_id: string, id: string, change: Update<Tag>) =>
    workspace.table.update<Tag>(keys.tag(account_id, id), change);

  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    const { account_id, ada, hank } = workspace;
    const [right, wrong, deleted] = [await create('Right'), await create('Wrong'), await create('Deleted')];
    const foreign = await create('Foreign', hank);
    tags = { right, wrong, deleted, foreign };
    await givenTagged(workspace, account_id, [right, wrong, deleted], 3);
    await givenTagged(workspace, account_id, [wrong], 2, 'threads');
    await ada.api.deleteTag({ params: { id: deleted }, body: { replacement_tag_id: right } });
    await drift(account_id, wrong, { add: { thread_count: 7 }, set: { file_count: 7 } });
    await drift(account_id, deleted, { add: { contact_count: -7 } });
    await drift(hank.user.account_id, foreign, { set: { deal_count: 7 } });
  });
  afterAll(() => workspace.stop());

  const run = (...options: string[]) =>
    promisify(execFile)(process.execPath, [script, ...options], {
      env: { ...process.env, DYNAMODB_ENDPOINT: inject('dynamodb_endpoint') },
    }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      (error: { code: number; stderr: string; stdout: string }) => ({
        code: error.code,
        text: error.stdout + error.stderr,
      }),
    );
  async function differ(): Promise<Difference[]> {
    const found: Difference[] = [];
    for await (const each of differences(workspace.table, workspace.account_id)) found.push(each);
    return found;
  }
  const repair = (...options: string[]) => run('--table', workspace.table.name, ...options);

  it('shows each difference, of deleted tags as well, and writes nothing', async () => {
    for (const options of [[], ['--dry-run']]) {
      const { code, text } = await repair('--account', workspace.account_id, ...options);
      expect(text.trim().split('\n').toSorted()).toEqual(
        [
          `account ${workspace.account_id}`,
          `  deleted tag ${tags.deleted}: contact_count is -4, found 3: differs`,
          `  tag ${tags.wrong}: thread_count is 9, found 2: differs`,
          `  tag ${tags.wrong}: file_count is 7, found 0: differs`,
          '3 counters differ.',
        ].toSorted(),
      );
      expect(code).toBe(1);
    }
  });

  it('sets the counters right with --write, of one account only', async () => {
    const { code, text } = await repair('--account', workspace.account_id, '--write');
    expect([code, text.match(/: repaired/g)?.length]).toEqual([0, 3]);
    expect(text).toContain('Every counter is right.');
    await expectConsistent(workspace.table, workspace.account_id);
    const foreign = await workspace.hank.reader.retrieveTag({ params: { id: tags.foreign } });
    expect(foreign.body.tag.deal_count).toBe(7);
    await runCleanUps(workspace);
    expect((await repair('--account', workspace.account_id)).code).toBe(0);
  });

  it('finds every account with --all', async () => {
    expect(await repair('--all')).toMatchObject({
      code: 1,
      text: expect.stringContaining(`tag ${tags.foreign}: deal_count is 7, found 0: differs`),
    });
    expect((await repair('--all', '--write')).code).toBe(0);
    expect(await repair('--all')).toMatchObject({
      code: 0,
      text: expect.stringContaining(`account ${workspace.hank.user.account_id}`),
    });
  });

  it('leaves a counter alone that changes meanwhile', async () => {
    const id = await create('Busy');
    await drift(workspace.account_id, id, { set: { thread_count: 7 } });
    const [difference] = await differ();
    expect(difference).toMatchObject({ name: 'thread_count', stored: 7, found: 0, settled: true });
    await drift(workspace.account_id, id, { add: { thread_count: 7 } });
    expect(await repairCount(workspace.table, difference as Difference)).toBe(false);
    const get = workspace.table.get.bind(workspace.table);
    vi.spyOn(workspace.table, 'get').mockImplementation(async (key) => {
      await drift(workspace.account_id, id, { add: { thread_count: 7 } });
      return get(key) as never;
    });
    const moving = await differ();
    vi.restoreAllMocks();
    expect(moving).toMatchObject([{ name: 'thread_count', settled: false }]);
    expect((await repair('--account', workspace.account_id, '--write')).code).toBe(0);
  });

  it('reports errors', async () => {
    const wrong: [string[], string][] = [
      [[], 'Give either --stage or --table.'],
      [['--stage', 'dev', '--table', 'x', '--all'], 'Give either --stage or --table.'],
      [['--table', 'x'], 'Give either --account or --all.'],
      [['--table', 'x', '--all', '--account', 'y'], 'Give either --account or --all.'],
      [['--table', 'x', '--all', '--write', '--dry-run'], 'Give either --dry-run or --write.'],
      [['--table', workspace.table.name, '--account', 'y'], 'There is no account y.'],
      [
        ['--table', 'no-such-table', '--all'],
        'There is no table for --table no-such-table in this AWS account',
      ],
      [['--stage', 'prod', '--all'], 'There is no table for stage prod in this AWS account'],
      [['--stage', 'prdo', '--all'], 'Unknown stage "prdo": did you mean prod?'],
      [['--stge', 'prod'], "Unknown option '--stge': did you mean --stage?"],
      [['--table', 'x', '--all', 'write'], 'Unexpected "write": npm run repair:tags -- --help shows'],
    ];
    for (const [options, text] of wrong) {
      const { code, text: told } = await run(...options);
      expect([code, told, told.split('\n').length]).toEqual([1, expect.stringContaining(text), 2]);
    }
    expect(await run('--help')).toMatchObject({ code: 0, text: expect.stringContaining('--stage') });
  });
});
