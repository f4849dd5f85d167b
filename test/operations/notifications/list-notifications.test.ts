import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type NotificationEvent,
  notificationEvents,
} from '#shared/domain/collaboration/notifications/event.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { givenNotifications } from '../../support/notifications.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /notifications', () => {
  let workspace: Workspace;
  let users: TestUser[];
  let user: TestUser;
  const start = new Date('2026-11-20T09:00:00.000Z');
  beforeAll(async () => {
    workspace = await startWorkspace();
    users = await givenAccount(workspace, 20);
  });
  afterAll(() => workspace.stop());
  beforeEach(() => {
    // A user without notifications for every test; the table of bad input at the end needs none.
    user = users.pop() ?? user;
  });

  type Query = { slice?: string; status?: string; limit?: number | string; next_cursor?: string };
  const list = async (query: Query = {}) => (await user.reader.listNotifications({ query })).body.collection;
  /** The ids of every page. */
  const walk = async (query: Query) => {
    const pages: string[][] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({
        ...query,
        ...(cursor ? { next_cursor: cursor } : {}),
      });
      pages.push(page.records.map((each) => each.id));
      cursor = page.page_info.next_cursor;
    } while (cursor);
    return pages;
  };
  const given = (events: NotificationEvent[], at = start) => givenNotifications(workspace, user, events, at);
  const many = (event: NotificationEvent, count: number) => Array.from({ length: count }, () => event);

  it('200: none yet', async () => {
    expect(await list()).toEqual({
      records: [],
      page_info: {
        limit: 50,
        next_cursor: null,
        prev_cursor: null,
        has_more_after: false,
        has_more_before: false,
      },
      filters: null,
      slice_key: null,
    });
  });

  it('200: newest first, the whole notification', async () => {
    const [first, second] = await given(['task_assigned', 'deal_won']);
    const { records } = await list();
    expect(records.map((each) => each.id)).toEqual([second, first]);
    expect(records[0]).toEqual({
      id: second,
      event: 'deal_won',
      payload: { id: user.user.id, record_type: 'task', name: 'deal_won 1' },
      prompting_user_id: null,
      new: true,
      read_at: null,
      dismissed_at: null,
      created_at: '2026-11-20T09:00:00.001Z',
    });
  });

  it('200: of the key’s user only', async () => {
    const other = users[0] as TestUser;
    await givenNotifications(workspace, other, ['task_assigned'], start);
    expect((await list()).records).toEqual([]);
  });

  it('200: dismissed ones are left out', async () => {
    const ids = await given(many('task_assigned', 3));
    await user.api.dismissNotification({ params: { id: ids[1] as string } });
    expect((await list()).records.map((each) => each.id)).toEqual([ids[2], ids[0]]);
  });

  longIt('200: pages of 50 unless a limit is sent; one above 100 gives 100', async () => {
    const ids = await given(many('task_assigned', 120));
    const newestFirst = ids.toReversed();
    const first = await list();
    expect(first.page_info).toMatchObject({ limit: 50, has_more_after: true, has_more_before: false });
    expect(first.records.map((each) => each.id)).toEqual(newestFirst.slice(0, 50));
    const capped = await list({ limit: 1_000 });
    expect(capped.page_info.limit).toBe(100);
    expect(capped.records).toHaveLength(100);
    expect(await walk({ limit: 50 })).toEqual([
      newestFirst.slice(0, 50),
      newestFirst.slice(50, 100),
      newestFirst.slice(100),
    ]);
    expect((await walk({ limit: 60 })).map((page) => page.length)).toEqual([60, 60]);
    expect((await walk({ limit: 7 })).flat()).toEqual(newestFirst);
  });

  it('slice keeps the named events and is echoed; status is echoed as a filter', async () => {
    const [task, deal, , mention] = await given([
      'task_assigned',
      'deal_won',
      'deal_shared',
      'comment_mentioned',
    ]);
    const page = await list({ slice: 'deal_won,comment_mentioned,deal_won' });
    expect(page.records.map((each) => each.id)).toEqual([mention, deal]);
    expect(page).toMatchObject({ slice_key: 'deal_won,comment_mentioned,deal_won', filters: null });
    const unread = await list({ slice: 'task_assigned', status: 'unread' });
    expect(unread.records.map((each) => each.id)).toEqual([task]);
    expect(unread).toMatchObject({ slice_key: 'task_assigned', filters: { status: 'unread' } });
  });

  longIt('every event of the specification is a slice', async () => {
    await given([...notificationEvents]);
    for (const slice of notificationEvents)
      expect((await list({ slice })).records.map((each) => each.event)).toEqual([slice]);
    // 22 of the contract, and two for reminders.
    expect((await list({ slice: notificationEvents.join(',') })).records).toHaveLength(24);
  });

  longIt('a page is full while there are more, however few the filter keeps', async () => {
    const events = Array.from(
      { length: 1_200 },
      (_, i): NotificationEvent => (i % 20 ? 'task_assigned' : 'deal_won'),
    );
    const ids = (await given(events)).filter((_, i) => i % 20 === 0).toReversed();
    expect(await walk({ slice: 'deal_won', limit: 50 })).toEqual([ids.slice(0, 50), ids.slice(50)]);
  });

  longIt('a search that is cut off gives a short page with a cursor, and nothing is lost', async () => {
    const [rare] = await given(['deal_won', ...many('task_assigned', 2_600)]);
    const pages = await walk({ slice: 'deal_won', limit: 50 });
    expect(pages).toEqual([[], [rare]]);
  });

  it('400 invalid_cursor: of another filter, of another user, changed, junk', async () => {
    await given(many('task_assigned', 3));
    const cursor = (await list({ limit: 1 })).page_info.next_cursor as string;
    const other = users[0] as TestUser;
    const query = { next_cursor: cursor, limit: 1 };
    const codes = await Promise.all([
      codeOf(user.reader.listNotifications({ query: { ...query, status: 'unread' } })),
      codeOf(user.reader.listNotifications({ query: { ...query, slice: 'task_assigned' } })),
      codeOf(other.reader.listNotifications({ query })),
      codeOf(user.reader.listNotifications({ query: { next_cursor: `${cursor.slice(0, -2)}AA` } })),
      codeOf(user.reader.listNotifications({ query: { next_cursor: 'junk' } })),
    ]);
    expect(new Set(codes)).toEqual(new Set(['400 invalid_cursor']));
  });

  it('400 unsupported_cursor_direction: prev_cursor', async () => {
    const response = await fetch(`${workspace.url}/notifications?prev_cursor=x&limit=bad`, {
      headers: { Authorization: `Bearer ${user.read_key}` },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'unsupported_cursor_direction' } });
  });

  it.each([
    [{ slice: 'nonsense' }, { slice: 'invalid' }],
    [{ slice: 'deal_won,nonsense' }, { slice: 'invalid' }],
    [{ slice: 'deal_won,' }, { slice: 'invalid' }],
    [{ slice: '' }, { slice: 'invalid' }],
    [{ slice: 'x'.repeat(5_000) }, { slice: 'invalid' }],
    [{ status: 'read' }, { status: 'invalid' }],
    [{ status: 'UNREAD' }, { status: 'invalid' }],
    [{ status: '' }, { status: 'invalid' }],
    [{ limit: 0 }, { limit: 'invalid' }],
    [{ limit: -1 }, { limit: 'invalid_format' }],
    [{ limit: 1.5 }, { limit: 'invalid_format' }],
    [{ limit: 'ten' }, { limit: 'invalid_format' }],
    [
      { slice: 'a', status: 'b', limit: 'c' },
      { slice: 'invalid', status: 'invalid', limit: 'invalid_format' },
    ],
  ])('400: %j', async (query, problems) => {
    const call = workspace.ada.reader.listNotifications({ query });
    expect(await problemsOf(call)).toEqual(problems);
  });
});
