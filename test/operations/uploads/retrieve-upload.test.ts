import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { givenUpload } from '../../support/files.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /uploads/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  const draft = { file_name: 'a.txt', content_type: 'text/plain', size: 2 };
  const pending = async () => (await workspace.ada.api.createUpload({ body: { upload: draft } })).body.upload;
  const retrieve = (id: string, user = workspace.ada) => user.reader.retrieveUpload({ params: { id } });
  const read = async (id: string) => (await retrieve(id)).body.upload;

  it('200: how far it is, without the link', async () => {
    const upload = await pending();
    const hidden = { url: null, method: null, headers: null };
    expect(await read(upload.id)).toEqual({ ...upload, ...hidden });
    workspace.setTime(new Date(Date.parse(upload.expires_at)));
    expect(await read(upload.id)).toMatchObject({ status: 'expired' });
    workspace.setTime(undefined);
    const received = await givenUpload(workspace.ada);
    expect(await read(received.id)).toMatchObject({ status: 'received', file_id: null, ...hidden });
  });

  it('404: of others, also in the same account, and of nobody', async () => {
    const { id } = await pending();
    const { linus, hank } = workspace;
    for (const user of [linus, hank]) expect(await codeOf(retrieve(id, user))).toBe('404 record_not_found');
    expect(await codeOf(retrieve(randomUUID()))).toBe('404 record_not_found');
  });
});
