import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /contacts', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const create = (user: TestUser, name: string, visibility: 'account' | 'private' = 'account') =>
    user.api.createContact({ body: { contact: { name, visibility } } });
  type Query = NonNullable<Parameters<TestUser['api']['listContacts']>[0]>['query'];
  const list = async (user: TestUser, query: NonNullable<Query> = {}) =>
    (await user.reader.listContacts({ query })).body.collection;
  const names = (collection: { records: { name: string }[] }) => collection.records.map(({ name }) => name);

  it('200: by name without case and accents, a shorter name first', async () => {
    const sorted = ['ann', 'Ann Bell', 'Anna', 'Ärmel', 'Bob', 'Zoë', '\u{1F600}'];
    for (const name of sorted.toReversed()) await create(workspace.hank, name);
    const collection = await list(workspace.hank);
    expect(names(collection)).toEqual(sorted);
    expect(collection).toMatchObject({
      sort: 'name',
      order: 'asc',
      filters: null,
      slice_key: null,
      page_info: {
        limit: 50,
        next_cursor: null,
        prev_cursor: null,
        has_more_after: false,
        has_more_before: false,
      },
    });
    expect(collection.records[0]).toMatchObject({ comments: null, tasks: null, tags: [], shares: [] });
    const reversed = await list(workspace.hank, { order: 'desc', sort: 'name' });
    expect([names(reversed), reversed.order]).toEqual([sorted.toReversed(), 'desc']);
  });

  it('pages through each visible contact once, private ones of others left out and pages full', async () => {
    const expected: string[] = [];
    const made = Array.from({ length: 78 }, (_, i) => {
      const name = `Person ${String(i).padStart(3, '0')}`;
      // A third is private to Linus, a sixth to Grace.
      const [owner, visibility] =
        i % 3 === 0
          ? ([workspace.linus, 'private'] as const)
          : i % 6 === 1
            ? ([workspace.grace, 'private'] as const)
            : ([workspace.ada, 'account'] as const);
      if (owner !== workspace.linus) expected.push(name);
      return () => create(owner, name, visibility);
    });
    for (let i = 0; i < made.length; i += 10) await Promise.all(made.slice(i, i + 10).map((make) => make()));
    for (const order of ['asc', 'desc'] as const) {
      const first = await list(workspace.grace, { order });
      expect(first.page_info).toMatchObject({ has_more_after: true, has_more_before: false });
      expect(first.records).toHaveLength(50);
      const second = await list(workspace.grace, {
        order,
        next_cursor: first.page_info.next_cursor as string,
      });
      expect(second.page_info).toMatchObject({ has_more_after: false, next_cursor: null });
      expect([...names(first), ...names(second)]).toEqual(order === 'asc' ? expected : expected.toReversed());
    }
  });

  it.each([
    ['slice', 'open', 'invalid'],
    ['sort', 'size', 'invalid'],
    ['order', 'up', 'invalid'],
    ['query', 'a'.repeat(501), 'too_long'],
    ['organization_id', 'x', 'invalid_format'],
  ])('400: %s', async (parameter, value, code) => {
    const call = workspace.grace.reader.listContacts({ query: { [parameter]: value } });
    expect(await problemsOf(call)).toEqual({ [parameter]: code });
  });

  it('404: an organization that the user does not see', async () => {
    const query = { organization_id: randomUUID() };
    expect(await codeOf(workspace.grace.reader.listContacts({ query }))).toBe('404 record_not_found');
  });

  it('400 invalid_cursor: of another order, of another user, or changed', async () => {
    const { page_info } = await list(workspace.grace);
    const next_cursor = page_info.next_cursor as string;
    const invalid = { status: 400, code: 'invalid_cursor' };
    await expect(list(workspace.grace, { next_cursor })).resolves.toMatchObject({ order: 'asc' });
    await expect(list(workspace.grace, { next_cursor, order: 'desc' })).rejects.toMatchObject(invalid);
    await expect(list(workspace.ada, { next_cursor })).rejects.toMatchObject(invalid);
    await expect(list(workspace.grace, { next_cursor: `${next_cursor}A` })).rejects.toMatchObject(invalid);
  });

  it('400 unsupported_cursor_direction: prev_cursor', async () => {
    const query = { prev_cursor: 'x' } as never;
    const failure = { status: 400, code: 'unsupported_cursor_direction' };
    await expect(list(workspace.grace, query)).rejects.toMatchObject(failure);
  });
});
