import { DynamoDBClient, paginateListTables } from '@aws-sdk/client-dynamodb';
import { describe, expect, inject, it } from 'vitest';
import { enqueue, newJob } from '#shared/domain/platform/jobs/job.ts';
import { clientOptions } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import config from '../../vitest.config.ts';
import { openJobs } from '../support/jobs.ts';
import { startWorkspace } from '../support/workspace.ts';

describe('the table that test files share', () => {
  it('is created once for each worker, keeps items and not jobs, and gives each workspace its own accounts', async () => {
    const first = await startWorkspace();
    await first.table.transact([enqueue(newJob('clean-up-tag', {}, new Date()))]);
    await first.stop();
    const second = await startWorkspace();
    expect(second.table.name).toBe(first.table.name);
    const client = new DynamoDBClient(clientOptions(inject('dynamodb_endpoint')));
    const names: string[] = [];
    for await (const { TableNames = [] } of paginateListTables({ client }, {})) names.push(...TableNames);
    client.destroy();
    const shared = names.filter((name) => name.startsWith(`${inject('run')}-worker-`));
    expect(shared).toContain(second.table.name);
    expect(shared.length).toBeLessThanOrEqual(config.test?.maxWorkers as number);
    expect(await second.table.get(keys.account(first.account_id))).toBeDefined();
    expect(await openJobs(second.table)).toEqual([]);
    const ids = [first, second].flatMap(({ account_id, hank }) => [account_id, hank.user.account_id]);
    expect(new Set(ids).size).toBe(4);
    await second.stop();
  });

  it('is not used by a workspace with a table of its own', async () => {
    const shared = await startWorkspace();
    await shared.stop();
    const own = await startWorkspace({ own_table: true });
    expect(own.table.name).not.toBe(shared.table.name);
    expect(await own.table.get(keys.account(shared.account_id))).toBeUndefined();
    await own.stop();
  });
});
