import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf } from '../../support/failures.ts';
import { failNth } from '../../support/faults.ts';
import { longIt, SHORT_STRIDE } from '../../support/long.ts';
import { givenOrganization, readOrganization } from '../../support/organizations.ts';
import { givenContact, readContact } from '../../support/proposals.ts';
import { givenSpace, join } from '../../support/spaces.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /spaces/{space_id}/memberships/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const leave = ({ api }: TestUser, space_id: string, id: string) =>
    api.deleteSpaceMembership({ params: { space_id, id } });
  const people = async (user: TestUser, query: object) =>
    (await user.reader.listContacts({ query })).body.collection.records.map(({ id }) => id);
  const stored = (id: string) => workspace.table.get<Contact>(keys.record('contacts', id));

  it('204: it is in the space no longer; the other spaces and fields stay', async () => {
    const [first, second] = [await givenSpace(ada), await givenSpace(ada)];
    const contact = await givenContact(ada, { headline: 'Captain' });
    const membership = await join(ada, first.id, { contact_id: contact.id });
    const other = await join(ada, second.id, { contact_id: contact.id });
    expect(await codeOf(leave(ada, second.id, membership.id))).toBe('404 record_not_found');
    expect((await leave(linus, first.id, membership.id)).status).toBe(204);
    expect(await codeOf(leave(linus, first.id, membership.id))).toBe('404 record_not_found');
    expect(await readContact(ada, contact.id)).toMatchObject({ space_ids: [second.id], headline: 'Captain' });
    expect([await people(ada, { space_id: first.id }), await people(ada, { space_id: second.id })]).toEqual([
      [],
      [contact.id],
    ]);
    await leave(ada, second.id, other.id);
    expect(await stored(contact.id)).not.toHaveProperty('memberships');
    for (const { id } of [first, second])
      expect(await workspace.table.all(keys.ownerRow('spaces', id, '').PK)).toEqual([]);
  });

  it('204: an organization', async () => {
    const { id } = await givenSpace(ada);
    const organization = await givenOrganization(ada);
    const membership = await join(ada, id, { organization_id: organization.id });
    await leave(ada, id, membership.id);
    expect((await readOrganization(linus, organization.id)).space_ids).toEqual([]);
  });

  longIt('403 with a share to view; 404 for unknown, foreign and hidden ones', async () => {
    const { id } = await givenSpace(ada, { visibility: 'private' });
    const contact = await givenContact(ada);
    const membership = await join(ada, id, { contact_id: contact.id });
    for (const user of [linus, workspace.hank])
      expect(await codeOf(leave(user, id, membership.id))).toBe('404 record_not_found');
    const params = { record_type: 'spaces' as const, record_id: id };
    const { share } = (await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } }))
      .body;
    expect(await codeOf(leave(linus, id, membership.id))).toBe('403 permission_denied');
    await ada.api.updateShare({ params: { ...params, id: share.id }, body: { share: { access: 'edit' } } });
    expect(await codeOf(leave(linus, id, randomUUID()))).toBe('404 record_not_found');
    const secret = { contact: { visibility: 'private' as const } };
    await ada.api.updateContact({ params: { id: contact.id }, body: secret });
    expect(await codeOf(leave(linus, id, membership.id))).toBe('404 record_not_found');
    expect((await readContact(ada, contact.id)).space_ids).toEqual([id]);
  });

  longIt('is there or not, with its row and its places, whichever call fails', async () => {
    let rounds = 0;
    const contact = await givenContact(ada);
    for (let nth = 0, hit = true; hit; nth += SHORT_STRIDE) {
      const { id } = await givenSpace(ada);
      const membership = await join(ada, id, { contact_id: contact.id });
      const fault = failNth(workspace.table, nth);
      await leave(ada, id, membership.id).catch(({ status }) => expect(status).toBe(500));
      fault.remove();
      hit = fault.hit;
      rounds += 1;
      const there = (await stored(contact.id))?.memberships?.[id] !== undefined;
      const rows = await workspace.table.all(keys.ownerRow('spaces', id, '').PK);
      expect([await people(ada, { space_id: id }), rows.length]).toEqual(there ? [[contact.id], 1] : [[], 0]);
      await leave(ada, id, membership.id).catch(({ status }) => expect(status).toBe(404));
      expect(await people(ada, { space_id: id })).toEqual([]);
    }
    expect(rounds).toBeGreaterThan(2);
  });
});
