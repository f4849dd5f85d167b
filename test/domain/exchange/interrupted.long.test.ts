import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Job, sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { update } from '#shared/table/table.ts';
import { handler } from '../../../functions/queues/import-records.ts';
import { crashAfter, type Fault, failCall } from '../../support/faults.ts';
import { createImport, retrieveImport, rowsOf, runImports } from '../../support/imports.ts';
import { deliverMessages, openJobs } from '../../support/jobs.ts';
import { long, rounds, STRIDE } from '../../support/long.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** Imports that are interrupted, run twice or in many short runs make each record once. */
describe('an import of records', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
  });
  afterAll(() => workspace?.stop());

  /** The message of an import that has not ended. */
  const jobOf = async (import_id: string) => {
    const jobs = await openJobs(workspace.table, 'import-records');
    const job = jobs.find(({ body }) => body.import_id === import_id);
    return job && { job_id: job.id, ...job.body };
  };

  let files = 0;
  const given = async (rows: number) => {
    const file = ++files;
    const lines = Array.from(
      { length: rows },
      (_, i) => `P${i},p${i}@f${file}.example,Firm ${file},vip,x-${file}-${i}`,
    );
    const bytes = `name,email,company,tags,external_id\n${lines.join('\n')}\n`;
    const created = await createImport(workspace.ada, { bytes }, { dry_run: false });
    return created;
  };

  async function expectOnce({ id }: { id: string }, rows: number) {
    const done = await retrieveImport(workspace.ada, id);
    expect(done).toMatchObject({ status: 'complete', rows_read: rows, rows_created: rows, rows_failed: 0 });
    const found = await rowsOf(workspace.ada, id);
    expect(found.map(({ number, status }) => [number, status])).toEqual(
      Array.from({ length: rows }, (_, i) => [i + 1, 'created']),
    );
    const contacts = await Promise.all(
      found.map(
        async ({ record_id }) =>
          (await workspace.ada.reader.retrieveContact({ params: { id: `${record_id}` } })).body.contact,
      ),
    );
    const firms = contacts.flatMap(({ employments }) =>
      employments.map(({ organization }) => organization?.id),
    );
    expect([firms.length, new Set(firms).size]).toEqual([rows, 1]);
    expect(contacts.map(({ tags }) => tags?.map(({ name }) => name))).toEqual(contacts.map(() => ['vip']));
  }

  const faults: ((call: number) => Fault)[] = [
    (call) => crashAfter(workspace.table, call),
    ...(long ? [(call: number) => failCall(workspace.table, call, 'before')] : []),
  ];

  it('makes each record once when it is interrupted at any call', async () => {
    let hit = true;
    for (let call = 1; hit; call += STRIDE * 4)
      for (const fault of faults) {
        const started = await given(2);
        const job = await jobOf(started.id);
        const injected = fault(call);
        await deliverMessages(handler, [job], 300_000);
        hit = injected.hit;
        injected.remove();
        await runImports(workspace);
        await expectOnce(started, 2);
      }
  });

  it('makes each record once when two workers run it, in many short runs', async () => {
    const rows = rounds(105, 450);
    const lines = Array.from({ length: rows }, (_, i) => `Twice ${i},twice-${i}`);
    const bytes = `name,external_id\n${lines.join('\n')}\n`;
    const { id } = await createImport(workspace.ada, { bytes }, { dry_run: false, record_type: 'tasks' });
    for (let run = 0; run < 10; run++) {
      const job = await jobOf(id);
      if (!job) break;
      await Promise.all([deliverMessages(handler, [job], 1), deliverMessages(handler, [job], 1)]);
    }
    const done = await retrieveImport(workspace.ada, id);
    expect(done).toMatchObject({ status: 'complete', rows_created: rows, rows_failed: 0 });
    expect((await workspace.ada.reader.countTasks({ query: { query: 'twice' } })).body.count.total).toBe(
      rows,
    );
  });

  it('begins its job anew after each run that its time ends, however many there are', async () => {
    const bytes = `name\n${'A\n'.repeat(205)}`;
    const { id } = await createImport(workspace.ada, { bytes });
    const job = await jobOf(id);
    for (let run = 1; run <= 2; run++) {
      await workspace.table.update<Job>(keys.job(`${job?.job_id}`), { set: { sends: 6, due: 0 } });
      await deliverMessages(handler, [job], 1);
      expect(await retrieveImport(workspace.ada, id)).toMatchObject({
        status: 'running',
        rows_read: 100 * run,
      });
      expect(await sweepJobs(workspace.ctx)).toBe(0);
      const [open] = await openJobs(workspace.table, 'import-records');
      expect(open).toMatchObject({ sends: 1 });
      expect(open?.due).toBeGreaterThan(Date.now());
    }
    await runImports(workspace);
    expect(await retrieveImport(workspace.ada, id)).toMatchObject({ status: 'complete', rows_read: 205 });
    expect(await jobOf(id)).toBeUndefined();
  });

  it('goes on with the rights that the user has at that time', async () => {
    const { ada, grace } = workspace;
    const { contact } = (
      await ada.api.createContact({ body: { contact: { name: 'Theirs', external_id: 'r-1' } } })
    ).body;
    const { id } = await createImport(grace, { bytes: 'name,external_id\nMine,r-1\n' }, { dry_run: false });
    await ada.api.updateContact({ params: { id: contact.id }, body: { contact: { visibility: 'private' } } });
    await runImports(workspace);
    expect(await rowsOf(grace, id)).toMatchObject([
      { status: 'failed', error: { code: 'external_id_taken' } },
    ]);
  });

  it('ends when its user is no longer active, or its file is gone, or it fails again and again', async () => {
    const { linus, table } = workspace;
    const { id } = await createImport(linus, { bytes: 'name\nA\n' }, { dry_run: false });
    const key = { PK: linus.user.PK, SK: linus.user.SK };
    await table.transact([update(key, { set: { status: 'inactive' } } as never)]);
    await runImports(workspace);
    await table.transact([update(key, { set: { status: 'active' } } as never)]);
    expect(await retrieveImport(linus, id)).toMatchObject({
      status: 'failed',
      error: { code: 'user_inactive' },
    });
    const second = await createImport(linus, { bytes: 'name\nA\n' });
    const job = await jobOf(second.id);
    const injected = failCall(table, 2, 'before');
    await deliverMessages(handler, [job], 300_000, 5);
    injected.remove();
    expect(await retrieveImport(linus, second.id)).toMatchObject({ error: { code: 'import_failed' } });
    const third = await createImport(linus, { bytes: 'name\nA\n' });
    await table.transact([
      update(keys.recordImport(linus.user.id, third.id), { set: { upload_id: newId(new Date()) } } as never),
    ]);
    await runImports(workspace);
    expect(await retrieveImport(linus, third.id)).toMatchObject({ error: { code: 'upload_expired' } });
  });

  it('ends at a quotation mark that is not closed, with the rows before', async () => {
    const { ada } = workspace;
    const { id } = await createImport(ada, { bytes: 'name\nBefore\n"Never\nAfter\n' }, { dry_run: false });
    await runImports(workspace);
    const done = await retrieveImport(ada, id);
    expect(done).toMatchObject({ status: 'failed', rows_created: 1, error: { code: 'quote_not_closed' } });
    expect(done.error?.message).toContain('row 2');
  });
});
