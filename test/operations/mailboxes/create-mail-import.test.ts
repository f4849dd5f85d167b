import { S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { at } from '#shared/table/table.ts';
import { eml, givenMailbox } from '../../support/mail.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const mail = eml({ id: 'one@x' });

describe('POST /mailboxes/{mailbox_id}/imports', () => {
  let workspace: Workspace;
  let mailbox_id: string;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    mailbox_id = await givenMailbox(workspace, workspace.ada);
  });
  afterAll(() => workspace?.stop());

  async function givenUpload(user: TestUser, bytes: Buffer | null = mail): Promise<string> {
    const upload = { file_name: 'one.eml', content_type: 'message/rfc822', size: mail.length };
    const { body } = await user.api.createUpload({ body: { upload } });
    if (bytes)
      await fetch(body.upload.url as string, {
        method: 'PUT',
        headers: body.upload.headers ?? {},
        body: bytes,
      });
    return body.upload.id;
  }

  const start = (user: TestUser, upload_id: string, mailbox = mailbox_id) =>
    user.api.createMailImport({ params: { mailbox_id: mailbox }, body: { import: { upload_id } } });

  it('accepts the work and responds at once', async () => {
    const upload_id = await givenUpload(workspace.ada);
    const { status, body } = await start(workspace.ada, upload_id);
    expect(status).toBe(202);
    expect(body.import).toMatchObject({
      status: 'pending',
      mailbox_id,
      upload_id,
      messages_total: null,
      messages_imported: 0,
      messages_skipped: 0,
      messages_failed: 0,
      failures: [],
      error: null,
    });
  });

  it('accepts each upload once, also for two requests at the same time', async () => {
    const upload_id = await givenUpload(workspace.ada);
    const responses = await Promise.allSettled(
      Array.from({ length: 10 }, () => start(workspace.ada, upload_id)),
    );
    const refused = responses.filter((response) => response.status === 'rejected');
    expect(refused).toHaveLength(9);
    for (const response of refused)
      expect(response.reason).toMatchObject({ status: 409, code: 'upload_already_used' });
  });

  it('returns 422 while bytes of the upload are missing', async () => {
    for (const bytes of [null, mail.subarray(0, 10)])
      await expect(start(workspace.ada, await givenUpload(workspace.ada, bytes))).rejects.toMatchObject({
        status: 422,
        code: 'upload_incomplete',
      });
  });

  it('returns 404 for mailboxes and uploads of others', async () => {
    const own = await givenUpload(workspace.grace);
    const foreign = await givenUpload(workspace.ada);
    const graces = await givenMailbox(workspace, workspace.grace);
    const attempts = [
      () => start(workspace.grace, own),
      () => start(workspace.grace, foreign, graces),
      () => start(workspace.hank, own),
    ];
    for (const attempt of attempts)
      await expect(attempt()).rejects.toMatchObject({ status: 404, code: 'record_not_found' });
  });

  it('is for the owner of the mailbox only', async () => {
    const { grace } = workspace;
    const key = { PK: grace.user.PK, SK: grace.user.SK };
    await workspace.table.update<User>(key, { set: { mailboxes: at(mailbox_id, 'view') } });
    await expect(start(grace, await givenUpload(grace))).rejects.toMatchObject({
      status: 403,
      code: 'permission_denied',
    });
  });

  it('returns 502 while the file storage does not respond, and accepts the upload afterwards', async () => {
    const upload_id = await givenUpload(workspace.ada);
    const storage = mockClient(S3Client).rejects(new Error('no route to host'));
    await expect(start(workspace.ada, upload_id)).rejects.toMatchObject({
      status: 502,
      code: 'storage_unavailable',
    });
    storage.restore();
    expect((await start(workspace.ada, upload_id)).status).toBe(202);
  });

  it('returns 400 for a missing upload_id, and for a body key that differs from the path', async () => {
    const response = await fetch(`${workspace.url}/mailboxes/${mailbox_id}/imports`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${workspace.ada.write_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ import: { upload_id: 'x' }, mailbox_id: 'another' }),
    });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: { fields: object } }).error.fields).toMatchObject({
      upload_id: { code: 'invalid_format' },
      mailbox_id: { code: 'not_allowed' },
    });
  });
});
