import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NotificationEvent } from '#shared/domain/collaboration/notifications/event.ts';
import { givenAccount } from '../../support/accounts.ts';
import { failureOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { givenNotifications } from '../../support/notifications.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /notifications/{id}/undismiss', () => {
  let workspace: Workspace;
  let users: TestUser[];
  let user: TestUser;
  const start = new Date('2026-11-20T09:00:00.000Z');
  const at = (minute: number) => new Date(start.getTime() + minute * 60_000);
  beforeAll(async () => {
    workspace = await startWorkspace();
    users = await givenAccount(workspace, 20);
  });
  beforeEach(() => {
    user = users.pop() as TestUser;
  });
  afterEach(() => workspace.setTime(undefined));
  afterAll(() => workspace.stop());

  const given = (...events: NotificationEvent[]) =>
    givenNotifications(workspace, user, events, start) as Promise<[string, string, ...string[]]>;
  const undismiss = async (id: string, who = user) =>
    (await who.api.undismissNotification({ params: { id } })).body.notification;
  const bulk = (body: object) => user.api.dismissNotifications({ body });
  const listed = async (query: object = {}) =>
    (await user.reader.listNotifications({ query })).body.collection.records.map((each) => each.id);
  const count = async (query: object = {}) =>
    (await user.reader.countNotifications({ query })).body.count.total;

  it('200: one that was dismissed by itself is listed again, in its old place', async () => {
    const ids = await given('deal_won', 'deal_won', 'deal_won');
    await user.api.dismissNotification({ params: { id: ids[1] } });
    expect(await undismiss(ids[1])).toMatchObject({ id: ids[1], dismissed_at: null, new: true });
    expect(await listed()).toEqual(ids.toReversed());
    expect(await count()).toBe(3);
  });

  it.each([{ global: true }, { slice: 'deal_won' }, { slice: 'deal_won,task_assigned' }])(
    '200: one that was dismissed with others by %j is listed again, the others are not',
    async (body) => {
      const ids = await given('deal_won', 'deal_won', 'deal_won');
      workspace.setTime(at(1));
      await bulk(body);
      expect(await listed()).toEqual([]);
      expect(await undismiss(ids[1])).toMatchObject({ id: ids[1], dismissed_at: null, read_at: null });
      for (const query of [{}, { status: 'unread' }, { slice: 'deal_won' }]) {
        expect(await listed(query)).toEqual([ids[1]]);
        expect(await count(query)).toBe(1);
      }
      expect(await count({ slice: 'task_assigned' })).toBe(0);
    },
  );

  it('200: one that is not dismissed is returned, and nothing changes', async () => {
    const [id] = await given('deal_won', 'deal_won');
    workspace.setTime(at(1));
    await user.api.markNotificationRead({ params: { id } });
    const before = (await user.reader.listNotifications()).body.collection.records;
    expect(await undismiss(id)).toEqual(before[1]);
    expect((await user.reader.listNotifications()).body.collection.records).toEqual(before);
  });

  longIt.each([true, false])('read state is unchanged: read %s', async (read) => {
    const [id] = await given('deal_won');
    workspace.setTime(at(1));
    if (read) await user.api.markNotificationRead({ params: { id } });
    const read_at = read ? at(1).toISOString() : null;
    workspace.setTime(at(2));
    await user.api.dismissNotification({ params: { id } });
    expect((await undismiss(id)).read_at).toBe(read_at);
    await bulk({ global: true });
    expect((await undismiss(id)).read_at).toBe(read_at);
    expect(await count({ status: 'unread' })).toBe(read ? 0 : 1);
  });

  longIt(
    'what was marked read with all while it was dismissed comes back read, and can be marked unread',
    async () => {
      const [id] = await given('deal_won');
      await user.api.dismissNotification({ params: { id } });
      workspace.setTime(at(1));
      await user.api.markAllNotificationsRead();
      expect(await undismiss(id)).toMatchObject({ read_at: at(1).toISOString(), new: false });
      await user.api.markNotificationUnread({ params: { id } });
      expect(await listed({ status: 'unread' })).toEqual([id]);
      workspace.setTime(at(2));
      await bulk({ global: true });
      expect(await listed({ status: 'unread' })).toEqual([]);
      await undismiss(id);
      expect(await listed({ status: 'unread' })).toEqual([id]);
      expect(await count({ status: 'unread' })).toBe(1);
    },
  );

  longIt('comes back after each of several bulk dismissals, and shows the right times between', async () => {
    const [id] = await given('deal_won', 'task_assigned');
    for (const minute of [1, 2, 3, 4]) {
      workspace.setTime(at(minute));
      await bulk(minute % 2 ? { global: true } : { slice: 'deal_won' });
      expect(await listed({ slice: 'deal_won' })).toEqual([]);
      const { notification } = (await user.api.markNotificationRead({ params: { id } })).body;
      expect(notification.dismissed_at).toBe(at(minute).toISOString());
      await undismiss(id);
      expect(await listed({ slice: 'deal_won' })).toEqual([id]);
    }
  });

  it('is listed once when it is newer than what dismissed all, and older than what dismissed its event', async () => {
    const [oldest] = await given('deal_won');
    workspace.setTime(at(1));
    await bulk({ global: true });
    const [id] = (await givenNotifications(workspace, user, ['deal_won', 'task_assigned'], at(2))) as [
      string,
    ];
    workspace.setTime(at(3));
    await bulk({ slice: 'deal_won' });
    for (const each of [oldest, id]) await undismiss(each);
    for (const query of [{ slice: 'deal_won' }, { slice: 'deal_won', status: 'unread' }]) {
      expect(await listed(query)).toEqual([id, oldest]);
      expect(await count(query)).toBe(2);
    }
    expect((await listed()).slice(1)).toEqual([id, oldest]);
    expect(await count()).toBe(3);
  });

  longIt('a clock that stands still changes nothing', async () => {
    const [id] = await given('deal_won');
    workspace.setTime(start);
    for (let round = 0; round < 4; round++) {
      await bulk(round % 2 ? { global: true } : { slice: 'deal_won' });
      expect(await count()).toBe(0);
      await undismiss(id);
      expect(await count()).toBe(1);
    }
  });

  longIt('many that came back are listed in pages, in the order of their creation', async () => {
    const ids = await given(...(Array(120).fill('deal_won') as NotificationEvent[]));
    workspace.setTime(at(1));
    await bulk({ global: true });
    const [late] = await givenNotifications(workspace, user, ['deal_won'], at(2));
    workspace.setTime(at(3));
    const back = ids.filter((_, i) => i % 2 === 0);
    await Promise.all(back.map((id) => undismiss(id)));
    const expected = [late, ...back.toReversed()];
    for (const limit of [7, 100]) {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const query: object = { limit, ...(cursor ? { next_cursor: cursor } : {}) };
        const { records, page_info } = (await user.reader.listNotifications({ query })).body.collection;
        found.push(...records.map((each) => each.id));
        cursor = page_info.next_cursor;
      } while (cursor);
      expect(found).toEqual(expected);
    }
    expect(await count()).toBe(61);
  });

  it('20 concurrent requests agree', async () => {
    const [id] = await given('deal_won');
    await bulk({ global: true });
    const responses = await Promise.all(Array.from({ length: 20 }, () => undismiss(id)));
    expect(new Set(responses.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(await count()).toBe(1);
  });

  it('404: the same for another user’s notification as for an unknown one', async () => {
    const [id] = await given('deal_won');
    const { ada, hank } = workspace;
    const calls = [
      undismiss(id, ada),
      undismiss(id, hank),
      undismiss(randomUUID()),
      undismiss('nonsense'),
    ] as unknown as Promise<{ status: number }>[];
    const responses = await Promise.all(calls.map(failureOf));
    expect(responses[0]?.message).toMatch(/^404 record_not_found/);
    expect(new Set(responses.map((each) => each.message)).size).toBe(1);
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const failure = await failureOf(user.reader.undismissNotification({ params: { id: randomUUID() } }));
    expect([failure.status, failure.code]).toEqual([403, 'api_key_insufficient']);
  });
});
