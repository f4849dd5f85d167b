import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf } from '../../support/failures.ts';
import { givenNotifications } from '../../support/notifications.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /users/{user_id}/notification_views', () => {
  let workspace: Workspace;
  let users: TestUser[];
  let user: TestUser;
  const start = new Date('2026-11-20T09:00:00.000Z');
  const at = (minute: number) => new Date(start.getTime() + minute * 60_000);
  beforeAll(async () => {
    workspace = await startWorkspace();
    users = await givenAccount(workspace, 10);
  });
  beforeEach(() => {
    user = users.pop() as TestUser;
  });
  afterEach(() => workspace.setTime(undefined));
  afterAll(() => workspace.stop());

  const view = (who = user, whose = who.user.id) =>
    who.session.createNotificationView({ params: { user_id: whose } });
  const states = async () =>
    (await user.reader.listNotifications()).body.collection.records.map((each) => [each.new, each.read_at]);

  it('200: the ok object; none is new any more, and all stay unread', async () => {
    await givenNotifications(workspace, user, ['deal_won', 'task_assigned'], start);
    workspace.setTime(at(1));
    const { status, body } = await view();
    expect([status, body]).toEqual([200, { ok: 'ok' }]);
    expect(await states()).toEqual([
      [false, null],
      [false, null],
    ]);
    const { count } = (await user.reader.countNotifications({ query: { status: 'unread' } })).body;
    expect(count.total).toBe(2);
  });

  it('what arrives afterwards is new', async () => {
    await givenNotifications(workspace, user, ['deal_won'], start);
    workspace.setTime(at(1));
    await view();
    await givenNotifications(workspace, user, ['deal_won'], at(2));
    expect((await states()).map(([is_new]) => is_new)).toEqual([true, false]);
    workspace.setTime(at(3));
    await user.api.markAllNotificationsRead();
    expect((await states()).map(([is_new]) => is_new)).toEqual([false, false]);
  });

  it('200: without any notification, and one at the same moment is new', async () => {
    workspace.setTime(start);
    await view();
    await givenNotifications(workspace, user, ['deal_won'], start);
    expect(await states()).toEqual([[true, null]]);
  });

  it('a later view is not reverted by one of a slower clock, nor by dismissals; later notifications are new', async () => {
    await givenNotifications(workspace, user, ['deal_won', 'deal_won'], start);
    for (const minute of [5, 1]) {
      workspace.setTime(at(minute));
      await view();
    }
    await user.api.dismissNotifications({ body: { slice: 'task_assigned' } });
    await givenNotifications(workspace, user, ['deal_won'], at(4));
    expect((await states()).map(([is_new]) => is_new)).toEqual([true, false, false]);
  });

  it('notifications from a machine with a faster clock are not new either', async () => {
    await givenNotifications(workspace, user, ['deal_won'], at(5));
    workspace.setTime(at(1));
    await view();
    expect(await states()).toEqual([[false, null]]);
  });

  it('20 concurrent views and dismissals all succeed', async () => {
    await givenNotifications(workspace, user, ['deal_won'], start);
    const calls = Array.from({ length: 10 }, () => [
      view(),
      user.api.dismissNotifications({ body: { global: true } }),
    ]);
    expect((await Promise.all(calls.flat())).every((each) => each.status === 200)).toBe(true);
  });

  it('403 permission_denied: for a colleague; 404: for anybody else', async () => {
    const [colleague] = users as [TestUser];
    await givenNotifications(workspace, colleague, ['deal_won'], start);
    expect(await codeOf(view(user, colleague.user.id))).toBe('403 permission_denied');
    expect(await codeOf(view(user, workspace.hank.user.id))).toBe('404 record_not_found');
    expect(await codeOf(view(user, randomUUID()))).toBe('404 record_not_found');
    expect(await codeOf(view(user, 'me'))).toBe('404 record_not_found');
    const { records } = (await colleague.reader.listNotifications()).body.collection;
    expect(records.map((each) => each.new)).toEqual([true]);
  });

  it('403 api_key_insufficient: with any API key', async () => {
    const params = { user_id: user.user.id };
    for (const client of [user.api, user.reader])
      expect(await codeOf(client.createNotificationView({ params }))).toBe('403 api_key_insufficient');
  });

  it('400 not_allowed: a body that names somebody else', async () => {
    const params = { user_id: user.user.id };
    const body = { user_id: randomUUID() } as never;
    expect(await codeOf(user.session.createNotificationView({ params, body }))).toBe('400 invalid_request');
  });
});
