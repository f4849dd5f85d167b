import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isEndedListed } from '#shared/domain/collaboration/record-lists/ended.ts';
import type { ListEntry } from '#shared/domain/collaboration/record-lists/entry.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf } from '../../support/failures.ts';
import { givenOrganization, organizationsOf } from '../../support/organizations.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /organizations/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const remove = (user: TestUser, id: string) => user.api.deleteOrganization({ params: { id } });

  it('204: it is in no list and no place, its domain and external id are free', async () => {
    const draft = { external_id: 'crm-9', domains: ['gone.example'] };
    const { id } = await givenOrganization(linus, { name: 'Gone Soon', ...draft });
    expect((await remove(ada, id)).status).toBe(204);
    expect(await codeOf(ada.reader.retrieveOrganization({ params: { id } }))).toBe('404 record_not_found');
    expect(await codeOf(remove(ada, id))).toBe('404 record_not_found');
    for (const query of [{}, { query: 'gone' }, { domain: 'gone.example' }, { external_id: 'crm-9' }])
      expect((await organizationsOf(ada, query)).map((each) => each.id)).not.toContain(id);
    const entries = await workspace.table.all<ListEntry>(
      keys.listEntry('organizations', id, '').PK,
      'LISTS#',
    );
    expect(entries.map(({ listed }) => isEndedListed(listed))).toEqual([true]);
    expect(await givenOrganization(ada, draft)).toMatchObject(draft);
  });

  it('404 and 403: not what is hidden, nor what one may only look at', async () => {
    const { id } = await givenOrganization(ada, { visibility: 'private' });
    expect(await codeOf(remove(linus, id))).toBe('404 record_not_found');
    const params = { record_type: 'organizations' as const, record_id: id };
    await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    expect(await codeOf(remove(linus, id))).toBe('403 permission_denied');
    expect((await remove(ada, id)).status).toBe(204);
    expect(await organizationsOf(linus, { slice: 'shared' })).toEqual([]);
  });
});
