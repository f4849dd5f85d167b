import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { givenContact, readContact } from '../../support/proposals.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('DELETE /contacts/{contact_id}/pin', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('204: for this user alone, also a second time', async () => {
    const { ada, grace } = workspace;
    const { id } = await givenContact(ada);
    const params = { contact_id: id };
    for (const { api } of [ada, grace]) await api.pinContact({ params });
    for (const _ of [1, 2]) expect((await ada.api.unpinContact({ params })).status).toBe(204);
    expect(await readContact(ada, id)).toMatchObject({ pinned: false });
    expect(await readContact(grace, id)).toMatchObject({ pinned: true });
    const pinned = await ada.reader.listContacts({ query: { slice: 'pinned' } });
    expect(pinned.body.collection.records).toEqual([]);
  });

  it('404: a contact that the user does not see', async () => {
    const { id } = await givenContact(workspace.ada, { visibility: 'private' });
    const call = workspace.grace.api.unpinContact({ params: { contact_id: id } });
    expect(await codeOf(call)).toBe('404 record_not_found');
  });
});
