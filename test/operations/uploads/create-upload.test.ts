import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

const draft = { file_name: 'mail.mbox', content_type: 'application/mbox', size: 12 };

describe('POST /uploads', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  it('returns a URL that accepts the bytes for 15 minutes', async () => {
    workspace.setTime(new Date('2026-11-20T09:30:00Z'));
    const { status, body } = await workspace.ada.api.createUpload({ body: { upload: draft } });
    workspace.setTime(undefined);
    expect(status).toBe(201);
    expect(body.upload).toMatchObject({
      ...draft,
      status: 'pending',
      method: 'PUT',
      headers: { 'Content-Type': 'application/mbox' },
      file_id: null,
      user_id: workspace.ada.user.id,
      created_at: '2026-11-20T09:30:00.000Z',
      expires_at: '2026-11-20T09:45:00.000Z',
    });
    const url = body.upload.url as string;
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('900');
    const sent = await fetch(url, {
      method: 'PUT',
      headers: body.upload.headers ?? {},
      body: 'Hello, mbox.',
    });
    expect(sent.status).toBe(200);
  });

  it('signs the size and the type, so that no other bytes fit the URL', async () => {
    const { body } = await workspace.ada.api.createUpload({ body: { upload: draft } });
    const signed = new URL(body.upload.url as string).searchParams.get('X-Amz-SignedHeaders');
    expect(signed?.split(';').sort()).toEqual(['content-length', 'content-type', 'host']);
  });

  it('accepts 5 GB of mail, 500 MB of records and 100 MB of any other purpose', async () => {
    const sizes = {
      'application/mbox': [5_120, '5,120 MB'],
      'text/csv; charset=utf-8': [500, '500 MB'],
      'text/vcard': [500, '500 MB'],
      'application/pdf': [100, '100 MB'],
    } as const;
    for (const [content_type, [megabytes, most]] of Object.entries(sizes)) {
      const upload = { ...draft, content_type, size: megabytes * 1024 ** 2 };
      expect(await workspace.ada.api.createUpload({ body: { upload } })).toMatchObject({ status: 201 });
      await expect(
        workspace.ada.api.createUpload({ body: { upload: { ...upload, size: upload.size + 1 } } }),
      ).rejects.toMatchObject({
        ...{ status: 413, code: 'file_too_large' },
        message: expect.stringContaining(`A file of this type may have ${most} at most.`),
      });
    }
  });

  it.each([
    [{}, { file_name: 'required', content_type: 'required', size: 'required' }],
    [
      { file_name: ' ', content_type: 'x', size: -1 },
      { file_name: 'required', content_type: 'invalid_format', size: 'invalid' },
    ],
    [
      { file_name: 'a'.repeat(256), content_type: 'a/b', size: 1.5 },
      { file_name: 'too_long', size: 'invalid' },
    ],
    [
      { file_name: 1, content_type: null, size: '3' },
      { file_name: 'invalid', content_type: 'required', size: 'invalid' },
    ],
    [{ ...draft, file_name: 'a\u0000b' }, { file_name: 'invalid_format' }],
    [{ ...draft, sha256: 'abc' }, { sha256: 'invalid_format' }],
    [{ ...draft, content_type: 'text/csv\r\n;x' }, { content_type: 'invalid_format' }],
    [{ ...draft, content_type: 'text/csv; name=Köln' }, { content_type: 'invalid_format' }],
  ])('refuses %j', async (upload, codes) => {
    const failure = await workspace.ada.api
      .createUpload({ body: { upload } as never })
      .catch((error: unknown) => error as { status: number; fields: Record<string, { code: string }> });
    expect(failure).toMatchObject({ status: 400, code: 'invalid_request' });
    const found = Object.entries((failure as { fields: Record<string, { code: string }> }).fields);
    expect(Object.fromEntries(found.map(([name, { code }]) => [name, code]))).toEqual(codes);
  });
});
