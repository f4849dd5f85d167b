import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIndexings } from '../../support/duplicates.ts';
import { codeOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { givenContact } from '../../support/proposals.ts';
import { givenSpace, join, readSpace } from '../../support/spaces.ts';
import { replaceForGood } from '../../support/tags.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** What belongs to a space: its lists, filtered by `space_id`. */
describe('space_id', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  let mailbox: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace, linus } = workspace);
    mailbox = await givenMailbox(workspace, ada);
    const params = { record_type: 'mailboxes' as const, record_id: mailbox };
    for (const { user } of [grace, linus])
      await ada.api.createShare({ params, body: { share: { user_id: user.id } } });
  });
  afterAll(() => workspace.stop());

  const lists = {
    contacts: ({ reader }: TestUser, query: object) => reader.listContacts({ query }),
    organizations: ({ reader }: TestUser, query: object) => reader.listOrganizations({ query }),
    deals: ({ reader }: TestUser, query: object) => reader.listDeals({ query }),
    tasks: ({ reader }: TestUser, query: object) => reader.listTasks({ query }),
    threads: ({ reader }: TestUser, query: object) => reader.listThreads({ query }),
  };
  type Listed = keyof typeof lists;
  const counts = {
    contacts: ({ reader }: TestUser, query: object) => reader.countContacts({ query }),
    organizations: ({ reader }: TestUser, query: object) => reader.countOrganizations({ query }),
    deals: ({ reader }: TestUser, query: object) => reader.countDeals({ query }),
    tasks: ({ reader }: TestUser, query: object) => reader.countTasks({ query }),
    threads: ({ reader }: TestUser, query: object) => reader.countThreads({ query }),
  };

  /** The ids of the list, which are as many as are counted. */
  async function inSpace(
    user: TestUser,
    type: Listed,
    space_id: string,
    query: object = {},
  ): Promise<string[]> {
    const { records } = (await lists[type](user, { space_id, ...query })).body.collection as {
      records: { id: string }[];
    };
    const { count } = (await counts[type](user, { space_id, ...query })).body;
    expect(count.total).toBe(records.length);
    return records.map(({ id }) => id).sort();
  }

  /** A person with mail; the ids of both. */
  async function givenPerson(draft: object = {}, user = ada) {
    const email_address = `${randomUUID()}@a.example`;
    const contact = await givenContact(user, { email_addresses: [{ email_address }], ...draft });
    await importMail(workspace, ada, mailbox, [
      eml({ id: randomUUID(), from: email_address, subject: 'Hello' }),
    ]);
    const { body } = await ada.reader.listThreads({ query: { participant: email_address } });
    return { id: contact.id, thread: body.collection.records[0]?.id ?? '' };
  }
  const givenDeal = async (draft: object) =>
    (await ada.api.createDeal({ body: { deal: { name: randomUUID(), ...draft } } })).body.deal.id;
  const tagged = async (
    record_type: 'contacts' | 'threads' | 'deals' | 'organizations',
    id: string,
    tag_id: string,
  ) => {
    await ada.api.applyTag({ params: { record_type, record_id: id }, body: { tag_id } });
  };
  const givenTag = async () =>
    (await ada.api.createTag({ body: { tag: { name: randomUUID() } } })).body.tag.id;

  longIt(
    'of records: members, their deals, and threads with them and with the people of its organizations',
    async () => {
      const { id } = await givenSpace(ada);
      const yard = await givenOrganization(ada);
      const [person, employee, other] = [
        await givenPerson(),
        await givenPerson({ employments: [{ organization: { id: yard.id } }] }),
        await givenPerson(),
      ];
      const membership = await join(ada, id, { contact_id: person.id });
      await join(ada, id, { organization_id: yard.id });
      const byPerson = await givenDeal({ contacts: [{ id: person.id }] });
      const byYard = await givenDeal({ organization_id: yard.id, contacts: [{ id: person.id }] });
      await givenDeal({ contacts: [{ id: employee.id }] });
      await givenDeal({ contacts: [{ id: other.id }] });
      const { task } = (await ada.api.createTask({ body: { task: { name: 'Sail', space_id: id } } })).body;
      for (const user of [ada, linus]) {
        expect(await inSpace(user, 'contacts', id)).toEqual([person.id]);
        expect(await inSpace(user, 'organizations', id)).toEqual([yard.id]);
        expect(await inSpace(user, 'deals', id)).toEqual([byPerson, byYard].sort());
        expect(await inSpace(user, 'tasks', id)).toEqual([task.id]);
        expect(await inSpace(user, 'threads', id)).toEqual([person.thread, employee.thread].sort());
      }
      expect(await inSpace(ada, 'deals', id, { organization_id: yard.id, status: 'open' })).toEqual([byYard]);
      expect(await readSpace(linus, id)).toMatchObject({ thread_count: 2, open_task_count: 1 });

      // An address that is new to a member counts at once, and one that leaves counts no longer.
      const email_addresses = [{ email_address: `${randomUUID()}@a.example` }];
      await ada.api.updateContact({ params: { id: person.id }, body: { contact: { email_addresses } } });
      expect(await inSpace(ada, 'threads', id)).toEqual([employee.thread]);
      await ada.api.deleteSpaceMembership({ params: { space_id: id, id: membership.id } });
      expect(await inSpace(ada, 'deals', id)).toEqual([byYard]);
    },
  );

  longIt('of tags: a replaced tag counts as its replacement for good, a deleted one no longer', async () => {
    const [old, middle, kept, other] = [
      await givenTag(),
      await givenTag(),
      await givenTag(),
      await givenTag(),
    ];
    const [both, alone] = [await givenContact(ada), await givenContact(ada)];
    for (const tag of [old, other]) await tagged('contacts', both.id, tag);
    await tagged('contacts', alone.id, other);
    const setup = { kind: 'tags', tag_ids: [old, other] };
    const any = await givenSpace(ada, setup);
    const all = await givenSpace(ada, { ...setup, tag_operator: 'all' });
    const expectSpaces = async (tag_ids: string[], of_all: string[]) => {
      for (const { id } of [any, all]) expect((await readSpace(ada, id)).tag_ids).toEqual(tag_ids);
      expect(await inSpace(ada, 'contacts', any.id)).toEqual([both.id, alone.id].sort());
      expect(await inSpace(ada, 'contacts', all.id)).toEqual(of_all);
    };
    await replaceForGood(workspace, ada, old, middle);
    await expectSpaces([middle, other], [both.id]);
    await replaceForGood(workspace, ada, middle, kept);
    await runIndexings(workspace);
    await expectSpaces([kept, other], [both.id]);
    const found = (await ada.reader.retrieveContact({ params: { id: both.id } })).body.contact;
    expect(found.space_ids?.toSorted()).toEqual([any.id, all.id].sort());
    await replaceForGood(workspace, ada, kept, null);
    await expectSpaces([other], [both.id, alone.id].sort());
  });

  longIt('of records: a hidden person or organization leads nobody to threads and deals', async () => {
    const { id } = await givenSpace(ada);
    const secret = await givenPerson({ visibility: 'private' });
    const yard = await givenOrganization(ada, { visibility: 'private' });
    const employee = await givenPerson();
    const body = { contact: { employments: [{ organization: { id: yard.id } }] } };
    await ada.api.updateContact({ params: { id: employee.id }, body });
    await join(ada, id, { contact_id: secret.id });
    await join(ada, id, { organization_id: yard.id });
    const deals = [
      await givenDeal({ contacts: [{ id: secret.id }] }),
      await givenDeal({ organization_id: yard.id }),
    ];
    expect(await inSpace(ada, 'threads', id)).toEqual([secret.thread, employee.thread].sort());
    expect(await inSpace(ada, 'deals', id)).toEqual(deals.sort());
    for (const type of ['contacts', 'organizations', 'deals', 'threads'] as const)
      expect(await inSpace(linus, type, id), type).toEqual([]);
    expect(await readSpace(linus, id)).toMatchObject({
      thread_count: 0,
      contact_ids: [],
      organization_ids: [],
    });
    const params = { record_type: 'organizations' as const, record_id: yard.id };
    await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    expect(await inSpace(linus, 'threads', id)).toEqual([employee.thread]);
    expect(await inSpace(linus, 'deals', id)).toEqual([deals[1]]);
    const visibility = { organization: { visibility: 'account' as const } };
    await ada.api.updateOrganization({ params: { id: yard.id }, body: visibility });
    expect(await inSpace(grace, 'threads', id)).toEqual([employee.thread]);
  });

  longIt(
    'of tags: whatever carries one of them, or all; replaced tags count as their replacements',
    async () => {
      const [first, second] = [await givenTag(), await givenTag()];
      const { id } = await givenSpace(ada, { kind: 'tags', tag_ids: [first, second] });
      const both = await givenPerson();
      const one = await givenPerson();
      const yard = await givenOrganization(ada);
      const deal = await givenDeal({});
      for (const tag of [first, second]) {
        await tagged('contacts', both.id, tag);
        await tagged('threads', both.thread, tag);
      }
      await tagged('contacts', one.id, first);
      await tagged('threads', one.thread, second);
      await tagged('organizations', yard.id, first);
      await tagged('deals', deal, second);
      expect(await inSpace(linus, 'contacts', id)).toEqual([both.id, one.id].sort());
      expect(await inSpace(linus, 'threads', id)).toEqual([both.thread, one.thread].sort());
      expect(await inSpace(linus, 'organizations', id)).toEqual([yard.id]);
      expect(await inSpace(linus, 'deals', id)).toEqual([deal]);
      const spaces = async (contact: string) =>
        (await linus.reader.retrieveContact({ params: { id: contact } })).body.contact.space_ids;
      expect([await spaces(both.id), await spaces(one.id)]).toEqual([[id], [id]]);

      const change = (space: object) => ada.api.updateSpace({ params: { id }, body: { space } });
      await change({ tag_operator: 'all' });
      expect(await inSpace(linus, 'contacts', id)).toEqual([both.id]);
      expect(await inSpace(linus, 'threads', id)).toEqual([both.thread]);
      expect(await inSpace(linus, 'deals', id)).toEqual([]);
      expect([await spaces(both.id), await spaces(one.id)]).toEqual([[id], []]);

      const third = await givenTag();
      await ada.api.deleteTag({ params: { id: second }, body: { replacement_tag_id: third } });
      expect(await inSpace(linus, 'contacts', id)).toEqual([both.id]);
      await ada.api.deleteTag({ params: { id: third } });
      expect(await inSpace(linus, 'contacts', id)).toEqual([both.id, one.id].sort());
      await change({ tag_ids: [] });
      for (const type of ['contacts', 'organizations', 'deals', 'threads'] as const)
        expect(await inSpace(linus, type, id), type).toEqual([]);
      expect(await spaces(both.id)).toEqual([]);
    },
  );

  it.each(Object.keys(lists) as Listed[])('404 and 400: %s of a space that is not visible', async (type) => {
    const { id } = await givenSpace(grace, { visibility: 'private' });
    for (const space_id of [id, randomUUID()]) {
      expect(await codeOf(lists[type](ada, { space_id }))).toBe('404 record_not_found');
      expect(await codeOf(counts[type](ada, { space_id }))).toBe('404 record_not_found');
    }
    expect(await codeOf(lists[type](ada, { space_id: 'x' }))).toBe('400 invalid_request');
  });
});
