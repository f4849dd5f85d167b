import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf } from '../../support/failures.ts';
import { failNth } from '../../support/faults.ts';
import { longIt, SHORT_STRIDE } from '../../support/long.ts';
import { givenMilestone, readMilestone } from '../../support/milestones.ts';
import { givenOrganization, readOrganization } from '../../support/organizations.ts';
import { givenContact, readContact } from '../../support/proposals.ts';
import { purgeAll, runRemovals } from '../../support/removed-records.ts';
import { givenSpace, join, spacesOf } from '../../support/spaces.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /spaces/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const remove = (user: TestUser, id: string) => user.api.deleteSpace({ params: { id } });

  it('204: it is nowhere at once; its members, tasks and milestones stay without it', async () => {
    const { id } = await givenSpace(ada);
    const [contact, organization] = [await givenContact(ada), await givenOrganization(ada)];
    await join(ada, id, { contact_id: contact.id });
    await join(ada, id, { organization_id: organization.id });
    const milestone = await givenMilestone(ada, { space_id: id });
    const { task } = (await ada.api.createTask({ body: { task: { name: 'Sail', space_id: id } } })).body;
    const params = { record_type: 'spaces' as const, record_id: id };
    await ada.api.createComment({ params, body: { comment: { html_content: 'Ahoy' } } });
    await remove(ada, id);
    expect(await codeOf(remove(ada, id))).toBe('404 record_not_found');
    expect(await spacesOf(linus)).toEqual([]);
    const check = async () => {
      expect((await readContact(linus, contact.id)).space_ids).toEqual([]);
      expect((await readOrganization(linus, organization.id)).space_ids).toEqual([]);
      expect((await readMilestone(linus, milestone.id)).space_id).toBeNull();
      const { body } = await ada.reader.retrieveTask({ params: { id: task.id } });
      expect(body.task.space_id).toBeNull();
    };
    await check();
    await purgeAll(workspace);
    await check();
    for (const { PK } of [keys.record('spaces', id), keys.ownerRow('spaces', id, '')])
      expect(await workspace.table.all(PK)).toEqual([]);
    for (const key of [keys.record('contacts', contact.id), keys.record('organizations', organization.id)])
      expect(await workspace.table.get(key)).not.toHaveProperty('memberships');
  });

  it('403: for everyone except its owner and admins, whatever is shared with them', async () => {
    const own = await givenSpace(linus);
    await remove(linus, own.id);
    const { id } = await givenSpace(ada);
    const params = { record_type: 'spaces' as const, record_id: id };
    const share = { user_id: linus.user.id, access: 'edit' as const };
    await ada.api.createShare({ params, body: { share } });
    expect(await codeOf(remove(linus, id))).toBe('403 permission_denied');
    const theirs = await givenSpace(linus);
    expect((await remove(ada, theirs.id)).status).toBe(204);
    const hidden = await givenSpace(linus, { visibility: 'private' });
    expect(await codeOf(remove(ada, hidden.id))).toBe('404 record_not_found');
    expect(await codeOf(remove(workspace.hank, id))).toBe('404 record_not_found');
  });

  it('a space of tags is forgotten by what carries them', async () => {
    const tag = (await ada.api.createTag({ body: { tag: { name: 'Afloat' } } })).body.tag.id;
    const { id } = await givenSpace(ada, { kind: 'tags', tag_ids: [tag] });
    const contact = await givenContact(ada);
    const params = { record_type: 'contacts' as const, record_id: contact.id };
    await ada.api.applyTag({ params, body: { tag_id: tag } });
    expect((await readContact(linus, contact.id)).space_ids).toEqual([id]);
    await remove(ada, id);
    expect((await readContact(linus, contact.id)).space_ids).toEqual([]);
    expect(await workspace.table.get(keys.taggedSpace(ada.user.account_id, id))).toBeUndefined();
  });

  longIt('is there or gone, whichever call fails, and its members lose it', async () => {
    const [owner] = (await givenAccount(workspace, 1)) as [TestUser];
    const contact = await givenContact(owner);
    let rounds = 0;
    for (let nth = 0, hit = true; hit; nth += SHORT_STRIDE) {
      const { id } = await givenSpace(owner);
      await join(owner, id, { contact_id: contact.id });
      const fault = failNth(workspace.table, nth);
      await remove(owner, id).catch(({ status }) => expect(status).toBe(500));
      fault.remove();
      hit = fault.hit;
      rounds += 1;
      await remove(owner, id).catch(({ status }) => expect(status).toBe(404));
      expect(await spacesOf(owner)).toEqual([]);
      await runRemovals(workspace);
      expect(await workspace.table.get(keys.record('contacts', contact.id))).not.toHaveProperty(
        'memberships',
      );
      const count = await workspace.table.get(keys.recordCount(owner.user.account_id, 'spaces'));
      expect(count).toMatchObject({ record_count: 0 });
    }
    expect(rounds).toBeGreaterThan(2);
  });
});
