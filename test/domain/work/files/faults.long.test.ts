import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { followFiles } from '#shared/domain/mail/attachments/files.ts';
import { type RemovedFile, removeBytes } from '#shared/domain/work/files/remove-bytes.ts';
import { bucketOf, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf } from '../../../support/failures.ts';
import { crashAfter, type Fault, failCall } from '../../../support/faults.ts';
import { givenUpload, uploadFile } from '../../../support/files.ts';
import { openJobs } from '../../../support/jobs.ts';
import { STRIDE } from '../../../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../../support/mail.ts';
import { withFiles } from '../../../support/mail-files.ts';
import { purgeAll } from '../../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Files whose requests and workers are interrupted at every call of the table. */
describe('an interrupted', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada } = workspace);
  });
  afterAll(() => workspace?.stop());

  /** Every fourth in CI. */
  const step = Math.min(STRIDE, 4);
  const calls = (most: number) =>
    Array.from({ length: most }, (_, i) => i + 1).filter((call) => call % step === 3 % step);

  const faultsAt = (call: number): (() => Fault)[] => [
    () => failCall(workspace.table, call, 'before'),
    () => failCall(workspace.table, call, 'after'),
    () => crashAfter(workspace.table, call),
  ];

  /** Runs what the sweep sends. */
  async function removeAll(): Promise<void> {
    for (const { id, body } of await openJobs(workspace.table, 'remove-files'))
      await removeBytes(workspace.ctx, bucketOf(workspace.ctx), { job_id: id, ...body } as RemovedFile);
  }
  const bytesOf = (id: string) => bucketOf(workspace.ctx).size(objectKeys.file(workspace.account_id, id));

  it('creation makes one file or none, with its bytes, and the upload can be used until then', async () => {
    for (const call of calls(14))
      for (const fault of faultsAt(call)) {
        const { id: upload_id } = await givenUpload(ada);
        const create = () => ada.api.createFile({ body: { file: { upload_id } } });
        const injected = fault();
        const first = await create().catch((error: unknown) => error as { status: number });
        injected.remove();
        await removeAll();
        if (first.status !== 201)
          await create().catch((error) => expect(error).toMatchObject({ status: 409 }));
        await removeAll();
        const { upload } = (await ada.reader.retrieveUpload({ params: { id: upload_id } })).body;
        expect(upload.status).toBe('used');
        const params = { id: upload.file_id ?? '' };
        expect((await ada.reader.retrieveFile({ params })).body.file.size).toBe(9);
        expect(await bytesOf(params.id)).toBe(9);
        expect((await ada.reader.countFiles()).body.count.total).toBe(1);
        await ada.api.deleteFile({ params });
      }
  });

  it('deletion is repeated until nothing is left, bytes included', async () => {
    for (const call of calls(12))
      for (const fault of faultsAt(call)) {
        const { id } = await uploadFile(ada);
        const injected = fault();
        const remove = () => ada.api.deleteFile({ params: { id } });
        await remove().catch(() => undefined);
        injected.remove();
        await remove().catch((error) => expect(error).toMatchObject({ status: 404 }));
        expect(await codeOf(remove())).toBe('404 record_not_found');
        await purgeAll(workspace);
        await removeAll();
        expect([await bytesOf(id), await workspace.table.all(keys.record('files', id).PK)]).toEqual([
          undefined,
          [],
        ]);
      }
  });

  it('arrival of mail is repeated until its files are there, each once', async () => {
    const { ctx, table } = workspace;
    const silent = { ...workspace, ctx: { ...ctx, ports: { ...ctx.ports, mailArrived: async () => {} } } };
    for (const call of calls(12))
      for (const [i, fault] of faultsAt(call).entries()) {
        const mailbox = await givenMailbox(workspace, ada);
        const names = ['x', 'y'].map((name) => `${name}${call}-${i}.txt`);
        const files = withFiles(
          '',
          names.map((name) => ({ name, content: name })),
        );
        await importMail(silent, ada, mailbox, [eml({ id: `fault-${call}-${i}@x`, ...files })]);
        const [thread] = await listAllThreads(ada.reader, { mailbox_id: mailbox });
        const follow = () =>
          followFiles({ table, now: ctx.clock(), records: ctx.ports.records }, [thread?.id ?? '']);
        const injected = fault();
        await follow().catch((error) => expect(String(error)).toContain('Injected fault'));
        injected.remove();
        await follow();
        const query = { thread_id: thread?.id ?? '', sort: 'name' as const, order: 'asc' as const };
        const { records } = (await ada.reader.listFiles({ query })).body.collection;
        expect(records.map(({ name, attachment_ids }) => [name, attachment_ids.length])).toEqual(
          names.map((name) => [name, 1]),
        );
      }
  });
});
