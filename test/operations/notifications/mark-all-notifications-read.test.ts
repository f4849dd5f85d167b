import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf } from '../../support/failures.ts';
import { longIt, reduced } from '../../support/long.ts';
import { givenNotifications } from '../../support/notifications.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /notifications/read', () => {
  let workspace: Workspace;
  let users: TestUser[];
  const start = new Date('2026-11-20T09:00:00.000Z');
  const at = (minute: number) => new Date(start.getTime() + minute * 60_000);
  beforeAll(async () => {
    workspace = await startWorkspace();
    users = await givenAccount(workspace, 10);
  });
  afterEach(() => {
    workspace.setTime(undefined);
    vi.restoreAllMocks();
  });
  afterAll(() => workspace.stop());

  const listOf = async (user: TestUser, query: object = {}) =>
    (await user.reader.listNotifications({ query })).body.collection.records;

  it('200: everything is read and nothing is new; the counts are 0', async () => {
    const user = users.pop() as TestUser;
    await givenNotifications(workspace, user, ['deal_won', 'task_assigned', 'deal_won'], start);
    workspace.setTime(at(1));
    const { status, body } = await user.api.markAllNotificationsRead();
    expect(status).toBe(200);
    expect(body).toEqual({ new_count: 0, unread_count: 0, unread_counts: {} });
    const records = await listOf(user);
    expect(records.map((each) => each.read_at)).toEqual(Array(3).fill(at(1).toISOString()));
    expect(records.map((each) => each.new)).toEqual([false, false, false]);
    expect(await listOf(user, { status: 'unread' })).toEqual([]);
  });

  it('200: without any notification', async () => {
    const { body } = await workspace.hank.api.markAllNotificationsRead();
    expect(body).toEqual({ new_count: 0, unread_count: 0, unread_counts: {} });
  });

  it('read notifications keep their read_at, marked alone or with all', async () => {
    const user = users.pop() as TestUser;
    const [first] = (await givenNotifications(workspace, user, ['deal_won', 'deal_won'], start)) as [string];
    workspace.setTime(at(1));
    await user.api.markNotificationRead({ params: { id: first } });
    for (const minute of [2, 4, 6]) {
      workspace.setTime(at(minute));
      await user.api.markAllNotificationsRead();
      await givenNotifications(workspace, user, ['task_assigned'], at(minute + 1));
    }
    expect((await listOf(user)).map((each) => each.read_at && Date.parse(each.read_at))).toEqual([
      null,
      at(6).getTime(),
      at(4).getTime(),
      at(2).getTime(),
      at(1).getTime(),
    ]);
  });

  it('later notifications are new and unread', async () => {
    const user = users.pop() as TestUser;
    await givenNotifications(workspace, user, ['deal_won'], start);
    workspace.setTime(at(1));
    await user.api.markAllNotificationsRead();
    const [late] = await givenNotifications(workspace, user, ['deal_won'], at(2));
    expect(await listOf(user)).toMatchObject([
      { id: late, new: true, read_at: null },
      { new: false, read_at: at(1).toISOString() },
    ]);
  });

  it('marks notifications from a machine with a faster clock as well', async () => {
    const user = users.pop() as TestUser;
    await givenNotifications(workspace, user, ['deal_won'], at(5));
    workspace.setTime(at(1));
    await user.api.markAllNotificationsRead();
    expect(await listOf(user, { status: 'unread' })).toEqual([]);
  });

  longIt('costs the same for many as for one, and nothing is written when all is read', async () => {
    const [few, many] = users.splice(-2) as [TestUser, TestUser];
    await givenNotifications(workspace, few, ['deal_won'], start);
    await givenNotifications(workspace, many, Array(1_500).fill('deal_won'), start);
    workspace.setTime(at(1));
    const { table } = workspace;
    const calls = async (user: TestUser) => {
      const query = vi.spyOn(table, 'query');
      const put = vi.spyOn(table, 'put');
      await user.api.markAllNotificationsRead();
      const asked = query.mock.calls.map(([input]) => input.limit);
      const done = { asked, written: put.mock.calls.length };
      vi.restoreAllMocks();
      return done;
    };
    expect(await calls(few)).toEqual({ asked: [1, 48, 1], written: 1 });
    expect(await calls(many)).toEqual({ asked: [1, 48, 1], written: 1 });
    expect(await calls(many)).toEqual({ asked: [1, 48, 1, 1], written: 0 });
    const marks = await table.all(keys.notificationsRead(many.user.id, 0).PK, 'READ#');
    expect(marks).toHaveLength(1);
  });

  it('changes notifications of the key’s user only', async () => {
    const [one, other] = users.splice(-2) as [TestUser, TestUser];
    for (const user of [one, other]) await givenNotifications(workspace, user, ['deal_won'], start);
    await one.api.markAllNotificationsRead();
    expect(await listOf(other, { status: 'unread' })).toHaveLength(1);
  });

  longIt(
    'every page shows the right read_at after many marks with a notification between each of them',
    async () => {
      const user = users.pop() as TestUser;
      const moments: string[] = [];
      for (let round = 0; round < reduced(50); round++) {
        await givenNotifications(workspace, user, ['deal_won'], at(2 * round));
        workspace.setTime(at(2 * round + 1));
        await user.api.markAllNotificationsRead();
        moments.unshift(at(2 * round + 1).toISOString());
      }
      expect((await listOf(user)).map((each) => each.read_at)).toEqual(moments);
    },
  );

  it('403 api_key_insufficient: with a read key', async () => {
    expect(await codeOf(workspace.ada.reader.markAllNotificationsRead())).toBe('403 api_key_insufficient');
  });
});
