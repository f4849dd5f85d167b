import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { givenGroup } from '../../support/groups.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /groups/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: as it was created, to users who are in it and to others', async () => {
    const { ada, grace, linus } = workspace;
    const group = await givenGroup(grace, [grace, ada]);
    const read = async (user: typeof ada, id = group.id) =>
      (await user.reader.retrieveGroup({ params: { id } })).body.group;
    expect(await read(grace)).toEqual(group);
    expect(await read(ada, group.id.toUpperCase())).toEqual(group);
    expect(await read(linus)).toEqual({ ...group, member: false });
  });

  it('404: another account’s group, and an unknown one', async () => {
    const group = await givenGroup(workspace.hank);
    for (const id of [group.id, randomUUID()])
      expect(await codeOf(workspace.ada.reader.retrieveGroup({ params: { id } }))).toBe(
        '404 record_not_found',
      );
  });
});
