import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { damageSums, dashboardOf } from '../support/dashboard.ts';
import { givenDeal } from '../support/deals.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

const script = join(import.meta.dirname, '..', '..', 'infra', 'scripts', 'repair-lists.ts');

describe('npm run repair:lists', { timeout: 120_000 }, () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());

  const repair = (...options: string[]) =>
    promisify(execFile)(
      process.execPath,
      [script, '--table', workspace.table.name, '--account', workspace.account_id, ...options],
      { env: { ...process.env, DYNAMODB_ENDPOINT: inject('dynamodb_endpoint') } },
    ).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      (error: { code: number; stdout: string }) => ({ code: error.code, text: error.stdout }),
    );

  it('shows what differs, and repairs it with --write', async () => {
    const { ada } = workspace;
    await givenDeal(ada, { amount: 12.5 });
    await givenDeal(ada, { amount: 20.5, visibility: 'private' });
    const right = (await dashboardOf(ada)).deals;
    expect(await repair()).toMatchObject({ code: 0 });
    await damageSums(workspace, ada);
    const wrong = (await dashboardOf(ada)).deals;
    expect(wrong).not.toEqual(right);
    const found = await repair();
    expect([found.code, found.text.match(/: differs/g)?.length]).toEqual([1, 6]);
    expect((await dashboardOf(ada)).deals).toEqual(wrong);
    const repaired = await repair('--write');
    expect([repaired.code, repaired.text.match(/: repaired/g)?.length]).toEqual([0, 6]);
    expect((await dashboardOf(ada)).deals).toEqual(right);
  });
});
