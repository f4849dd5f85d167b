import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newContact } from '#shared/domain/crm/contacts/create.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { callerOf } from '../../support/callers.ts';
import { restore } from '../../support/deletions.ts';
import { mergeWhole, unmergeWhole } from '../../support/duplicates.ts';
import { codeOf, problemsOf, refusalsOf } from '../../support/failures.ts';
import { listedItems } from '../../support/listed.ts';
import { longIt } from '../../support/long.ts';
import { givenContact, readContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /contacts/{contact_id}/pin', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const pin = (user: TestUser, contact_id: string) => user.api.pinContact({ params: { contact_id } });
  const pinned = async (user: TestUser) =>
    (await user.reader.listContacts({ query: { slice: 'pinned' } })).body.collection.records;

  it('200: for this user alone; a repeat changes nothing, and updated_at stays', async () => {
    const { id } = await givenContact(ada);
    for (const _ of [1, 2]) expect((await pin(ada, id)).body).toEqual({ ok: 'ok' });
    expect(await readContact(ada, id)).toMatchObject({ pinned: true, updated_at: null });
    expect(await readContact(grace, id)).toMatchObject({ pinned: false });
    expect((await pinned(ada)).map((contact) => [contact.id, contact.pinned])).toEqual([[id, true]]);
    expect(await pinned(grace)).toEqual([]);
  });

  it('200: who may only look at a contact may pin it; it leaves the list with the share', async () => {
    const { id } = await givenContact(ada, { visibility: 'private' });
    const on = { record_type: 'contacts' as const, record_id: id };
    const share = { user_id: grace.user.id };
    const { body } = await ada.api.createShare({ params: on, body: { share } });
    await pin(grace, id);
    expect(await pinned(grace)).toMatchObject([{ id }]);
    await ada.api.deleteShare({ params: { ...on, id: body.share.id } });
    expect(await pinned(grace)).toEqual([]);
    expect((await grace.reader.countContacts({ query: { slice: 'pinned' } })).body.count.total).toBe(0);
  });

  it('pins by both of two users at once, and of one who also changes it', async () => {
    const { id } = await givenContact(ada);
    await Promise.all([
      pin(ada, id),
      pin(grace, id),
      grace.api.updateContact({ params: { id }, body: { contact: { nickname: 'Both' } } }),
    ]);
    for (const user of [ada, grace])
      expect(await readContact(user, id)).toMatchObject({ pinned: true, nickname: 'Both' });
    expect((await pinned(grace)).map((contact) => contact.id)).toContain(id);
  });

  it('404: a contact that the user does not see', async () => {
    const { id } = await givenContact(ada, { visibility: 'private' });
    for (const hidden of [id, randomUUID()])
      expect(await codeOf(pin(grace, hidden))).toBe('404 record_not_found');
  });

  const countPinned = async (user: TestUser) =>
    (await user.reader.countContacts({ query: { slice: 'pinned' } })).body.count.total;

  /** Contacts that the user pinned. */
  async function givenPins({ user }: TestUser, length: number) {
    const { table } = workspace;
    const caller = await callerOf(table, user);
    const contacts = Array.from({ length }, (_, i) => ({
      ...newContact(caller, { name: `Pinned ${i}` }, new Date()),
      pinned_by: new Set([user.id]),
    }));
    const items = contacts.map((contact) => listedItems(table, contactIndex, contact));
    await table.writeMany((await Promise.all(items)).flat().map((put) => ({ put })));
    return contacts;
  }

  longIt('400: the 101st, also of some at once', async () => {
    const { hank } = workspace;
    const contacts = await givenPins(hank, 100);
    const { id } = await givenContact(hank);
    expect(await problemsOf(pin(hank, id))).toEqual({ contact_id: 'invalid' });
    await hank.api.unpinContact({ params: { contact_id: contacts[0]?.id as string } });
    expect((await pin(hank, id)).status).toBe(200);
    for (const { id: contact_id } of contacts.slice(1, 4))
      await hank.api.unpinContact({ params: { contact_id } });
    const more = await Promise.all(Array.from({ length: 8 }, () => givenContact(hank)));
    expect(await refusalsOf(more.map((each) => pin(hank, each.id)))).toEqual(Array(5).fill(400));
    expect(await countPinned(hank)).toBe(100);
  });

  longIt('the 101st that a restored contact brings back, also of some at once, is no pin', async () => {
    const gone = await Promise.all(Array.from({ length: 4 }, () => givenContact(linus)));
    for (const { id } of gone) {
      await pin(linus, id);
      await pin(grace, id);
      await linus.api.deleteContact({ params: { id } });
    }
    await givenPins(linus, 98);
    const restored = await Promise.all(gone.map(({ id }) => restore(linus, 'contacts', id)));
    expect(restored.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await countPinned(linus)).toBe(100);
    for (const { id } of gone) expect(await readContact(grace, id)).toMatchObject({ pinned: true });
  });

  longIt('neither is that of one whose merge is taken back', async () => {
    const [into, from] = [await givenContact(ada), await givenContact(ada)];
    for (const { id } of [into, from]) for (const user of [ada, grace]) await pin(user, id);
    await mergeWhole(workspace, ada, into.id, from.id);
    await givenPins(ada, 100 - (await countPinned(ada)));
    const { contact, unmerged_contact } = await unmergeWhole(workspace, ada, into.id, from.id);
    expect([contact.pinned, unmerged_contact.pinned]).toEqual([true, false]);
    expect(await countPinned(ada)).toBe(100);
    expect(await readContact(grace, from.id)).toMatchObject({ pinned: true });
  });
});
