import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type NotificationEvent,
  notificationEvents,
} from '#shared/domain/collaboration/notifications/event.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { givenNotifications } from '../../support/notifications.ts';
import { asJson, bearer, errorText, raw } from '../../support/raw.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /notifications/dismiss', () => {
  let workspace: Workspace;
  let users: TestUser[];
  let user: TestUser;
  const start = new Date('2026-11-20T09:00:00.000Z');
  const at = (minute: number) => new Date(start.getTime() + minute * 60_000);
  beforeAll(async () => {
    workspace = await startWorkspace();
    users = await givenAccount(workspace, 30);
  });
  beforeEach(() => {
    // A user without notifications for every test; the tables of bad input at the end need none.
    user = users.pop() ?? user;
  });
  afterEach(() => workspace.setTime(undefined));
  afterAll(() => workspace.stop());

  const given = (events: NotificationEvent[], when = start) =>
    givenNotifications(workspace, user, events, when) as Promise<[string, string, string, ...string[]]>;
  const dismiss = (body: object, who = user) => who.api.dismissNotifications({ body });
  const listed = async (query: object = {}, who = user) =>
    (await who.reader.listNotifications({ query })).body.collection.records.map((each) => each.id);
  const count = async (query: object = {}) =>
    (await user.reader.countNotifications({ query })).body.count.total;
  const dismissedAt = async (id: string) =>
    (await user.api.markNotificationRead({ params: { id } })).body.notification.dismissed_at;

  it('200 by ids: the ok object; those leave the list and the counts', async () => {
    const ids = await given(['deal_won', 'task_assigned', 'deal_won']);
    const { status, body } = await dismiss({ ids: [ids[0], ids[1].toUpperCase(), ids[0]] });
    expect([status, body]).toEqual([200, { ok: 'ok' }]);
    expect(await listed()).toEqual([ids[2]]);
    expect(await count()).toBe(1);
    expect(await count({ status: 'unread' })).toBe(1);
  });

  it('200 by ids: ignores those of other recipients, and does not change them', async () => {
    const ids = await given(['deal_won', 'deal_won', 'deal_won']);
    const other = users[0] as TestUser;
    const [theirs] = await givenNotifications(workspace, other, ['deal_won'], start);
    await dismiss({ ids: [theirs, randomUUID(), ids[1]] });
    expect(await listed()).toEqual([ids[2], ids[0]]);
    expect(await listed({}, other)).toEqual([theirs]);
    await dismiss({ ids: [randomUUID()] });
    await dismiss({ ids: [] });
    expect(await listed()).toEqual([ids[2], ids[0]]);
  });

  it('200 by ids: 100, the largest page, at once', async () => {
    const ids = await given(Array(101).fill('deal_won'));
    await dismiss({ ids: ids.slice(1) });
    expect(await listed()).toEqual([ids[0]]);
  });

  it('200 by slice: only its events, and what comes later is listed', async () => {
    const ids = await given(['deal_won', 'task_assigned', 'deal_won', 'deal_shared', 'deal_won']);
    workspace.setTime(at(1));
    await dismiss({ slice: 'deal_won,deal_shared,deal_won' });
    const [late] = await given(['deal_won'], at(2));
    workspace.setTime(at(3));
    expect(await listed()).toEqual([late, ids[1]]);
    expect(await listed({ slice: 'deal_won' })).toEqual([late]);
    expect(await listed({ slice: 'deal_shared' })).toEqual([]);
    expect([
      await count(),
      await count({ slice: 'deal_won' }),
      await count({ slice: 'task_assigned' }),
    ]).toEqual([2, 1, 1]);
    expect(await count({ status: 'unread', slice: 'deal_won,task_assigned' })).toBe(2);
  });

  longIt('200 by slice: every event of the specification', async () => {
    const ids = await given([...notificationEvents]);
    workspace.setTime(at(1));
    const left = ids.toReversed();
    for (const slice of notificationEvents) {
      await dismiss({ slice });
      left.pop();
      expect(await listed()).toEqual(left);
    }
    expect(left).toEqual([]);
    const later = await given([...notificationEvents], at(2));
    workspace.setTime(at(3));
    expect(await count()).toBe(later.length);
    await dismiss({ slice: notificationEvents.join(',') });
    expect([await count(), await listed()]).toEqual([0, []]);
  });

  it('200 by global: all, and what comes later is listed', async () => {
    await given(['deal_won', 'task_assigned', 'deal_won']);
    workspace.setTime(at(1));
    await dismiss({ global: true });
    expect([await listed(), await count(), await count({ status: 'unread' })]).toEqual([[], 0, 0]);
    const [late] = await given(['deal_won'], at(2));
    expect([await listed(), await count()]).toEqual([[late], 1]);
  });

  it('200 by global: without any notification', async () => {
    await dismiss({ global: true });
    expect(await listed()).toEqual([]);
  });

  it('dismisses notifications from a machine with a faster clock as well', async () => {
    await given(['deal_won'], at(5));
    workspace.setTime(at(1));
    await dismiss({ global: true });
    expect(await listed()).toEqual([]);
  });

  it('dismissed_at is the time of the first dismissal, of any kind', async () => {
    const ids = await given(['deal_won', 'task_assigned', 'deal_won']);
    workspace.setTime(at(1));
    await dismiss({ ids: [ids[0]] });
    workspace.setTime(at(2));
    await dismiss({ slice: 'deal_won' });
    for (const minute of [3, 4]) {
      workspace.setTime(at(minute));
      await dismiss({ global: true });
      await given(['deal_won'], at(minute));
    }
    expect(await Promise.all(ids.map(dismissedAt))).toEqual(
      [at(1), at(3), at(2)].map((each) => each.toISOString()),
    );
  });

  it('read state and new stay as they are', async () => {
    const ids = await given(['deal_won', 'deal_won', 'deal_won']);
    workspace.setTime(at(1));
    await user.api.markNotificationRead({ params: { id: ids[0] } });
    workspace.setTime(at(2));
    await dismiss({ global: true });
    const back = await Promise.all(
      ids.map(async (id) => (await user.api.undismissNotification({ params: { id } })).body.notification),
    );
    expect(back.map((each) => [each.read_at, each.new])).toEqual([
      [at(1).toISOString(), true],
      [null, true],
      [null, true],
    ]);
  });

  it('global wins over slice, and slice over ids', async () => {
    const ids = await given(['deal_won', 'task_assigned', 'deal_shared']);
    await dismiss({ slice: 'deal_won', ids: [ids[2]] });
    expect(await listed()).toEqual([ids[2], ids[1]]);
    await dismiss({ slice: 'deal_won', ids: [ids[2]], global: false });
    expect(await listed()).toEqual([ids[2], ids[1]]);
    await dismiss({ ids: [ids[2]], global: false });
    expect(await listed()).toEqual([ids[1]]);
    await given(['deal_won'], at(1));
    await dismiss({ slice: 'deal_won', ids: [ids[0]], global: true });
    expect(await listed()).toEqual([]);
  });

  it('changes notifications of the key’s user only', async () => {
    const other = users[0] as TestUser;
    const before = await listed({}, other);
    await givenNotifications(workspace, other, ['deal_won'], at(10));
    await given(['deal_won']);
    workspace.setTime(at(20));
    await dismiss({ global: true });
    await dismiss({ slice: 'deal_won' });
    expect(await listed({}, other)).toHaveLength(before.length + 1);
  });

  longIt('twenty concurrent dismissals of everything all succeed, and everything is dismissed', async () => {
    const ids = await given(Array(30).fill('deal_won'));
    const bodies = [{ global: true }, { slice: 'deal_won' }, { ids }, { slice: 'deal_won,task_assigned' }];
    const calls = Array.from({ length: 20 }, (_, i) => dismiss(bodies[i % 4] as object));
    expect((await Promise.all(calls)).map((each) => each.status)).toEqual(Array(20).fill(200));
    expect([await listed(), await count()]).toEqual([[], 0]);
    await user.api.undismissNotification({ params: { id: ids[3] as string } });
    expect(await listed()).toEqual([ids[3]]);
  });

  it('400: a body that names nothing to dismiss', async () => {
    for (const body of [{}, { global: false }, { all: true }])
      expect(await problemsOf(dismiss(body))).toEqual({ ids: 'required' });
    const response = await raw(workspace.url, {
      method: 'POST',
      path: '/notifications/dismiss',
      headers: [bearer(user.write_key)],
    });
    expect([response.status, response.json.error?.code]).toEqual([400, 'invalid_request']);
  });

  it.each([
    [{ ids: 'x' }, { ids: 'invalid' }],
    [{ ids: null }, { ids: 'invalid' }],
    [{ ids: {} }, { ids: 'invalid' }],
    [{ ids: ['x'] }, { 'ids.0': 'invalid_format' }],
    [{ ids: [1] }, { 'ids.0': 'invalid' }],
    [{ ids: [randomUUID(), `${randomUUID()}0`] }, { 'ids.1': 'invalid_format' }],
    [{ slice: 'nonsense' }, { slice: 'invalid' }],
    [{ slice: 'deal_won,nonsense' }, { slice: 'invalid' }],
    [{ slice: '' }, { slice: 'invalid' }],
    [{ slice: 'all' }, { slice: 'invalid' }],
    [{ slice: ['deal_won'] }, { slice: 'invalid' }],
    [{ slice: null }, { slice: 'invalid' }],
    [{ global: 'true' }, { global: 'invalid' }],
    [{ global: 1 }, { global: 'invalid' }],
    [{ global: null }, { global: 'invalid' }],
    [
      { ids: 1, slice: 'nonsense', global: 'yes' },
      { ids: 'invalid', slice: 'invalid', global: 'invalid' },
    ],
    // Keys without effect are validated as well.
    [{ global: true, ids: ['x'] }, { 'ids.0': 'invalid_format' }],
  ])('400: %j', async (body, problems) => {
    expect(await problemsOf(dismiss(body))).toEqual(problems);
  });

  it.each([
    ['101 ids', Array.from({ length: 101 }, () => randomUUID())],
    ['10,000 ids', Array.from({ length: 10_000 }, () => randomUUID())],
    ['a million of nothing', Array(1_000_000).fill(0)],
  ])('400: %s are too many, which is the only error', async (_, ids) => {
    const response = await raw(workspace.url, {
      method: 'POST',
      path: '/notifications/dismiss',
      headers: [bearer(user.write_key), asJson],
      body: JSON.stringify({ ids }),
    });
    expect([response.status, response.json]).toMatchObject([
      400,
      { error: { fields: { ids: { code: 'too_long', message: 'must be at most 100 entries' } } } },
    ]);
    expect(errorText(response).length).toBeLessThan(300);
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const call = user.reader.dismissNotifications({ body: { global: true } });
    expect(await codeOf(call)).toBe('403 api_key_insufficient');
  });
});
