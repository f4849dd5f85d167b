import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { pageWord } from '#shared/domain/crm/contacts/pages.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { duplicatesOf, reasonsOf } from '../../support/duplicates.ts';
import { codeOf } from '../../support/failures.ts';
import { givenGroup } from '../../support/groups.ts';
import { listedItems } from '../../support/listed.ts';
import { longIt } from '../../support/long.ts';
import { bestOfFive } from '../../support/meter.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { givenContact, readContact } from '../../support/proposals.ts';
import { tag } from '../../support/removed-records.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /contacts/{contact_id}/duplicates', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const address = (email_address: string) => ({ email_addresses: [{ email_address }] });
  const phone = (phone_number: string) => ({ phone_numbers: [{ phone_number }] });
  const link = (url: string) => ({ links: [{ url }] });
  const job = (name: string, current = true) => ({
    employments: [{ title: 'Analyst', organization: { name }, current }],
  });
  const share = (user: TestUser, record_id: string, draft: object) =>
    user.api.createShare({ params: { record_type: 'contacts', record_id }, body: { share: draft } });

  it('200: whole, the other contact as in lists, the likeliest first', async () => {
    const other = await givenContact(grace, {
      ...{ name: 'Mary Somerville', visibility: 'private', ...phone('020 7946 0777') },
      ...address('mary@stars.example'),
    });
    const one = await givenContact(ada, {
      ...{ name: 'Mary Somerville', ...phone('+44 20 7946 0777') },
      ...{ ...address('mary@stars.example'), ...link('https://stars.example/mary') },
    });
    const named = await givenContact(ada, { name: 'Somerville, Mary' });
    await givenContact(ada, { name: 'Mary Shelley', ...address('shelley@x.example') });
    await tag(grace, other.id, 'Astronomy');
    const { body } = await grace.reader.listDuplicates({ params: { contact_id: one.id } });
    const { records, ...rest } = body.collection;
    expect(rest).toEqual({ page: 1, per_page: 2, total_results: 2, pages: 1 });
    const { contact } = (await grace.reader.retrieveContact({ params: { id: other.id } })).body;
    const listed = { comments: null, tasks: null, thread_count: null };
    expect(records).toEqual([
      {
        id: expect.any(String),
        contact: { ...contact, ...listed },
        score: 0.98,
        reasons: ['same_email', 'same_phone', 'similar_name'],
      },
      {
        id: expect.any(String),
        contact: { ...(await readContact(grace, named.id)), ...listed },
        score: 0.4,
        reasons: ['similar_name'],
      },
    ]);
    // The pair has one id from both sides.
    const [back] = await duplicatesOf(grace, other.id);
    expect([back?.id, back?.contact.id]).toEqual([records[0]?.id, one.id]);
  });

  it('200: empty without any', async () => {
    const { id } = await givenContact(ada, { name: 'Nobody Else' });
    const { body } = await ada.reader.listDuplicates({ params: { contact_id: id } });
    expect(body.collection).toEqual({ records: [], page: 1, per_page: 0, total_results: 0, pages: 1 });
  });

  it('each reason by itself', async () => {
    const { id } = await givenContact(ada, {
      ...{ name: 'Émilie du Châtelet', ...phone('+33 1 70 18 99 00') },
      ...{ ...link('https://www.cirey.example/emilie/'), ...job('Château de Cirey') },
    });
    await givenContact(ada, { name: 'By Phone', ...phone('0033170189900') });
    await givenContact(ada, { name: 'By Link', ...link('http://cirey.example/emilie') });
    await givenContact(ada, { name: 'emilie du chatelet' });
    await givenContact(ada, { name: 'Du Châtelet, Émilie', ...job('château de cirey', false) });
    await givenContact(ada, { name: 'Émilie', ...job('Château de Cirey') });
    expect(await reasonsOf(ada, id)).toEqual({
      'By Phone': ['same_phone'],
      'By Link': ['same_link'],
      'emilie du chatelet': ['similar_name'],
      'Du Châtelet, Émilie': ['similar_name_same_organization'],
    });
    const scores = (await duplicatesOf(ada, id)).map(({ score }) => score);
    expect(scores).toEqual([0.7, 0.6, 0.6, 0.4]);
  });

  longIt(
    'follows changes: of an address that a hidden contact has, of names, visibility, shares; and deletion',
    async () => {
      const mine = { name: 'Sophie Germain', ...address('sophie@primes.example') };
      const hidden = await givenContact(grace, { ...mine, name: 'Mr Le Blanc', visibility: 'private' });
      const { id } = await givenContact(ada, mine);
      expect(await reasonsOf(ada, id)).toEqual({});
      expect(await reasonsOf(grace, id)).toEqual({ 'Mr Le Blanc': ['same_email'] });
      expect(await reasonsOf(linus, id)).toEqual({});
      const group = await givenGroup(grace, [linus]);
      await share(grace, hidden.id, { group_id: group.id });
      expect(await reasonsOf(linus, id)).toEqual({ 'Mr Le Blanc': ['same_email'] });
      await grace.api.deleteMembership({ params: { group_id: group.id, user_id: linus.user.id } });
      expect(await reasonsOf(linus, id)).toEqual({});

      const update = (contact: object) =>
        grace.api.updateContact({ params: { id: hidden.id }, body: { contact } });
      await update({ visibility: 'account', email_addresses: [], name: 'Germain, Sophie' });
      expect(await reasonsOf(ada, id)).toEqual({ 'Germain, Sophie': ['similar_name'] });
      await update({ name: 'Mr Le Blanc', ...phone('+33 1 70 18 98 00') });
      expect(await reasonsOf(ada, id)).toEqual({});
      await ada.api.updateContact({ params: { id }, body: { contact: phone('0033 1 70189800') } });
      expect(await reasonsOf(ada, id)).toEqual({ 'Mr Le Blanc': ['same_phone'] });
      await grace.api.deleteContact({ params: { id: hidden.id } });
      expect(await reasonsOf(ada, id)).toEqual({});
    },
  );

  it('an organization that the user does not see is no reason', async () => {
    const { id: organization } = await givenOrganization(ada, { name: 'Secret', visibility: 'private' });
    const employments = [{ organization: { id: organization } }];
    const { id } = await givenContact(ada, { name: 'Rosalind F', employments });
    await givenContact(ada, { name: 'rosalind f', employments });
    expect(await reasonsOf(ada, id)).toEqual({ 'rosalind f': ['similar_name_same_organization'] });
    expect(await reasonsOf(linus, id)).toEqual({ 'rosalind f': ['similar_name'] });
  });

  it('404: a hidden contact, one of another account, an unknown one', async () => {
    const { id } = await givenContact(ada, { visibility: 'private' });
    const foreign = await givenContact(workspace.hank, { name: 'Mary Somerville' });
    for (const contact_id of [id, foreign.id, randomUUID()])
      expect(await codeOf(linus.reader.listDuplicates({ params: { contact_id } }))).toBe(
        '404 record_not_found',
      );
  });

  it('a link is found as a whole, and by no query', async () => {
    const { id } = await givenContact(ada, { name: 'Linked', ...link('https://whole.example/a') });
    await givenContact(ada, { name: 'Longer', ...link('https://whole.example/ab') });
    expect(await reasonsOf(ada, id)).toEqual({});
    const word = pageWord('https://whole.example/a');
    for (const query of [word, word.slice(1), word.slice(1, 9), 'whole'])
      expect((await ada.reader.listContacts({ query: { query } })).body.collection.records).toEqual([]);
  });

  it('never names contacts of other accounts', async () => {
    const same = { name: 'Caroline Herschel', ...phone('+49 511 123456'), ...link('https://comets.example') };
    const { id } = await givenContact(ada, { ...same, ...address('c@comets.example') });
    await givenContact(workspace.hank, { ...same, ...address('c@comets.example') });
    expect(await duplicatesOf(ada, id)).toEqual([]);
  });

  longIt('what few have comes before what many have', async () => {
    const many = phone('+1 555 030 9999');
    const others = Array.from({ length: 55 }, (_, i) => ({ name: `Aardvark ${i}`, ...many }));
    await Promise.all(others.map((draft) => givenContact(ada, draft)));
    const { id } = await givenContact(ada, { name: 'Zora Neale', ...many });
    await givenContact(ada, { name: 'Neale, Zora' });
    const found = await reasonsOf(ada, id);
    expect(Object.keys(found)).toHaveLength(50);
    expect(found['Neale, Zora']).toEqual(['similar_name']);
  });

  let run = 0;
  longIt(
    'a value that hundreds have: the first 50 by name, in two calls more than without any',
    bestOfFive,
    async () => {
      // A retry has contacts of its own.
      run += 1;
      const of = (what: string, last: number) => ({
        ...phone(`+1 555 01${run} 77${last}${last}`),
        ...link(`https://${what}-${run}.example`),
      });
      const given = await givenContact(ada, { name: `Switchboard ${run} 000`, ...of('switchboard', 1) });
      const alone = await givenContact(ada, { name: `Alone ${run} 000`, ...of('alone', 2) });
      const stored = (await workspace.table.get<Contact>(keys.record('contacts', given.id))) as Contact;
      const copies = Array.from({ length: 300 }, (_, i) => {
        const id = newId(new Date());
        const name = `Switchboard ${run} ${String(i + 1).padStart(3, '0')}`;
        return { ...stored, ...keys.record('contacts', id), id, name };
      });
      const items = await Promise.all(copies.map((copy) => listedItems(workspace.table, contactIndex, copy)));
      await workspace.table.writeMany(items.flat().map((put) => ({ put })));
      const found = await duplicatesOf(ada, given.id);
      expect(found.map(({ contact }) => contact.name).toSorted()).toEqual(
        copies.slice(0, 50).map(({ name }) => name),
      );
      const trips = (id: string) => countRequestTrips(workspace, ada, () => duplicatesOf(ada, id));
      const [few, many] = [await trips(alone.id), await trips(given.id)];
      expect(many.depth - few.depth).toBeLessThanOrEqual(1);
      // The other contacts, and whether they are known to be different.
      expect(many.calls.length - few.calls.length).toBe(2);
    },
  );
});
