import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenCalendar, shareMailbox } from '../../support/events.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /users/{user_id}/calendar_subscriptions', () => {
  let workspace: Workspace;
  let calendar: { calendar_id: string; mailbox_id: string };
  beforeAll(async () => {
    workspace = await startWorkspace();
    calendar = await givenCalendar(workspace, workspace.grace);
    await shareMailbox(workspace.grace, calendar.mailbox_id, workspace.linus);
  });
  afterAll(() => workspace.stop());

  const subscribe = (user: TestUser, fields: object, user_id = user.user.id) =>
    user.api.createCalendarSubscription({
      params: { user_id },
      body: { calendar_subscription: { calendar_id: calendar.calendar_id, ...fields } },
    });

  it('200: visible by default; an existing one is returned unchanged', async () => {
    const { grace } = workspace;
    const first = await subscribe(grace, {});
    expect(first.status).toBe(200);
    const { calendar_subscription } = first.body;
    expect(calendar_subscription).toMatchObject({
      ...{ user_id: grace.user.id, calendar_id: calendar.calendar_id, visible: true, color: null },
    });
    const second = await subscribe(grace, { visible: false, color: '#2F6FED' });
    expect([second.status, second.body]).toEqual([200, first.body]);
  });

  it('each user has one of their own; ten at once make one', async () => {
    const { linus } = workspace;
    const sent = { visible: false, color: '#ffffff' };
    const made = await Promise.all(Array.from({ length: 10 }, () => subscribe(linus, sent)));
    const found = made.map(({ body }) => body.calendar_subscription);
    expect(found[0]).toMatchObject({ ...sent, user_id: linus.user.id });
    expect(new Set(found.map((each) => JSON.stringify(each))).size).toBe(1);
    const { body } = await subscribe(workspace.grace, {});
    expect(body.calendar_subscription.id).not.toBe(found[0]?.id);
  });

  it('404 for a calendar that the user does not see; 403 for another user, admins too; 404 for any other', async () => {
    const { ada, grace, hank } = workspace;
    for (const user of [ada, hank]) expect(await codeOf(subscribe(user, {}))).toBe('404 record_not_found');
    expect(await codeOf(subscribe(grace, { calendar_id: randomUUID() }))).toBe('404 record_not_found');
    expect(await codeOf(subscribe(ada, {}, grace.user.id))).toBe('403 permission_denied');
    expect(await codeOf(subscribe(grace, {}, ada.user.id))).toBe('403 permission_denied');
    for (const id of [hank.user.id, randomUUID()])
      expect(await codeOf(subscribe(grace, {}, id))).toBe('404 record_not_found');
  });

  it('400: what does not fit', async () => {
    const { grace } = workspace;
    const params = { user_id: grace.user.id };
    expect(await problemsOf(grace.api.createCalendarSubscription({ params, body: {} as never }))).toEqual({
      calendar_subscription: 'required',
    });
    expect(await problemsOf(subscribe(grace, { calendar_id: undefined }))).toEqual({
      calendar_id: 'required',
    });
    const wrong = { calendar_id: 'x', visible: 'yes', color: 'red', id: randomUUID(), created_at: 'now' };
    expect(await problemsOf(subscribe(grace, wrong))).toEqual({
      ...{ calendar_id: 'invalid_format', visible: 'invalid', color: 'invalid_format' },
      ...{ id: 'not_allowed', created_at: 'not_allowed' },
    });
  });
});
