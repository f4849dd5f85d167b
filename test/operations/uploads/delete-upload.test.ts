import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { givenUpload } from '../../support/files.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('DELETE /uploads/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  const retrieve = (id: string) => workspace.ada.reader.retrieveUpload({ params: { id } });
  const remove = (id: string, user = workspace.ada) => user.api.deleteUpload({ params: { id } });

  it('404: of others, also in the same account', async () => {
    const { id } = await givenUpload(workspace.ada);
    for (const user of [workspace.linus, workspace.hank])
      expect(await codeOf(remove(id, user))).toBe('404 record_not_found');
    expect((await retrieve(id)).body.upload.status).toBe('received');
  });

  it('204: deletes an unused one, whose bytes make no file; 409 for a used one', async () => {
    const { ada } = workspace;
    const { id } = await givenUpload(ada);
    expect((await remove(id)).status).toBe(204);
    const create = (upload_id: string) => ada.api.createFile({ body: { file: { upload_id } } });
    for (const call of [retrieve, remove, create])
      expect(await codeOf(call(id))).toBe('404 record_not_found');
    const used = await givenUpload(ada);
    await create(used.id);
    expect(await codeOf(remove(used.id))).toBe('409 upload_already_used');
    const headers = { 'If-Match': '"other"' };
    expect(await codeOf(ada.api.deleteUpload({ params: { id: used.id }, headers }))).toBe(
      '412 precondition_failed',
    );
    expect((await retrieve(used.id)).body.upload).toMatchObject({ status: 'used' });
  });
});
