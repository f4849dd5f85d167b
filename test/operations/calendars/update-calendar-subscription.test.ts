import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenCalendar, givenSubscription, shareMailbox, stopSharingMailbox } from '../../support/events.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /users/{user_id}/calendar_subscriptions/{id}', () => {
  let workspace: Workspace;
  let calendar: { calendar_id: string; mailbox_id: string };
  beforeAll(async () => {
    workspace = await startWorkspace();
    calendar = await givenCalendar(workspace, workspace.grace);
  });
  afterAll(() => workspace.stop());

  const update = (user: TestUser, id: string, fields: object, user_id = user.user.id) =>
    user.api.updateCalendarSubscription({
      params: { user_id, id },
      body: { calendar_subscription: fields },
    });

  it('200: what is sent changes, null clears, and the rest stays', async () => {
    const { grace } = workspace;
    const made = await givenSubscription(grace, calendar.calendar_id);
    const first = await update(grace, made.id, { visible: false, color: '#2F6FED' });
    expect([first.status, first.body.calendar_subscription]).toEqual([
      200,
      { ...made, visible: false, color: '#2F6FED' },
    ]);
    const second = (await update(grace, made.id, { color: null })).body.calendar_subscription;
    expect(second).toEqual({ ...made, visible: false, color: null });
    expect((await update(grace, made.id, {})).body.calendar_subscription).toEqual(second);
    expect(await givenSubscription(grace, calendar.calendar_id)).toEqual(second);
  });

  it('403 for another user, admins too; 404 for one that is not there', async () => {
    const { ada, grace, hank } = workspace;
    const { id } = await givenSubscription(grace, calendar.calendar_id);
    expect(await codeOf(update(ada, id, { visible: true }, grace.user.id))).toBe('403 permission_denied');
    expect(await codeOf(update(ada, id, { visible: true }))).toBe('404 record_not_found');
    expect(await codeOf(update(hank, id, { visible: true }, grace.user.id))).toBe('404 record_not_found');
    expect(await codeOf(update(grace, randomUUID(), { visible: true }))).toBe('404 record_not_found');
  });

  it('404 while the user does not see the calendar', async () => {
    const { grace, linus } = workspace;
    await shareMailbox(grace, calendar.mailbox_id, linus);
    const { id } = await givenSubscription(linus, calendar.calendar_id);
    await stopSharingMailbox(grace, calendar.mailbox_id);
    expect(await codeOf(update(linus, id, { visible: false }))).toBe('404 record_not_found');
    expect(await codeOf(update(linus, id, {}))).toBe('404 record_not_found');
    await shareMailbox(grace, calendar.mailbox_id, linus);
    const again = (await update(linus, id, {})).body.calendar_subscription;
    expect(again).toMatchObject({ id, visible: true });
  });

  it('400: what does not fit', async () => {
    const { grace } = workspace;
    const { id } = await givenSubscription(grace, calendar.calendar_id);
    const wrong = { visible: null, color: 'red', calendar_id: calendar.calendar_id, user_id: grace.user.id };
    expect(await problemsOf(update(grace, id, wrong))).toEqual({
      ...{ visible: 'invalid', color: 'invalid_format' },
      ...{ calendar_id: 'not_allowed', user_id: 'not_allowed' },
    });
  });
});
