import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_RECEIVES } from '#shared/queues/queues.ts';
import { handler } from '../../functions/queues/import-records.ts';
import { handler as sweep } from '../../functions/queues/sweep-jobs.ts';
import { createExport, retrieveExport } from '../support/exports.ts';
import { type Death, dieAt, meanwhile, watchCalls } from '../support/faults.ts';
import { createImport, retrieveImport, rowsOf } from '../support/imports.ts';
import { deliverMessages, openJobs, sentTooOften } from '../support/jobs.ts';
import { longIt } from '../support/long.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** With any row in a file, the rows before and after it are read, and the import ends. */
describe('an import with a row that stops it', () => {
  let workspace: Workspace;
  let calls: ReturnType<typeof watchCalls>;
  let death: Death | undefined;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    calls = watchCalls(workspace.table);
  });
  afterEach(() => death?.remove());
  afterAll(async () => {
    calls?.remove();
    await workspace?.stop();
  });

  /** Delivers like SQS, until the message is handled or a dead letter; a run that continues sends another message. */
  async function deliver(): Promise<void> {
    for (let receives = 1; receives <= MAX_RECEIVES; receives++) {
      const [job] = await openJobs(workspace.table, 'import-records');
      if (!job) return;
      const message = { job_id: job.id, ...job.body };
      const { failed } = await deliverMessages(
        handler,
        [message],
        300_000,
        Math.min(receives, MAX_RECEIVES - 1),
      );
      // Rows that were begun beside it end as well.
      await calls.quiet();
      death?.revive();
      if (failed.length === 0) receives = 0;
    }
  }

  const statuses = async (id: string) =>
    (await rowsOf(workspace.ada, id)).map(({ number, status, error }) => [number, error?.code ?? status]);

  longIt(
    'ends although rows end the process each time: these are failures, and all others are read',
    async () => {
      const names = Array.from({ length: 8 }, (_, i) => `Row ${i + 1}.`);
      const bytes = `name\n${names.join('\n')}\n`;
      const { id } = await createImport(workspace.ada, { bytes }, { dry_run: false });
      death = dieAt(workspace.table, 'Row 3.', 'Row 6.');
      await deliver();
      expect(await statuses(id)).toEqual(
        names.map((_, i) => [i + 1, i === 2 || i === 5 ? 'error' : 'created']),
      );
      expect(await retrieveImport(workspace.ada, id)).toMatchObject({
        ...{ status: 'complete', rows_read: 8, rows_created: 6, rows_failed: 2 },
      });
    },
  );

  it('has failed once its job was sent too often', async () => {
    const { ada, table } = workspace;
    const { id } = await createImport(ada, { bytes: 'name\nA\n' });
    await sentTooOften(table, 'import-records');
    await sweep();
    expect(await retrieveImport(ada, id)).toMatchObject({
      ...{ status: 'failed', error: { code: 'import_failed' } },
    });
    expect(await openJobs(table, 'import-records')).toEqual([]);
  });

  it('has failed although the end of another one could not be written', async () => {
    const { ada, table } = workspace;
    const ids: string[] = [];
    for (let i = 0; i < 2; i++) ids.push((await createImport(ada, { bytes: 'name\nA\n' })).id);
    const failed = async () => {
      const all = await Promise.all(ids.map((id) => retrieveImport(ada, id)));
      return all.filter(({ status }) => status === 'failed').length;
    };
    await sentTooOften(table, 'import-records');
    const fault = meanwhile(table, 'TransactWriteItemsCommand', async () => {
      throw new Error('boom');
    });
    await expect(sweep()).rejects.toThrow('1 jobs are given up');
    fault.remove();
    expect(await failed()).toBe(1);
    await sweep();
    expect(await failed()).toBe(2);
  });

  it('has an export beside it that fails then, too', async () => {
    const { ada, table } = workspace;
    const { id } = await createExport(ada, { record_type: 'contacts', format: 'csv' });
    await sentTooOften(table, 'export-records');
    await sweep();
    expect(await retrieveExport(ada, id)).toMatchObject({
      ...{ status: 'failed', error: { code: 'export_failed' } },
    });
    expect(await openJobs(table, 'export-records')).toEqual([]);
  });
});
