import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { givenOrganization, organizationsOf } from '../../support/organizations.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /organizations', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());

  const list = async (user: TestUser, query: object = {}) =>
    (await user.reader.listOrganizations({ query })).body.collection;
  const names = (records: { name: string }[]) => records.map(({ name }) => name);

  it('200: by name without case and accents', async () => {
    const sorted = ['acme', 'Acme Ltd', 'Ärmel', 'Zoo'];
    for (const name of sorted.toReversed()) await givenOrganization(workspace.hank, { name });
    const collection = await list(workspace.hank);
    expect(names(collection.records)).toEqual(sorted);
    expect(collection).toMatchObject({
      sort: 'name',
      order: 'asc',
      filters: null,
      slice_key: null,
      page_info: { limit: 50, next_cursor: null, has_more_after: false },
    });
    expect(collection.records[0]).toMatchObject({ comments: null, tasks: null, tags: [], shares: [] });
    const reversed = await list(workspace.hank, { order: 'desc', sort: 'name' });
    expect(names(reversed.records)).toEqual(sorted.toReversed());
  });

  it('200: by domain in any spelling and by external id, each only what the user sees', async () => {
    const { id } = await givenOrganization(grace, { domains: ['bücher.example'], external_id: 'b-1' });
    const hidden = { visibility: 'private', domains: ['secret.example'], external_id: 'b-2' };
    const own = await givenOrganization(grace, hidden);
    const ids = async (user: TestUser, query: object) =>
      (await organizationsOf(user, query)).map((each) => each.id);
    for (const domain of ['BÜCHER.example', 'xn--bcher-kva.example.'])
      expect(await ids(ada, { domain })).toEqual([id]);
    expect(await ids(ada, { external_id: 'b-1' })).toEqual([id]);
    for (const query of [{ domain: 'secret.example' }, { external_id: 'b-2' }]) {
      expect(await ids(ada, query)).toEqual([]);
      expect(await ids(grace, query)).toEqual([own.id]);
    }
    expect(await ids(ada, { domain: 'gmail.com' })).toEqual([]);
  });

  longIt('200: pages through 60, in both orders', async () => {
    const made = Array.from({ length: 60 }, (_, i) => `Page ${String(i).padStart(2, '0')}`);
    for (let at = 0; at < 60; at += 10)
      await Promise.all(made.slice(at, at + 10).map((name) => givenOrganization(ada, { name })));
    for (const order of ['asc', 'desc']) {
      const first = await list(grace, { order, query: 'page' });
      const { next_cursor } = first.page_info;
      const second = await list(grace, { order, query: 'page', next_cursor });
      const all = [...names(first.records), ...names(second.records)];
      expect([first.records.length, all]).toEqual([50, order === 'asc' ? made : made.toReversed()]);
      expect(await codeOf(grace.reader.listContacts({ query: { next_cursor } as never }))).toBe(
        '400 invalid_cursor',
      );
    }
  });

  it.each([
    ['slice', 'pinned', 'invalid'],
    ['sort', 'met', 'invalid'],
    ['order', 'up', 'invalid'],
    ['domain', 'no domain', 'invalid_format'],
    ['query', 'a'.repeat(501), 'too_long'],
    ['contact_id', 'x', 'invalid_format'],
    ['tags', 'x', 'invalid_format'],
    ['updated_after', '2026-02-30T00:00:00Z', 'invalid_format'],
  ])('400: %s', async (name, value, code) => {
    const call = grace.reader.listOrganizations({ query: { [name]: value } as never });
    expect(await problemsOf(call)).toEqual({ [name]: code });
  });

  it('404: a contact that the user does not see', async () => {
    const query = { contact_id: randomUUID() };
    expect(await codeOf(grace.reader.listOrganizations({ query }))).toBe('404 record_not_found');
  });
});
