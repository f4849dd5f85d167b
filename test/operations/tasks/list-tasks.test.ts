import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /tasks', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada } = workspace);
  });
  afterAll(() => workspace.stop());

  const list = async (query: object = {}, user = ada) =>
    (await user.reader.listTasks({ query })).body.collection;
  const names = async (query: object = {}) => (await list(query)).records.map(({ name }) => name);
  const make = (name: string, due_at: string | null) =>
    ada.api.createTask({ body: { task: { name, due_at } } });

  it('200: by when they are due, undated last, forwards and backwards, 25 a page', async () => {
    for (let day = 30; day > 0; day--) await make(`D${day}`, day > 20 ? null : `2026-12-${10 + (day % 20)}`);
    const first = await list();
    expect(first.page_info).toMatchObject({ limit: 25, has_more_after: true, has_more_before: false });
    expect([first.slice_key, first.filters, first.records[0]?.name]).toEqual([null, null, 'D20']);
    const { next_cursor } = first.page_info;
    const second = await list({ next_cursor });
    expect(second.records.map(({ name }) => name)).toEqual(['D25', 'D24', 'D23', 'D22', 'D21']);
    expect(second.page_info).toMatchObject({ next_cursor: null, has_more_before: true });
    const back = await list({ prev_cursor: second.page_info.prev_cursor });
    expect(back.records).toEqual(first.records);
    expect(back.page_info).toMatchObject({ prev_cursor: null, has_more_after: true, has_more_before: false });
    expect((await list({ next_cursor: back.page_info.next_cursor })).records).toEqual(second.records);
    expect((await list({ limit: '1000' })).page_info.limit).toBe(100);
    expect(await names({})).toHaveLength(25);
    expect((await list({}, workspace.hank)).records).toEqual([]);
  });

  it('400: both cursors, a cursor of the other direction or of other filters', async () => {
    const { next_cursor } = (await list({ limit: '5' })).page_info;
    const { prev_cursor } = (await list({ limit: '5', next_cursor })).page_info;
    expect(
      await problemsOf(
        ada.reader.listTasks({ query: { limit: '5' as never, next_cursor, prev_cursor } as never }),
      ),
    ).toEqual({
      prev_cursor: 'invalid',
    });
    for (const query of [
      { prev_cursor: next_cursor },
      { next_cursor: prev_cursor },
      { next_cursor, slice: 'open' },
      { next_cursor, query: 'd' },
      { next_cursor: 'junk' },
    ])
      expect(await codeOf(ada.reader.listTasks({ query: query as never })), JSON.stringify(query)).toBe(
        '400 invalid_cursor',
      );
  });

  it('404: filters that name what is not visible', async () => {
    const fields = ['thread', 'contact', 'organization', 'deal', 'space', 'milestone', 'calendar_event'];
    for (const field of [...fields, 'assigned_user'])
      expect(await codeOf(ada.reader.listTasks({ query: { [`${field}_id`]: randomUUID() } })), field).toBe(
        '404 record_not_found',
      );
  });

  it.each<[object, string]>([
    [{ slice: 'all' }, 'slice'],
    [{ limit: '0' }, 'limit'],
    [{ completed: 'yes' }, 'completed'],
    [{ due_before: 'tonight' }, 'due_before'],
    [{ due_after: '2026-02-30' }, 'due_after'],
    [{ updated_after: 'x' }, 'updated_after'],
    [{ thread_id: 'x' }, 'thread_id'],
    [{ query: ' ' }, 'query'],
    [{ query: 'a'.repeat(501) }, 'query'],
  ])('400: %j', async (query, field) => {
    expect(Object.keys(await problemsOf(ada.reader.listTasks({ query: query as never })))).toEqual([field]);
  });
});
