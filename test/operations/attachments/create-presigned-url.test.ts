import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eml, givenMailbox, importMail, listAllThreads } from '../../support/mail.ts';
import { withFiles } from '../../support/mail-files.ts';
import { giveMailbox, takeMailbox } from '../../support/mailbox-access.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('POST /attachments/{id}/presigned_urls', () => {
  let workspace: Workspace;
  let mailbox_id: string;
  let id: string;
  const presign = (user: 'ada' | 'grace' | 'hank' = 'ada') =>
    workspace[user].reader.createPresignedUrl({ params: { id } });

  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true });
    mailbox_id = await givenMailbox(workspace, workspace.ada);
    const offer = { name: 'Angebot für Ada.pdf', type: 'application/pdf', content: '%PDF-1.4 offer' };
    await importMail(workspace, workspace.ada, mailbox_id, [
      eml({ id: 'offer@x', ...withFiles('<p>Here</p>', [offer]) }),
    ]);
    const [thread] = await listAllThreads(workspace.ada.reader);
    const { body } = await workspace.ada.reader.retrieveThread({ params: { id: thread?.id ?? '' } });
    id = body.thread.messages?.[0]?.attachments?.[0]?.id ?? '';
  });
  afterAll(() => workspace?.stop());

  it('gives a URL to the bytes for five minutes, to a key that only reads', async () => {
    const before = Date.now();
    const { status, body } = await presign();
    expect(status).toBe(200);
    const { url, expires_at, ...about } = body.presigned_url;
    expect(about).toEqual({ file_name: 'Angebot für Ada.pdf', content_type: 'application/pdf', size: 14 });
    const left = Date.parse(expires_at) - before;
    expect(left).toBeGreaterThanOrEqual(300_000);
    const { searchParams } = new URL(url);
    expect(searchParams.get('X-Amz-Expires')).toBe('300');
    // By the second, so never after what was said.
    const signed = searchParams.get('X-Amz-Date')?.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5');
    expect(Date.parse(signed ?? '') + 300_000).toBeGreaterThan(Date.parse(expires_at) - 1_000);
    const found = await fetch(url);
    expect(await found.text()).toBe('%PDF-1.4 offer');
    expect(found.headers.get('content-type')).toBe('application/octet-stream');
    expect(found.headers.get('content-disposition')).toContain(
      "filename*=UTF-8''Angebot%20f%C3%BCr%20Ada.pdf",
    );
    expect(found.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('signs the name, the type and one object: a URL fits nothing else', async () => {
    const { url } = (await presign()).body.presigned_url;
    const { pathname, searchParams } = new URL(url);
    expect(pathname).toMatch(/\/files\/[0-9a-f-]{36}\/[0-9a-f-]{36}$/);
    expect([...searchParams.keys()]).toEqual(
      expect.arrayContaining([
        ...['response-content-type', 'response-content-disposition', 'response-cache-control'],
        'X-Amz-Signature',
      ]),
    );
  });

  it('is 404 for users who do not see the message, and once the access has ended', async () => {
    for (const user of ['grace', 'hank'] as const)
      await expect(presign(user)).rejects.toMatchObject({ status: 404, code: 'record_not_found' });
    await takeMailbox(workspace, workspace.ada, mailbox_id);
    await expect(presign()).rejects.toMatchObject({ status: 404, code: 'record_not_found' });
    await giveMailbox(workspace, workspace.ada, mailbox_id);
    expect((await presign()).status).toBe(200);
  });

  it('is 502 when nothing can be signed', async () => {
    const { config } = workspace.ctx;
    const { bucket_name } = config;
    config.bucket_name = '';
    await expect(presign()).rejects.toMatchObject({ status: 502, code: 'storage_unavailable' });
    config.bucket_name = bucket_name;
    expect((await presign()).status).toBe(200);
  });
});
