import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { failureOf } from '../../support/failures.ts';
import { givenNotifications } from '../../support/notifications.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /notifications/{id}/dismiss', () => {
  let workspace: Workspace;
  let users: TestUser[];
  let user: TestUser;
  /** Oldest first. */
  let ids: [string, string, string];
  const start = new Date('2026-11-20T09:00:00.000Z');
  const at = (minute: number) => new Date(start.getTime() + minute * 60_000);
  beforeAll(async () => {
    workspace = await startWorkspace();
    users = await givenAccount(workspace, 10);
  });
  beforeEach(async () => {
    user = users.pop() as TestUser;
    ids = (await givenNotifications(workspace, user, Array(3).fill('deal_won'), start)) as typeof ids;
  });
  afterEach(() => workspace.setTime(undefined));
  afterAll(() => workspace.stop());

  const dismiss = (id: string, who = user) => who.api.dismissNotification({ params: { id } });
  const listed = async (query: object = {}) =>
    (await user.reader.listNotifications({ query })).body.collection.records.map((each) => each.id);
  const count = async (query: object = {}) =>
    (await user.reader.countNotifications({ query })).body.count.total;
  /** Reading it does not change when it was dismissed. */
  const dismissedAt = async (id: string) =>
    (await user.api.markNotificationRead({ params: { id } })).body.notification.dismissed_at;

  it('200: the ok object; it leaves the list and the counts, read or unread', async () => {
    await user.api.markNotificationRead({ params: { id: ids[0] } });
    for (const id of [ids[0], ids[1]]) {
      const { status, body } = await dismiss(id);
      expect([status, body]).toEqual([200, { ok: 'ok' }]);
    }
    for (const query of [{}, { status: 'unread' }, { slice: 'deal_won' }]) {
      expect(await listed(query)).toEqual([ids[2]]);
      expect(await count(query)).toBe(1);
    }
  });

  it('dismissed_at is set; once more keeps the first', async () => {
    workspace.setTime(at(1));
    await dismiss(ids[0]);
    workspace.setTime(at(2));
    await dismiss(ids[0]);
    expect(await dismissedAt(ids[0])).toBe(at(1).toISOString());
  });

  it('one that was dismissed with all others keeps that time', async () => {
    workspace.setTime(at(1));
    await user.api.dismissNotifications({ body: { global: true } });
    workspace.setTime(at(2));
    await dismiss(ids[0]);
    expect(await dismissedAt(ids[0])).toBe(at(1).toISOString());
  });

  it('does not change whether it is read and new', async () => {
    workspace.setTime(at(1));
    await user.api.markNotificationRead({ params: { id: ids[0] } });
    for (const id of ids) await dismiss(id);
    const back = await Promise.all(
      ids.map(async (id) => (await user.api.undismissNotification({ params: { id } })).body.notification),
    );
    expect(back.map((each) => each.read_at)).toEqual([at(1).toISOString(), null, null]);
    expect(back.map((each) => each.new)).toEqual([true, true, true]);
  });

  it('20 dismissals and 20 read marks at once all succeed, and it is dismissed and read', async () => {
    const params = { id: ids[0] };
    await Promise.all(
      Array.from({ length: 20 }, () => [dismiss(ids[0]), user.api.markNotificationRead({ params })]).flat(),
    );
    expect(await listed()).toEqual([ids[2], ids[1]]);
    const { notification } = (await user.api.undismissNotification({ params })).body;
    expect(notification.read_at).not.toBeNull();
  });

  it('20 dismissals and undismissals at once leave it in one of the two states', async () => {
    const params = { id: ids[0] };
    await Promise.all(
      Array.from({ length: 10 }, () => [dismiss(ids[0]), user.api.undismissNotification({ params })]).flat(),
    );
    expect(await count()).toBe((await listed()).length);
    await dismiss(ids[0]);
    expect(await listed()).toEqual([ids[2], ids[1]]);
  });

  it('404: the same for another user’s notification, which stays listed, as for an unknown one', async () => {
    const { ada, hank } = workspace;
    const calls = [dismiss(ids[0], ada), dismiss(ids[0], hank), dismiss(randomUUID()), dismiss('nonsense')];
    const responses = await Promise.all(calls.map(failureOf));
    expect(responses[0]?.message).toMatch(/^404 record_not_found/);
    expect(new Set(responses.map((each) => each.message)).size).toBe(1);
    expect(await listed()).toHaveLength(3);
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const failure = await failureOf(user.reader.dismissNotification({ params: { id: ids[0] } }));
    expect([failure.status, failure.code]).toEqual([403, 'api_key_insufficient']);
  });
});
