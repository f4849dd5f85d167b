import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ListEntry } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { openJobs } from '../../support/jobs.ts';
import { longIt, STRIDE } from '../../support/long.ts';
import { givenOrganization, organizationsOf, readOrganization } from '../../support/organizations.ts';
import { givenContact, readContact } from '../../support/proposals.ts';
import { runRemovals } from '../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('employments at organizations', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const at = (organization: object | null, more: object = {}) => ({
    employments: [{ organization, ...more }],
  });
  const update = (user: TestUser, id: string, contact: object) =>
    user.api.updateContact({ params: { id }, body: { contact } });
  const people = async (user: TestUser, query: object) =>
    (await user.reader.listContacts({ query })).body.collection.records.map(({ id }) => id).sort();
  const rows = (organization_id: string) =>
    workspace.table.all(keys.ownerRow('organizations', organization_id, '').PK);

  it('name an organization by id: both show each other', async () => {
    const { id, name } = await givenOrganization(ada, { domains: ['both.example', 'more.example'] });
    const contact = await givenContact(ada, at({ id }, { title: 'Analyst' }));
    const organization = { id, name, domain: 'both.example' };
    expect(contact.employments).toMatchObject([{ title: 'Analyst', organization, current: true }]);
    expect(await readContact(grace, contact.id)).toMatchObject({ employments: contact.employments });
    expect(await readOrganization(grace, id)).toMatchObject({
      contact_count: 1,
      employments: [
        { id: contact.employments[0]?.id, organization, contact: { id: contact.id, name: contact.name } },
      ],
    });
    expect(await organizationsOf(grace, { contact_id: contact.id })).toMatchObject([
      { id, employments: null, contact_count: null },
    ]);
  });

  it('find an organization by name without case, or create it; a PATCH does the same', async () => {
    const { id } = await givenOrganization(ada, { name: 'Straße & Co' });
    const found = await givenContact(grace, at({ name: ' STRASSE & Co ' }));
    expect(found.employments[0]?.organization?.id).toBe(id);
    const name = `New ${randomUUID()}`;
    const made = await givenContact(grace, at({ name }));
    const [created] = await organizationsOf(ada, { query: name });
    expect(created).toMatchObject({ name, user_id: grace.user.id, visibility: 'account' });
    expect(made.employments[0]?.organization).toEqual({ id: created?.id, name, domain: null });
    const { body } = await update(ada, made.id, at({ name: 'Straße & Co' }));
    expect(body.contact.employments[0]?.organization?.id).toBe(id);
    expect(await people(ada, { organization_id: created?.id })).toEqual([]);
  });

  longIt('of one name in several requests and entries create one organization', async () => {
    const name = `Raced ${randomUUID()}`;
    const employments = [
      { organization: { name } },
      { organization: { name: name.toUpperCase() }, title: 'X' },
    ];
    const made = await Promise.all(Array.from({ length: 8 }, () => givenContact(ada, { employments })));
    const found = await organizationsOf(ada, { query: name });
    expect(found).toHaveLength(1);
    const ids = made.flatMap((each) => each.employments.map(({ organization }) => organization?.id));
    expect(new Set(ids)).toEqual(new Set([found[0]?.id]));
    expect(await readOrganization(ada, found[0]?.id ?? '')).toMatchObject({ contact_count: 8 });
  });

  it('of a private contact create a private organization, and never use a hidden one', async () => {
    const name = `Secret ${randomUUID()}`;
    const own = await givenContact(grace, { visibility: 'private', ...at({ name }) });
    const [secret] = await organizationsOf(grace, { query: name });
    expect(secret?.visibility).toBe('private');
    expect(own.employments[0]?.organization?.id).toBe(secret?.id);
    const other = await givenContact(ada, at({ name }));
    expect(other.employments[0]?.organization?.id).not.toBe(secret?.id);
  });

  it('show a hidden organization as null, and keep it when it is sent back', async () => {
    const { id } = await givenOrganization(grace, { visibility: 'private' });
    const contact = await givenContact(grace, at({ id }, { title: 'Spy' }));
    const seen = await readContact(ada, contact.id);
    expect(seen.employments).toMatchObject([{ title: 'Spy', organization: null }]);
    await update(ada, contact.id, { employments: [{ title: 'Spy', organization: null, label: 'x' }] });
    expect((await readContact(grace, contact.id)).employments).toMatchObject([{ organization: { id } }]);
    await update(ada, contact.id, { employments: [] });
    expect(await people(grace, { organization_id: id })).toEqual([]);
  });

  it('404: an organization that is hidden, of another account, of another type, or unknown', async () => {
    const hidden = await givenOrganization(grace, { visibility: 'private' });
    const foreign = await givenOrganization(workspace.hank);
    const { id } = await givenContact(ada);
    for (const each of [hidden.id, foreign.id, id, randomUUID()]) {
      expect(await codeOf(update(ada, id, at({ id: each })))).toBe('404 record_not_found');
      expect(await codeOf(ada.reader.listContacts({ query: { organization_id: each } }))).toBe(
        '404 record_not_found',
      );
    }
    expect(await codeOf(ada.reader.listOrganizations({ query: { contact_id: hidden.id } }))).toBe(
      '404 record_not_found',
    );
    expect(await problemsOf(ada.reader.listContacts({ query: { current: 'true' } }))).toEqual({
      current: 'invalid',
    });
  });

  longIt('filter people by organization: current, past or both; hidden people are not counted', async () => {
    const { id } = await givenOrganization(ada);
    const now = await givenContact(ada, at({ id }));
    const past = await givenContact(ada, at({ id }, { ended_on: '2020-01-01' }));
    const both = await givenContact(ada, {
      employments: [{ organization: { id } }, { organization: { id }, current: false }],
    });
    const hidden = await givenContact(grace, { visibility: 'private', ...at({ id }) });
    const ids = (...some: { id: string }[]) => some.map((each) => each.id).sort();
    const organization_id = id;
    expect(await people(ada, { organization_id })).toEqual(ids(now, past, both));
    expect(await people(ada, { organization_id, current: 'true' })).toEqual(ids(now, both));
    expect(await people(ada, { organization_id, current: 'false' })).toEqual(ids(past, both));
    expect(await people(grace, { organization_id, current: 'true' })).toEqual(ids(now, both, hidden));
    const count = async (user: TestUser) =>
      (await user.reader.countContacts({ query: { organization_id } })).body.count.total;
    expect([await count(ada), await count(grace)]).toEqual([3, 4]);
    expect(await readOrganization(ada, id)).toMatchObject({ contact_count: 3 });
    const shown = (await readOrganization(grace, id)).employments?.map(({ contact }) => contact?.id);
    expect([...new Set(shown)].sort()).toEqual(ids(now, past, both, hidden));
  });

  longIt(
    '400: more organizations and addresses than a contact can have, or than one request creates',
    async () => {
      const employments = Array.from({ length: 26 }, (_, i) => ({
        organization: { name: `${i} ${randomUUID()}` },
      }));
      const create = (contact: object) => ada.api.createContact({ body: { contact } as never });
      expect(await problemsOf(create({ name: 'X', employments }))).toEqual({ employments: 'too_long' });
      const email_addresses = Array.from({ length: 90 }, (_, i) => ({ email_address: `${i}@full.example` }));
      const { id } = await givenContact(ada, { email_addresses });
      const organization = await givenOrganization(ada);
      expect(await problemsOf(update(ada, id, at({ id: organization.id })))).toEqual({
        employments: 'too_long',
      });
      const fewer = { email_addresses: email_addresses.slice(1) };
      await update(ada, id, fewer);
      await update(ada, id, at({ id: organization.id }));
      expect((await update(ada, id, { visibility: 'private', name: 'Y' })).status).toBe(200);
    },
  );

  it('lead from an organization to the threads of its people, as each user sees these', async () => {
    const { id } = await givenOrganization(ada);
    const addresses = (...some: string[]) => ({
      email_addresses: some.map((email_address) => ({ email_address })),
    });
    const open = await givenContact(ada, { ...at({ id }), ...addresses('open@row.example') });
    const own = await givenContact(grace, {
      visibility: 'private',
      ...at({ id }),
      ...addresses('own@row.example'),
    });
    expect(await rows(id)).toHaveLength(2);
    await update(ada, open.id, addresses('open@row.example', 'second@row.example'));
    expect((await rows(id)).map((row) => (row as { addresses?: string[] }).addresses).sort()).toEqual(
      [['open@row.example', 'second@row.example'], ['own@row.example']].sort(),
    );
    await ada.api.deleteContact({ params: { id: open.id } });
    await update(grace, own.id, { employments: [] });
    expect(await rows(id)).toEqual([]);
  });

  it('lose the organization when it is deleted', async () => {
    const { id } = await givenOrganization(ada, { name: 'Ends' });
    const made = await Promise.all([1, 2, 3].map(() => givenContact(ada, at({ id }, { title: 'Clerk' }))));
    await linus.api.deleteOrganization({ params: { id } });
    expect((await readContact(ada, made[0]?.id ?? '')).employments).toMatchObject([{ organization: null }]);
    expect(await codeOf(update(ada, made[0]?.id ?? '', at({ id })))).toBe('404 record_not_found');
  });

  longIt('lose it though the removal is stopped at any call, and repeats it', async () => {
    const { id } = await givenOrganization(ada);
    const made = await Promise.all([1, 2, 3].map(() => givenContact(ada, at({ id }, { title: 'Clerk' }))));
    await ada.api.deleteOrganization({ params: { id } });
    for (let call = 1, hit = true; hit; call += STRIDE) {
      const fault = failCall(workspace.table, call, call % 2 === 0 ? 'before' : 'after');
      await runRemovals(workspace).catch(() => undefined);
      ({ hit } = fault);
      fault.remove();
    }
    await runRemovals(workspace);
    expect(await rows(id)).toEqual([]);
    expect(await openJobs(workspace.table, 'remove-records')).toEqual([]);
    for (const each of made) {
      const stored = await workspace.table.get<Contact>(keys.record('contacts', each.id));
      expect(stored).toMatchObject({ employments: [{ title: 'Clerk', organization: null }] });
      expect(stored?.updated_at).not.toBeNull();
      const entries = await workspace.table.all<ListEntry>(stored?.PK ?? '', 'LISTS#');
      expect(entries.flatMap(({ listed }) => listed.lists).join()).not.toContain(id);
    }
  });
});
