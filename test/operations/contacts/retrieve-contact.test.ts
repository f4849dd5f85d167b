import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /contacts/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const read = (user: 'ada' | 'grace' | 'hank', id: string) =>
    workspace[user].reader.retrieveContact({ params: { id } });
  const create = async (visibility: 'account' | 'private') =>
    (await workspace.grace.api.createContact({ body: { contact: { name: 'Ann', visibility } } })).body
      .contact;
  const notFound = { status: 404, code: 'record_not_found' };

  it('200: a contact of the account, for each of its users', async () => {
    const contact = await create('account');
    const { status, body } = await read('ada', contact.id.toUpperCase());
    expect(status).toBe(200);
    expect(body.contact).toEqual(contact);
    expect(body.contact).toMatchObject({ comments: [], tasks: [], tags: [], shares: [], thread_count: null });
  });

  it('200: a private contact for its owner; 404 for everyone else, admins included', async () => {
    const { id } = await create('private');
    await expect(read('grace', id)).resolves.toMatchObject({ status: 200 });
    await expect(read('ada', id)).rejects.toMatchObject(notFound);
  });

  it('404: another account, and an unknown id', async () => {
    const { id } = await create('account');
    await expect(read('hank', id)).rejects.toMatchObject(notFound);
    await expect(read('grace', randomUUID())).rejects.toMatchObject(notFound);
  });
});
