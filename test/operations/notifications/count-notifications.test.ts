import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { problemsOf } from '../../support/failures.ts';
import { long } from '../../support/long.ts';
import { givenNotifications } from '../../support/notifications.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /notifications/count', () => {
  let workspace: Workspace;
  let users: TestUser[];
  const start = new Date('2026-11-20T09:00:00.000Z');
  beforeAll(async () => {
    workspace = await startWorkspace();
    users = await givenAccount(workspace, 3);
  });
  afterEach(() => workspace.setTime(undefined));
  afterAll(() => workspace.stop());

  const count = async (user: TestUser, query: object = {}) =>
    (await user.reader.countNotifications({ query })).body.count;
  const exactly = (total: number) => ({ total, exact: true, capped: false, cap: null });

  it('200: 0', async () => {
    expect(await count(workspace.hank)).toEqual(exactly(0));
    expect(await count(workspace.hank, { status: 'unread' })).toEqual(exactly(0));
  });

  it('200: by slice and status, dismissed ones left out', async () => {
    const user = users.pop() as TestUser;
    const ids = await givenNotifications(
      workspace,
      user,
      ['deal_won', 'deal_won', 'deal_won', 'task_assigned', 'deal_shared', 'task_assigned'],
      start,
    );
    await user.api.dismissNotification({ params: { id: ids[0] as string } });
    await user.api.markNotificationRead({ params: { id: ids[1] as string } });
    expect(await count(user)).toEqual(exactly(5));
    expect(await count(user, { slice: 'deal_won' })).toEqual(exactly(2));
    expect(await count(user, { slice: 'deal_won,task_assigned' })).toEqual(exactly(4));
    expect(await count(user, { status: 'unread' })).toEqual(exactly(4));
    expect(await count(user, { status: 'unread', slice: 'deal_won' })).toEqual(exactly(1));
    workspace.setTime(new Date(start.getTime() + 60_000));
    await user.api.markAllNotificationsRead();
    for (const id of ids.slice(0, 4)) await user.api.markNotificationUnread({ params: { id } });
    expect(await count(user, { status: 'unread' })).toEqual(exactly(3));
    expect(await count(user, { status: 'unread', slice: 'task_assigned' })).toEqual(exactly(1));
    expect(await count(user)).toEqual(exactly(5));
  });

  if (long)
    it('200: exact for more than the table reads at once', async () => {
      const user = users.pop() as TestUser;
      await givenNotifications(workspace, user, Array(5_200).fill('deal_won'), start);
      expect(await count(user)).toEqual(exactly(5_200));
      expect(await count(user, { status: 'unread' })).toEqual(exactly(5_200));
    });

  it.each([
    [{ slice: 'nonsense' }, { slice: 'invalid' }],
    [{ status: 'read' }, { status: 'invalid' }],
  ])('400: %j', async (query, problems) => {
    expect(await problemsOf(workspace.hank.reader.countNotifications({ query }))).toEqual(problems);
  });
});
