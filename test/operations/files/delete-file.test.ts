import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unlessStored } from '#shared/domain/collaboration/uploads/keep-bytes.ts';
import { sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { removalOfBytes } from '#shared/domain/work/files/removal.ts';
import { removeBytes } from '#shared/domain/work/files/remove-bytes.ts';
import { newId } from '#shared/ids.ts';
import { bucketOf, objectKeys } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { handler as doDueWork } from '../../../functions/queues/do-due-work.ts';
import { codeOf } from '../../support/failures.ts';
import { givenFile, uploadFile } from '../../support/files.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /files/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    // Sweeping reads all jobs of the table.
    workspace = await startWorkspace({ mail: true, own_table: true });
    ({ ada, linus } = workspace);
  });
  afterAll(() => workspace?.stop());

  const remove = (user: TestUser, id: string) => user.api.deleteFile({ params: { id } });
  const bytesOf = (id: string) => bucketOf(workspace.ctx).size(objectKeys.file(workspace.account_id, id));

  it('204: it is nowhere, and its items and bytes are removed', async () => {
    const contact = await givenContact(ada);
    const { id } = await uploadFile(ada, { contact_ids: [contact.id] });
    const params = { record_type: 'files' as const, record_id: id };
    await ada.api.createComment({ params, body: { comment: { html_content: '<p>Sign</p>' } } });
    expect(await bytesOf(id)).toBe(9);
    expect((await remove(ada, id)).status).toBe(204);
    expect(await codeOf(remove(ada, id))).toBe('404 record_not_found');
    expect(await codeOf(ada.reader.downloadFile({ params: { file_id: id } }))).toBe('404 record_not_found');
    expect((await ada.reader.countFiles({ query: { contact_id: contact.id } })).body.count.total).toBe(0);
    expect(await bytesOf(id)).toBe(9);
    const days = async (count: number) => {
      workspace.setTime(new Date(Date.now() + count * 86_400_000));
      await doDueWork();
      await sweepJobs(workspace.ctx);
    };
    await expect
      .poll(() => days(31).then(() => bytesOf(id)), { timeout: 20_000, interval: 500 })
      .toBeUndefined();
    await days(125);
    workspace.setTime(undefined);
    await expect
      .poll(() => workspace.table.all(keys.record('files', id).PK), { timeout: 20_000 })
      .toEqual([]);
  });

  it('403 and 404: not with a share to view, nor what is hidden', async () => {
    const { id } = await givenFile(workspace, ada);
    expect(await codeOf(remove(linus, id))).toBe('404 record_not_found');
    const params = { record_type: 'files' as const, record_id: id };
    await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    expect(await codeOf(remove(linus, id))).toBe('403 permission_denied');
  });

  it('removes bytes whose file was never stored, and keeps those of a stored one, twice as once', async () => {
    const { ctx, table, account_id } = workspace;
    const bucket = bucketOf(ctx);
    const stored = await uploadFile(ada);
    const lost = newId(ctx.now);
    await bucket.put(objectKeys.file(account_id, lost), Buffer.from('x'), 'text/plain');
    for (const id of [lost, stored.id]) {
      const job = unlessStored(removalOfBytes({ id, account_id }, ctx.now), ctx.now);
      await table.put(job);
      const message = { job_id: job.id, file_id: id, account_id };
      for (const _ of [1, 2]) await removeBytes(ctx, bucket, message);
      expect(await table.get(keys.job(job.id))).toBeUndefined();
    }
    expect([await bytesOf(lost), await bytesOf(stored.id)]).toEqual([undefined, 9]);
  });
});
