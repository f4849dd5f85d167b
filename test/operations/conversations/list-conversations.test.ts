import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowAllQuestions, setMessages, storedConversations } from '../../support/conversations.ts';
import { problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { longIt } from '../../support/long.ts';
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
  /** With its last message `minutes` after ten; without messages when undefined. */
  const given = async (user: TestUser, title: string | null, minutes?: number): Promise<string> => {
    const { id } = (await user.api.createConversation({ body: { conversation: { title } } })).body
      .conversation;
    if (minutes !== undefined)
      await setMessages(workspace, user.user.id, id, {
        last_message_at: new Date(Date.UTC(2026, 10, 20, 10, minutes)).toISOString(),
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

  it('200: the user’s own, the latest message first; those without messages last, newest first', async () => {
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

  it('query: matches when each of its words begins a word of the title, ignoring case and accents', async () => {
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

  it('pages: 50 by default and 100 at most, and none is lost or repeated', async () => {
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

  longIt('lists what is stored, whatever comes at once', async () => {
    const { grace } = workspace;
    allowAllQuestions(workspace);
    for (let round = 0; round < 5; round++) {
      const ids = await Promise.all([given(grace, null), given(grace, 'Old'), given(grace, 'Gone')]);
      const params = ids.map((id) => ({ params: { id, conversation_id: id } }));
      const message = { text: 'When does the ferry leave?' };
      const rename = (at: number, title: string | null) =>
        grace.api.updateConversation({ ...params[at], body: { conversation: { title } } } as never);
      const ask = (at: number) => grace.api.createMessage({ ...params[at], body: { message } } as never);
      const remove = (at: number) => grace.api.deleteConversation(params[at] as never);
      const all = [ask(0), rename(0, 'New'), ask(1), rename(1, null), rename(1, 'Newer'), ask(1)];
      const settled = await Promise.allSettled([...all, ask(2), rename(2, 'Late'), remove(2)]);
      for (const { status } of settled.slice(0, all.length)) expect(status).toBe('fulfilled');
      const { conversations, postings, expected } = await storedConversations(workspace, grace.user.id);
      expect(postings).toEqual(expect.arrayContaining(expected));
      expect(postings).toHaveLength(conversations.length);
      expect(conversations.map(({ id }) => id)).not.toContain(ids[2]);
      expect(conversations).toHaveLength((await list(grace)).total_results);
    }
  });

  longIt.each(['before', 'after'] as const)(
    'lists what is stored, whatever call fails (%s it)',
    async (when) => {
      const { linus } = workspace;
      const steps = (id: string) => [
        () => linus.api.createConversation({ body: { conversation: { title: 'Made' } } }),
        () =>
          linus.api.createMessage({
            params: { conversation_id: id },
            body: { message: { text: 'Ferries?' } },
          }),
        () => linus.api.updateConversation({ params: { id }, body: { conversation: { title: 'Renamed' } } }),
        () => linus.api.deleteConversation({ params: { id } }),
      ];
      for (let step = 0; step < 4; step++)
        for (let call = 1, reached = true; reached; call++) {
          const id = await given(linus, null, 1);
          const fault = failCall(workspace.table, call, when);
          await steps(id)
            [step]?.()
            .catch((error) => expect(error.code).toBe('error'));
          fault.remove();
          reached = fault.hit;
          const { conversations, postings, expected } = await storedConversations(workspace, linus.user.id);
          expect(postings).toEqual(expect.arrayContaining(expected));
          expect(postings).toHaveLength(conversations.length);
        }
    },
  );

  it('finds a title of many words by any of them, and survives a query of very many', async () => {
    const title = Array.from({ length: 85 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('、');
    await given(workspace.hank, title, 4);
    expect(await titles(workspace.hank, { query: '丄' })).toEqual([title]);
    const query = Array.from({ length: 250 }, (_, i) => String.fromCharCode(97 + (i % 26))).join(' ');
    expect(await titles(workspace.hank, { query })).toEqual([]);
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
