import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Granted, takingForGranted } from '#shared/domain/collaboration/record-lists/granted.ts';
import { Remembered } from '#shared/domain/collaboration/record-lists/remembered.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { bringAll } from '../../../support/custom-fields.ts';
import { givenDeal } from '../../../support/deals.ts';
import { codeOf } from '../../../support/failures.ts';
import { longIt } from '../../../support/long.ts';
import { givenOrganization } from '../../../support/organizations.ts';
import { givenContact } from '../../../support/proposals.ts';
import { givenSpace, join } from '../../../support/spaces.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** What an earlier request has read is a guess: lists say what is true now. */

describe('lists after what they take for granted has changed', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let member: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    [owner, member] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
  });
  afterAll(() => workspace.stop());

  const namesOf = ({ records }: { records: { name: string }[] }) => records.map(({ name }) => name).sort();
  const contactsBy = async (query: object, { reader } = owner) =>
    namesOf((await reader.listContacts({ query })).body.collection);
  const dealsBy = async (query: object, { reader } = owner) =>
    namesOf((await reader.listDeals({ query })).body.collection);
  const givenTag = async (name: string) =>
    (await owner.api.createTag({ body: { tag: { name } } })).body.tag.id;

  it('the tags of a space', async () => {
    const [first, second] = [await givenTag('first'), await givenTag('second')];
    for (const [name, tag_id] of [
      ['Una', first],
      ['Duo', second],
    ] as const) {
      const { id } = await givenContact(owner, { name });
      await owner.api.applyTag({ params: { record_type: 'contacts', record_id: id }, body: { tag_id } });
      const deal = await givenDeal(owner, { name });
      await owner.api.applyTag({ params: { record_type: 'deals', record_id: deal.id }, body: { tag_id } });
    }
    const { id } = await givenSpace(owner, { kind: 'tags', tag_ids: [first] });
    for (let time = 0; time < 2; time++) {
      expect(await contactsBy({ space_id: id })).toEqual(['Una']);
      expect(await dealsBy({ space_id: id })).toEqual(['Una']);
    }
    await owner.api.updateSpace({ params: { id }, body: { space: { tag_ids: [second] } } });
    expect(await contactsBy({ space_id: id })).toEqual(['Duo']);
    expect(await dealsBy({ space_id: id })).toEqual(['Duo']);
    await owner.api.updateSpace({ params: { id }, body: { space: { visibility: 'private' } } });
    expect(await codeOf(member.reader.listContacts({ query: { space_id: id } }))).toBe(
      '404 record_not_found',
    );
    expect(await codeOf(member.reader.listDeals({ query: { space_id: id } }))).toBe('404 record_not_found');
  });

  it('the members of a space', async () => {
    const { id } = await givenSpace(owner);
    const organization = await givenOrganization(owner, { name: 'Yard' });
    await givenDeal(owner, { name: 'Hull', organization_id: organization.id });
    for (let time = 0; time < 2; time++) expect(await dealsBy({ space_id: id })).toEqual([]);
    const { id: membership } = await join(owner, id, { organization_id: organization.id });
    expect(await dealsBy({ space_id: id })).toEqual(['Hull']);
    await owner.api.deleteSpaceMembership({ params: { space_id: id, id: membership } });
    expect(await dealsBy({ space_id: id })).toEqual([]);
  });

  it('what a member sees of a space is not what another one saw', async () => {
    const { id } = await givenSpace(owner);
    const contact = await givenContact(owner, { name: 'Hidden', visibility: 'private' });
    await join(owner, id, { contact_id: contact.id });
    await givenDeal(owner, { name: 'Open', contact_ids: [contact.id] });
    for (let time = 0; time < 2; time++) {
      expect(await dealsBy({ space_id: id })).toEqual(['Open']);
      expect(await dealsBy({ space_id: id }, member)).toEqual([]);
    }
  });

  longIt('a custom field that is another one by now', async () => {
    const define = async (type: 'text' | 'number') => {
      const field = { record_type: 'contacts' as const, key: 'rank', name: 'Rank', type, indexed: true };
      const { custom_field } = (await owner.api.createCustomField({ body: { custom_field: field } })).body;
      await bringAll(workspace, owner);
      return custom_field.id;
    };
    const asked = { custom_fields: { rank: '7' } };
    const sort = { sort: 'custom_fields.rank' };
    const first = await define('text');
    const { id } = await givenContact(owner, { name: 'Seven', custom_fields: { rank: '7' } });
    for (let time = 0; time < 2; time++) expect(await contactsBy(asked)).toEqual(['Seven']);
    expect(await contactsBy(sort)).toContain('Seven');
    await owner.api.deleteCustomField({ params: { id: first } });
    expect(await codeOf(owner.reader.listContacts({ query: asked }))).toBe('400 invalid_request');
    expect(await codeOf(owner.reader.listContacts({ query: sort as never }))).toBe('400 invalid_request');
    await owner.api.updateContact({ params: { id }, body: { contact: { custom_fields: { rank: null } } } });
    await define('number');
    await owner.api.updateContact({ params: { id }, body: { contact: { custom_fields: { rank: 7 } } } });
    expect(await contactsBy(asked)).toEqual(['Seven']);
    expect(await codeOf(owner.reader.listContacts({ query: { custom_fields: { rank: 'x' } } }))).toBe(
      '400 invalid_request',
    );
  });
});

describe('what is taken for granted', () => {
  it('is read again when an earlier request saw something else, and then as it is', async () => {
    const memory = new Remembered<string>(2);
    memory.keep('a', 'before');
    const seen: string[] = [];
    const found = await takingForGranted(async (granted) => {
      seen.push(await granted.known(memory, 'a', async () => 'now'));
      return seen.at(-1);
    });
    expect([found, seen, memory.get('a')]).toEqual(['now', ['before', 'now'], 'now']);
  });

  it('is not remembered when it cannot be read, which refuses the request', async () => {
    const memory = new Remembered<string>(2);
    const failing = () => Promise.reject(new Error('hidden'));
    const reading = takingForGranted((granted) => granted.known(memory, 'a', failing, 'usual'));
    await expect(reading).rejects.toThrow('hidden');
    expect(memory.get('a')).toBe(undefined);
  });

  it('goes when there is too much of it, the oldest first', () => {
    const memory = new Remembered<number>(2);
    for (const [i, name] of ['a', 'b', 'a', 'c'].entries()) memory.keep(name, i);
    expect(['a', 'b', 'c'].map((name) => memory.get(name))).toEqual([2, undefined, 3]);
    expect(new Granted().isWrong).toBe(false);
  });
});
