import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf } from '../../support/failures.ts';
import { longIt, reduced } from '../../support/long.ts';
import { givenNotifications } from '../../support/notifications.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /notifications/{id}/unread', () => {
  let workspace: Workspace;
  let users: TestUser[];
  const start = new Date('2026-11-20T09:00:00.000Z');
  const at = (minute: number) => new Date(start.getTime() + minute * 60_000);
  beforeAll(async () => {
    workspace = await startWorkspace();
    users = await givenAccount(workspace, 10);
  });
  afterEach(() => workspace.setTime(undefined));
  afterAll(() => workspace.stop());

  const unread = (user: TestUser, id: string) => user.api.markNotificationUnread({ params: { id } });
  const idsOf = async (user: TestUser, query: object = { status: 'unread' }) =>
    (await user.reader.listNotifications({ query })).body.collection.records.map((each) => each.id);
  const countOf = async (user: TestUser) =>
    (await user.reader.countNotifications({ query: { status: 'unread' } })).body.count.total;

  it('200: read_at is cleared, whether it was read alone or with all', async () => {
    const user = users.pop() as TestUser;
    const [older, newer] = (await givenNotifications(workspace, user, ['deal_won', 'deal_won'], start)) as [
      string,
      string,
    ];
    workspace.setTime(at(1));
    await user.api.markNotificationRead({ params: { id: newer } });
    const alone = await unread(user, newer);
    expect(alone).toMatchObject({
      status: 200,
      body: { notification: { id: newer, read_at: null, new: true } },
    });
    workspace.setTime(at(2));
    await user.api.markAllNotificationsRead();
    const withAll = await unread(user, older);
    expect(withAll.body.notification).toMatchObject({ id: older, read_at: null, new: false });
    expect(await idsOf(user)).toEqual([older]);
    expect(await countOf(user)).toBe(1);
  });

  it('200: one that is unread stays as it is', async () => {
    const user = users.pop() as TestUser;
    const [id] = (await givenNotifications(workspace, user, ['deal_won'], start)) as [string];
    expect((await unread(user, id)).body.notification.read_at).toBeNull();
    expect(await countOf(user)).toBe(1);
  });

  it('read again it has the new read_at; unread again it is listed once', async () => {
    const user = users.pop() as TestUser;
    const [id] = (await givenNotifications(workspace, user, ['deal_won'], start)) as [string];
    workspace.setTime(at(1));
    await user.api.markAllNotificationsRead();
    await unread(user, id);
    workspace.setTime(at(2));
    const read = await user.api.markNotificationRead({ params: { id } });
    expect(read.body.notification.read_at).toBe(at(2).toISOString());
    expect(await idsOf(user)).toEqual([]);
    await unread(user, id);
    await unread(user, id);
    expect(await idsOf(user)).toEqual([id]);
    expect(await countOf(user)).toBe(1);
  });

  longIt('marking all read reverts it, and it can be marked unread again', async () => {
    const user = users.pop() as TestUser;
    const [id] = (await givenNotifications(workspace, user, ['deal_won'], start)) as [string];
    for (const minute of [1, 2, 3]) {
      workspace.setTime(at(minute));
      await user.api.markAllNotificationsRead();
      expect(await countOf(user)).toBe(0);
      const [listed] = (await user.reader.listNotifications()).body.collection.records;
      expect(listed?.read_at).toBe(at(minute).toISOString());
      await unread(user, id);
      expect(await idsOf(user)).toEqual([id]);
    }
  });

  it('a clock that stands still changes nothing', async () => {
    const user = users.pop() as TestUser;
    const [id] = (await givenNotifications(workspace, user, ['deal_won'], start)) as [string];
    workspace.setTime(start);
    for (let round = 0; round < 3; round++) {
      await user.api.markAllNotificationsRead();
      expect(await countOf(user)).toBe(0);
      await unread(user, id);
      expect(await countOf(user)).toBe(1);
    }
  });

  longIt(
    'after all were marked read and one arrived: unread ones in pages, in the order of their creation',
    async () => {
      const user = users.pop() as TestUser;
      const ids = await givenNotifications(workspace, user, Array(reduced(260)).fill('deal_won'), start);
      workspace.setTime(at(1));
      await user.api.markAllNotificationsRead();
      const [late] = (await givenNotifications(workspace, user, ['task_assigned'], at(2))) as [string];
      workspace.setTime(at(3));
      const again = ids.filter((_, i) => i % 2 === 0);
      for (const id of again) await unread(user, id);
      const expected = [late, ...again.toReversed()];
      expect(await countOf(user)).toBe(expected.length);
      for (const limit of [1, 7, 100]) {
        const found: string[] = [];
        let cursor: string | null = null;
        while (found.length < (limit === 1 ? 5 : expected.length)) {
          const query: object = { status: 'unread', limit, ...(cursor ? { next_cursor: cursor } : {}) };
          const { records, page_info } = (await user.reader.listNotifications({ query })).body.collection;
          found.push(...records.map((each) => each.id));
          cursor = page_info.next_cursor;
          expect(page_info.has_more_after).toBe(found.length < expected.length);
        }
        expect(found).toEqual(expected.slice(0, found.length));
      }
      expect(await idsOf(user, { status: 'unread', slice: 'task_assigned' })).toEqual([late]);
      expect(await idsOf(user, { status: 'unread', slice: 'deal_won', limit: 2 })).toEqual(
        expected.slice(1, 3),
      );
    },
  );

  it('404: not a recipient, unknown, malformed', async () => {
    const user = users.pop() as TestUser;
    const [id] = (await givenNotifications(workspace, user, ['deal_won'], start)) as [string];
    const { hank } = workspace;
    const calls = [unread(hank, id), unread(user, randomUUID()), unread(user, 'x')];
    expect(await Promise.all(calls.map(codeOf))).toEqual(Array(3).fill('404 record_not_found'));
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const call = workspace.ada.reader.markNotificationUnread({ params: { id: randomUUID() } });
    expect(await codeOf(call)).toBe('403 api_key_insufficient');
  });
});
