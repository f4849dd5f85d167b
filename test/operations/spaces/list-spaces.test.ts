import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenGroup } from '../../support/groups.ts';
import { longIt } from '../../support/long.ts';
import { givenContact } from '../../support/proposals.ts';
import { givenSpace, join, spacesOf } from '../../support/spaces.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /spaces', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const names = async (user: TestUser) => (await spacesOf(user)).map(({ name }) => name);

  it('200: none', async () => {
    expect((await workspace.hank.reader.listSpaces()).body.collection).toEqual({
      ...{ records: [], page: 1, pages: 1, per_page: 0, total_results: 0 },
    });
  });

  longIt(
    '200: those that the user sees, by name, archived ones last, with shares and without what is counted',
    async () => {
      const draft = (name: string, more: object = {}) => givenSpace(ada, { name, ...more });
      const secret = await draft('Élan', { visibility: 'private' });
      await draft('zebra');
      const first = await draft('Alpha', { archived: true });
      await draft('beta');
      const contact = await givenContact(ada);
      const { id } = await draft('echo');
      await join(ada, id, { contact_id: contact.id });
      expect(await names(ada)).toEqual(['beta', 'echo', 'Élan', 'zebra', 'Alpha']);
      expect(await names(linus)).toEqual(['beta', 'echo', 'zebra', 'Alpha']);

      const group = await givenGroup(ada, [linus]);
      const params = { record_type: 'spaces' as const, record_id: secret.id };
      const { share } = (await ada.api.createShare({ params, body: { share: { group_id: group.id } } })).body;
      const none = { contact_ids: null, organization_ids: null, thread_count: null, open_task_count: null };
      const shown = { ...secret, ...none, comments: null, tasks: null, shares: [share] };
      for (const user of [ada, linus])
        expect((await spacesOf(user)).find((space) => space.id === secret.id)).toEqual(shown);
      const { collection } = (await linus.reader.listSpaces()).body;
      expect(collection).toMatchObject({ page: 1, pages: 1, per_page: 5, total_results: 5 });

      const body = { space: { archived: false, name: 'delta' } };
      await ada.api.updateSpace({ params: { id: first.id }, body });
      expect(await names(linus)).toEqual(['beta', 'delta', 'echo', 'Élan', 'zebra']);
    },
  );
});
