import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Conversation } from '#shared/domain/assistant/conversations/conversation.ts';
import { keys } from '#shared/table/keys.ts';
import { problemsOf } from '../../support/failures.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /conversations', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const list = async (user: TestUser, query: object = {}) =>
    (await user.reader.listConversations({ query: query as never })).body.collection;
  const titles = async (user: TestUser, query: object = {}) =>
    (await list(user, query)).records.map(({ title }) => title);
  /** With its last message so many minutes after ten; without any when undefined. */
  const given = async (user: TestUser, title: string | null, minutes?: number): Promise<string> => {
    const { id } = (await user.api.createConversation({ body: { conversation: { title } } })).body
      .conversation;
    if (minutes !== undefined)
      await workspace.table.update<Conversation>(keys.conversation(user.user.id, id), {
        set: { last_message_at: new Date(Date.UTC(2026, 10, 20, 10, minutes)).toISOString() },
      });
    return id;
  };

  it('200: an empty page before there is any', async () => {
    const { status, body } = await workspace.linus.reader.listConversations();
    expect(status).toBe(200);
    expect(body.collection).toEqual({
      records: [],
      page: 1,
      per_page: 50,
      total_results: 0,
      pages: 1,
      filters: null,
      sort: 'last_message_at',
      order: 'desc',
    });
  });

  it('200: the own ones, the latest message first, those without one last and newest first', async () => {
    const { ada, grace } = workspace;
    await given(ada, 'Silent one');
    await given(ada, 'Early', 1);
    await given(ada, 'Late', 9);
    await given(ada, 'Silent two');
    await given(ada, 'Middle', 5);
    await given(grace, 'Of Grace', 7);
    const order = ['Late', 'Middle', 'Early', 'Silent two', 'Silent one'];
    expect(await titles(ada)).toEqual(order);
    expect(await titles(ada, { sort: 'last_message_at', order: 'desc' })).toEqual(order);
    expect(await titles(ada, { order: 'asc' })).toEqual(order.toReversed());
    expect((await list(ada, { order: 'asc' })).order).toBe('asc');
    expect(await titles(grace)).toEqual(['Of Grace']);
  });

  it('query: all of its words, as words of the title begin, without case and accents', async () => {
    const { hank } = workspace;
    await given(hank, 'Fähren nach Malmö', 3);
    await given(hank, 'The FERRIES of Malmo', 2);
    await given(hank, null, 1);
    const both = ['Fähren nach Malmö', 'The FERRIES of Malmo'];
    expect(await titles(hank, { query: 'malmo' })).toEqual(both);
    expect(await titles(hank, { query: 'MALMÖ f' })).toEqual(both);
    expect(await titles(hank, { query: 'mal ferr' })).toEqual(['The FERRIES of Malmo']);
    expect(await titles(hank, { query: 'almo' })).toEqual([]);
    expect(await titles(hank, { query: '?!' })).toEqual([]);
    const { filters, total_results } = await list(hank, { query: 'nach', page: 1, order: 'asc' });
    expect([filters, total_results]).toEqual([{ query: 'nach' }, 1]);
  });

  it('pages: 50 each if nothing else is asked for, 100 at most, and none is lost or shown twice', async () => {
    const { linus } = workspace;
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.unshift(await given(linus, `Number ${i}`, i));
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await list(linus, { page, per_page: 3 }));
    expect(pages.flatMap(({ records }) => records.map(({ id }) => id))).toEqual(ids);
    expect(pages.map(({ page, records }) => [page, records.length])).toEqual([
      [1, 3],
      [2, 3],
      [3, 1],
    ]);
    expect(pages[2]).toMatchObject({ per_page: 3, total_results: 7, pages: 3 });
    expect(await list(linus, { page: 9 })).toMatchObject({
      records: [],
      page: 9,
      total_results: 7,
      pages: 1,
    });
    expect((await list(linus, { per_page: 101 })).per_page).toBe(100);
  });

  it.each([
    ['page 0', { page: 0 }, { page: 'invalid' }],
    ['a page that is no number', { page: 'last' }, { page: 'invalid_format' }],
    ['no records a page', { per_page: 0 }, { per_page: 'invalid' }],
    ['another sort', { sort: 'title' }, { sort: 'invalid' }],
    ['another order', { order: 'up' }, { order: 'invalid' }],
    ['an empty query', { query: '' }, { query: 'invalid' }],
    ['a blank query', { query: ' ' }, { query: 'required' }],
    ['a query of 501 characters', { query: 'a'.repeat(501) }, { query: 'too_long' }],
  ])('400: %s', async (_, query, problems) => {
    const asked = workspace.ada.reader.listConversations({ query: query as never });
    expect(await problemsOf(asked)).toEqual(problems);
  });
});
