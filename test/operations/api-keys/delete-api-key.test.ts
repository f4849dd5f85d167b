import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /api_keys/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const newKey = async (user: TestUser) =>
    (await user.session.createApiKey({ body: { api_key: { name: 'Temporary', tier: 'read' } } })).body
      .api_key;
  const notFound = { status: 404, code: 'record_not_found' };

  it('204: the key is refused at once and leaves the list; a repeat is 404', async () => {
    const { id, secret } = await newKey(workspace.grace);
    const reader = workspace.client(secret);
    await expect(reader.retrieveCurrentUser()).resolves.toMatchObject({ status: 200 });
    const { status, body } = await workspace.grace.session.deleteApiKey({ params: { id } });
    expect([status, body]).toEqual([204, null]);
    await expect(reader.retrieveCurrentUser()).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    const { body: left } = await workspace.grace.session.listApiKeys();
    expect(left.api_keys.map((key) => key.id)).not.toContain(id);
    await expect(workspace.grace.session.deleteApiKey({ params: { id } })).rejects.toMatchObject(notFound);
  });

  it('204: an admin revokes the key of another user', async () => {
    const { id, secret } = await newKey(workspace.grace);
    await workspace.ada.session.deleteApiKey({ params: { id } });
    await expect(workspace.client(secret).retrieveCurrentUser()).rejects.toMatchObject({ status: 401 });
  });

  it('403 forbidden: the key of another user by a member, and the key still works', async () => {
    const { id, secret } = await newKey(workspace.ada);
    const call = workspace.grace.session.deleteApiKey({ params: { id } });
    await expect(call).rejects.toMatchObject({ status: 403, code: 'forbidden' });
    await expect(workspace.client(secret).retrieveCurrentUser()).resolves.toMatchObject({ status: 200 });
  });

  it('404: unknown, and of another account', async () => {
    const { id } = await newKey(workspace.hank);
    for (const each of [id, randomUUID()])
      await expect(workspace.ada.session.deleteApiKey({ params: { id: each } })).rejects.toMatchObject(
        notFound,
      );
  });
});
