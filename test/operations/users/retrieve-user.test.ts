import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /users/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: oneself as in /users/me, a colleague without private settings', async () => {
    const { ada, grace } = workspace;
    const retrieve = async (id: string) => (await grace.reader.retrieveUser({ params: { id } })).body.user;
    expect(await retrieve(grace.user.id)).toEqual((await grace.reader.retrieveCurrentUser()).body.user);
    expect(await retrieve(ada.user.id)).toMatchObject({
      ...{ id: ada.user.id, name: 'Ada Lovelace', role: 'owner', status: 'active' },
      ...{ capabilities: null, assistant_enabled: null, notification_settings: null, terms_accepted: null },
    });
  });

  it('404: for users of other accounts and unknown ids', async () => {
    for (const id of [workspace.hank.user.id, randomUUID(), 'nobody'])
      expect(await codeOf(workspace.ada.reader.retrieveUser({ params: { id } }))).toBe(
        '404 record_not_found',
      );
  });
});
