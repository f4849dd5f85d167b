import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, failureOf } from '../../support/failures.ts';
import { givenNotifications } from '../../support/notifications.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /notifications/{id}/read', () => {
  let workspace: Workspace;
  let grace: TestUser;
  let id: string;
  const start = new Date('2026-11-20T09:00:00.000Z');
  const minutes = (count: number) => new Date(start.getTime() + count * 60_000);
  let last = 0;
  beforeAll(async () => {
    workspace = await startWorkspace();
    grace = workspace.grace;
  });
  beforeEach(async () => {
    last += 10;
    id = (await givenNotifications(workspace, grace, ['task_assigned'], minutes(last)))[0] as string;
  });
  afterEach(() => workspace.setTime(undefined));
  afterAll(() => workspace.stop());

  const read = (which = id, user = grace) => user.api.markNotificationRead({ params: { id: which } });

  it('200: read_at is set, new stays', async () => {
    workspace.setTime(minutes(last + 1));
    const { status, body } = await read();
    expect(status).toBe(200);
    expect(body.notification).toMatchObject({
      id,
      read_at: minutes(last + 1).toISOString(),
      new: true,
      dismissed_at: null,
    });
    const listed = await grace.reader.listNotifications({ query: { limit: 1 } });
    expect(listed.body.collection.records).toEqual([body.notification]);
  });

  it('200: once more keeps the first read_at', async () => {
    workspace.setTime(minutes(last + 1));
    const first = await read();
    workspace.setTime(minutes(last + 2));
    expect((await read()).body).toEqual(first.body);
  });

  it('200: one that was marked read with all others keeps that time', async () => {
    workspace.setTime(minutes(last + 1));
    await grace.api.markAllNotificationsRead();
    workspace.setTime(minutes(last + 2));
    const { body } = await read();
    expect(body.notification).toMatchObject({ read_at: minutes(last + 1).toISOString(), new: false });
  });

  it('200: 20 at once agree on one read_at', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => read()));
    expect(new Set(responses.map(({ body }) => body.notification.read_at)).size).toBe(1);
  });

  it('200: upper-case ids are the same', async () => {
    expect((await read(id.toUpperCase())).body.notification.id).toBe(id);
  });

  it('404: the same for another user’s notification as for an unknown one', async () => {
    const { ada, hank } = workspace;
    const responses = await Promise.all([
      failureOf(read(id, ada)),
      failureOf(read(id, hank)),
      failureOf(read(randomUUID())),
      failureOf(read('nonsense')),
    ]);
    expect(responses[0]?.message).toMatch(/^404 record_not_found/);
    expect(new Set(responses.map((each) => each.message)).size).toBe(1);
    const listed = await grace.reader.listNotifications({ query: { limit: 1 } });
    expect(listed.body.collection.records[0]?.read_at).toBeNull();
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const call = grace.reader.markNotificationRead({ params: { id } });
    expect(await codeOf(call)).toBe('403 api_key_insufficient');
  });
});
