import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { keys } from '#shared/table/keys.ts';
import { restore } from '../../support/deletions.ts';
import { mergeWhole, unmergeWhole } from '../../support/duplicates.ts';
import { codeOf, problemsOf, refusalsOf } from '../../support/failures.ts';
import { failNth } from '../../support/faults.ts';
import { longIt, SHORT_STRIDE } from '../../support/long.ts';
import { givenOrganization, organizationsOf, readOrganization } from '../../support/organizations.ts';
import { givenContact, readContact } from '../../support/proposals.ts';
import { givenSpace, join, readSpace } from '../../support/spaces.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /spaces/{space_id}/memberships', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const add = (space_id: string, body: object, user = ada) =>
    user.api.createSpaceMembership({ params: { space_id }, body });
  const people = async (user: TestUser, query: object) =>
    (await user.reader.listContacts({ query })).body.collection.records.map(({ id }) => id);
  const stored = (id: string) => workspace.table.get<Contact>(keys.record('contacts', id));

  it('200: the record is in the space; a repeat returns the first one unchanged', async () => {
    const { id: space_id } = await givenSpace(ada);
    const [contact, organization] = [await givenContact(ada), await givenOrganization(ada)];
    const { status, body } = await add(space_id, { contact_id: contact.id.toUpperCase() });
    expect([status, body.membership]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        space_id,
        contact_id: contact.id,
        organization_id: null,
        user_id: ada.user.id,
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect((await add(space_id, { contact_id: contact.id }, linus)).body).toEqual(body);
    const other = await join(linus, space_id, { organization_id: organization.id });
    expect(other).toMatchObject({
      contact_id: null,
      organization_id: organization.id,
      user_id: linus.user.id,
    });
    expect(await readContact(grace, contact.id)).toMatchObject({ space_ids: [space_id] });
    expect(await readOrganization(grace, organization.id)).toMatchObject({ space_ids: [space_id] });
    expect(await people(grace, { space_id })).toEqual([contact.id]);
    expect(await organizationsOf(grace, { space_id })).toMatchObject([
      { id: organization.id, space_ids: [space_id] },
    ]);
    const count = await grace.reader.countContacts({ query: { space_id } });
    expect(count.body.count).toMatchObject({ total: 1, exact: true });
    // An integration that reads by time learns of it.
    expect(await people(grace, { space_id, updated_after: body.membership.created_at })).toEqual([]);
    expect((await readContact(grace, contact.id)).updated_at).toBe(body.membership.created_at);
  });

  longIt.each<[string, object, Record<string, string>]>([
    ['neither', {}, { contact_id: 'required' }],
    ['both', { contact_id: randomUUID(), organization_id: randomUUID() }, { organization_id: 'invalid' }],
    ['no UUID', { contact_id: 'x' }, { contact_id: 'invalid_format' }],
    ['null', { contact_id: null, organization_id: randomUUID() }, { contact_id: 'invalid' }],
  ])('400: %s', async (_, body, problems) => {
    const { id } = await givenSpace(ada);
    expect(await problemsOf(add(id, body))).toEqual(problems);
  });

  longIt('404: hidden, foreign, deleted and other records, and such spaces', async () => {
    const { id } = await givenSpace(ada);
    const hidden = await givenContact(grace, { visibility: 'private' });
    const foreign = await givenContact(workspace.hank);
    const gone = await givenContact(ada);
    await ada.api.deleteContact({ params: { id: gone.id } });
    for (const contact_id of [hidden.id, foreign.id, gone.id, id, randomUUID()])
      expect(await codeOf(add(id, { contact_id }))).toBe('404 record_not_found');
    const contact = await givenContact(ada);
    const secret = await givenSpace(grace, { visibility: 'private' });
    for (const space_id of [secret.id, contact.id, randomUUID()])
      expect(await codeOf(add(space_id, { contact_id: contact.id }))).toBe('404 record_not_found');
    expect(await codeOf(add(id, { contact_id: foreign.id }, workspace.hank))).toBe('404 record_not_found');
    expect((await readContact(ada, contact.id)).space_ids).toEqual([]);
  });

  it('403: with a share to view', async () => {
    const { id } = await givenSpace(ada, { visibility: 'private' });
    const contact = await givenContact(ada);
    const params = { record_type: 'spaces' as const, record_id: id };
    await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    expect(await codeOf(add(id, { contact_id: contact.id }, linus))).toBe('403 permission_denied');
  });

  it('422: a space of tags', async () => {
    const { id } = await givenSpace(ada, { kind: 'tags' });
    const contact = await givenContact(ada);
    expect(await codeOf(add(id, { contact_id: contact.id }))).toBe('422 space_is_tag_based');
  });

  it('a hidden member is in no list, filter or membership of others', async () => {
    const { id: space_id } = await givenSpace(ada);
    const secret = await givenContact(grace, { visibility: 'private' });
    const membership = await join(grace, space_id, { contact_id: secret.id });
    expect(await people(ada, { space_id })).toEqual([]);
    expect((await readSpace(ada, space_id)).contact_ids).toEqual([]);
    const params = { space_id, id: membership.id };
    expect(await codeOf(ada.api.deleteSpaceMembership({ params }))).toBe('404 record_not_found');
    expect((await readSpace(grace, space_id)).contact_ids).toEqual([secret.id]);
  });

  longIt('400: more than 20 spaces for a record, or more than fit with its addresses', async () => {
    const spaces = await Promise.all(Array.from({ length: 21 }, () => givenSpace(ada)));
    const contact = await givenContact(ada);
    for (const { id } of spaces.slice(0, 20)) await join(ada, id, { contact_id: contact.id });
    const last = spaces[20]?.id ?? '';
    expect(await problemsOf(add(last, { contact_id: contact.id }))).toEqual({ contact_id: 'too_long' });
    const crowded = await givenContact(ada, {
      email_addresses: Array.from({ length: 90 }, (_, i) => ({
        email_address: `x${i}.${contact.id}@a.example`,
      })),
    });
    expect(await problemsOf(add(last, { contact_id: crowded.id }))).toEqual({ contact_id: 'too_long' });
    const email_addresses = Array.from({ length: 71 }, (_, i) => ({
      email_address: `${i}.${contact.id}@a.example`,
    }));
    const body = { contact: { email_addresses } };
    const sent = ada.api.updateContact({ params: { id: contact.id }, body });
    expect(await problemsOf(sent)).toEqual({ employments: 'too_long' });
    const fewer = { contact: { email_addresses: email_addresses.slice(1) } };
    const { body: after } = await ada.api.updateContact({ params: { id: contact.id }, body: fewer });
    expect(after.contact.space_ids).toHaveLength(20);
    const rows = await workspace.table.all(keys.ownerRow('spaces', spaces[3]?.id ?? '', '').PK);
    expect(rows).toMatchObject([
      { addresses: fewer.contact.email_addresses.map(({ email_address }) => email_address) },
    ]);
    const organization = await givenOrganization(ada, {
      domains: Array.from({ length: 80 }, (_, i) => `d${i}.${contact.id}.example`),
    });
    const full = add(last, { organization_id: organization.id });
    expect(await problemsOf(full)).toEqual({ organization_id: 'too_long' });
    // All of it goes in one transaction.
    expect((await ada.api.deleteContact({ params: { id: contact.id } })).status).toBe(204);
    expect(await workspace.table.all(keys.ownerRow('spaces', spaces[3]?.id ?? '', '').PK)).toEqual([]);
  });

  it('400: more than 500 records, also of some at once', async () => {
    const { id } = await givenSpace(ada);
    const contact = await givenContact(ada);
    const rows = Array.from({ length: 500 }, () => ({ put: keys.ownerRow('spaces', id, randomUUID()) }));
    await workspace.table.writeMany(rows);
    expect(await problemsOf(add(id, { contact_id: contact.id }))).toEqual({ contact_id: 'too_long' });
    await workspace.table.writeMany(rows.slice(0, 2).map(({ put: { PK, SK } }) => ({ delete: { PK, SK } })));
    const more = await Promise.all(Array.from({ length: 6 }, () => givenContact(ada)));
    const refused = await refusalsOf(more.map((each) => add(id, { contact_id: each.id })));
    expect(refused).toEqual(Array(4).fill(400));
  });

  longIt('records come back without a space that has no room by now, also some at once', async () => {
    const [space, other] = [await givenSpace(ada), await givenSpace(ada)];
    const contacts = await Promise.all([1, 2, 3].map(() => givenContact(ada)));
    const organization = await givenOrganization(ada, { name: 'Crowded out' });
    const fill = (length: number) =>
      workspace.table.writeMany(
        Array.from({ length }, () => ({ put: keys.ownerRow('spaces', space.id, randomUUID()) })),
      );
    for (const { id } of contacts)
      for (const to of [space, other]) await join(ada, to.id, { contact_id: id });
    await join(ada, space.id, { organization_id: organization.id });
    for (const { id } of contacts) await ada.api.deleteContact({ params: { id } });
    await ada.api.deleteOrganization({ params: { id: organization.id } });
    await fill(498);
    const restored = await Promise.all([
      ...contacts.map(({ id }) => restore(ada, 'contacts', id)),
      restore(ada, 'organizations', organization.id),
    ]);
    expect(restored.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await workspace.table.count({ partition: keys.ownerRow('spaces', space.id, '').PK })).toBe(500);
    expect((await people(linus, { space_id: other.id })).sort()).toEqual(contacts.map(({ id }) => id).sort());
    expect(await people(linus, { space_id: space.id })).toHaveLength(
      2 - (await readOrganization(ada, organization.id)).space_ids.length,
    );
  });

  longIt('a merge that is taken back leaves the other contact out of a full space', async () => {
    const space = await givenSpace(ada);
    const [into, from] = [await givenContact(ada), await givenContact(ada)];
    for (const { id } of [into, from]) await join(ada, space.id, { contact_id: id });
    await mergeWhole(workspace, ada, into.id, from.id);
    const rows = Array.from({ length: 499 }, () => ({
      put: keys.ownerRow('spaces', space.id, randomUUID()),
    }));
    await workspace.table.writeMany(rows);
    const { contact, unmerged_contact } = await unmergeWhole(workspace, ada, into.id, from.id);
    expect([contact.space_ids, unmerged_contact.space_ids]).toEqual([[space.id], []]);
  });

  longIt('merged contacts are in the spaces of both, once', async () => {
    const [first, second] = [await givenSpace(ada), await givenSpace(ada)];
    const [kept, gone] = [await givenContact(ada), await givenContact(ada)];
    const own = await join(ada, first.id, { contact_id: kept.id });
    await join(ada, first.id, { contact_id: gone.id });
    const moved = await join(ada, second.id, { contact_id: gone.id });
    const params = { contact_id: kept.id };
    const { body } = await ada.api.mergeContacts({ params, body: { contact_id_to_merge: gone.id } });
    expect(body.contact.space_ids).toEqual([first.id, second.id].sort());
    for (const { id } of [first, second]) {
      expect(await people(linus, { space_id: id })).toEqual([kept.id]);
      expect((await readSpace(linus, id)).contact_ids).toEqual([kept.id]);
      expect(await workspace.table.all(keys.ownerRow('spaces', id, '').PK)).toHaveLength(1);
    }
    for (const [space, membership] of [
      [first, own],
      [second, moved],
    ] as const)
      expect((await join(linus, space.id, { contact_id: kept.id })).id).toBe(membership.id);
  });

  longIt('ten at once make one membership; a space that is deleted meanwhile keeps none', async () => {
    const { id } = await givenSpace(ada);
    const contact = await givenContact(ada);
    const all = await Promise.all(
      Array.from({ length: 10 }, () => join(ada, id, { contact_id: contact.id })),
    );
    expect(new Set(all.map((each) => each.id)).size).toBe(1);
    const others = await Promise.all(Array.from({ length: 4 }, () => givenContact(ada)));
    const [, ...sent] = await Promise.all([
      ada.api.deleteSpace({ params: { id } }),
      ...others.map((other) => add(id, { contact_id: other.id }).catch(({ status }) => ({ status }))),
    ]);
    for (const { status } of sent) expect([200, 404]).toContain(status);
    for (const other of others) expect((await readContact(ada, other.id)).space_ids).toEqual([]);
  });

  longIt('is there or not, with its row and its places, whichever call fails', async () => {
    let rounds = 0;
    const contact = await givenContact(ada);
    for (let nth = 0, hit = true; hit; nth += SHORT_STRIDE) {
      const { id } = await givenSpace(ada);
      const fault = failNth(workspace.table, nth);
      await add(id, { contact_id: contact.id }).catch(({ status }) => expect(status).toBe(500));
      fault.remove();
      hit = fault.hit;
      rounds += 1;
      const there = (await stored(contact.id))?.memberships?.[id] !== undefined;
      const rows = await workspace.table.all(keys.ownerRow('spaces', id, '').PK);
      expect([await people(ada, { space_id: id }), rows.length]).toEqual([
        there ? [contact.id] : [],
        there ? 1 : 0,
      ]);
      const membership = await join(ada, id, { contact_id: contact.id });
      await ada.api.deleteSpaceMembership({ params: { space_id: id, id: membership.id } });
    }
    expect(rounds).toBeGreaterThan(2);
  });
});
