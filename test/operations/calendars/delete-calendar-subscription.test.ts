import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenCalendar, givenSubscription, shareMailbox, stopSharingMailbox } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /users/{user_id}/calendar_subscriptions/{id}', () => {
  let workspace: Workspace;
  let calendar: { calendar_id: string; mailbox_id: string };
  beforeAll(async () => {
    workspace = await startWorkspace();
    calendar = await givenCalendar(workspace, workspace.grace);
  });
  afterAll(() => workspace.stop());

  const remove = (user: TestUser, id: string, user_id = user.user.id) =>
    user.api.deleteCalendarSubscription({ params: { user_id, id } });

  it('204, and 404 afterwards; the calendar can be subscribed to again', async () => {
    const { grace } = workspace;
    const { id, created_at } = await givenSubscription(grace, calendar.calendar_id, { visible: false });
    expect((await remove(grace, id)).status).toBe(204);
    expect(await codeOf(remove(grace, id))).toBe('404 record_not_found');
    const again = await givenSubscription(grace, calendar.calendar_id);
    expect(again).toMatchObject({ id, visible: true });
    expect(again.created_at > created_at).toBe(true);
  });

  it('204 also when the user no longer sees the calendar', async () => {
    const { grace, linus } = workspace;
    await shareMailbox(grace, calendar.mailbox_id, linus);
    const { id } = await givenSubscription(linus, calendar.calendar_id);
    await stopSharingMailbox(grace, calendar.mailbox_id);
    expect((await remove(linus, id)).status).toBe(204);
  });

  it('403 for another user, admins too; 404 for one that is not there', async () => {
    const { ada, grace, hank } = workspace;
    const { id } = await givenSubscription(grace, calendar.calendar_id);
    expect(await codeOf(remove(ada, id, grace.user.id))).toBe('403 permission_denied');
    expect(await codeOf(remove(ada, id))).toBe('404 record_not_found');
    expect(await codeOf(remove(hank, id, grace.user.id))).toBe('404 record_not_found');
    expect(await codeOf(remove(grace, randomUUID()))).toBe('404 record_not_found');
    expect((await remove(grace, id)).status).toBe(204);
  });
});
