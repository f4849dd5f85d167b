import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareMailbox } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import {
  asked,
  event,
  givenHidden,
  givenHiddenEvent,
  received,
  sent,
  tell,
  thread,
} from '../../support/share-requests.ts';
import { onThread, subjectsOf } from '../../support/shares.ts';
import { givenTwoViews } from '../../support/two-views.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /share_requests/{share_request_id}/approve', () => {
  let workspace: Workspace;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  const approve = ({ api }: TestUser, share_request_id: string, body: { access?: 'view' | 'edit' } = {}) =>
    api.approveShareRequest({ params: { share_request_id }, body });

  it('200: shares the thread, in the lists of who asks at once, who is notified', async () => {
    const { ada, grace } = workspace;
    const { thread_id } = await givenHidden(workspace, ada, 'Winter timetable');
    const id = await asked(grace, thread(thread_id));
    const { status, body } = await approve(ada, id);
    expect(status).toBe(200);
    expect(body.share_request).toMatchObject({
      ...{ id, status: 'approved', answered_by_user_id: ada.user.id, answered_at: expect.any(String) },
      record: { id: thread_id, subject: 'Winter timetable' },
      share_id: expect.any(String),
    });
    expect(await subjectsOf(grace, { slice: 'shared' })).toContain('Winter timetable');
    const { shares } = (await grace.reader.listShares({ params: onThread(thread_id) })).body;
    expect(shares).toMatchObject([
      {
        ...{ id: body.share_request.share_id, source: 'share_request', access: 'view' },
        ...{ user_id: grace.user.id, shared_by_user_id: ada.user.id },
      },
    ]);
    const told = (await grace.reader.listNotifications({ query: { slice: 'thread_shared' } })).body
      .collection;
    expect(told.records).toMatchObject([
      { payload: { id: thread_id, subject: 'Winter timetable', share: { source: 'share_request' } } },
    ]);
    expect((await sent(grace, 'all')).find((each) => each.id === id)).toMatchObject({
      status: 'approved',
      record: { id: thread_id, subject: 'Winter timetable' },
    });
    expect((await received(ada)).map((each) => each.id)).not.toContain(id);
  });

  it('200: an event, to edit', async () => {
    const { ada, grace } = workspace;
    const { event_id } = await givenHiddenEvent(workspace, ada, 'Pier 4');
    const { body } = await approve(ada, await asked(grace, event(event_id)), { access: 'edit' });
    expect(body.share_request.record).toEqual({ id: event_id, name: 'Pier 4' });
    const { calendar_event } = (await grace.reader.retrieveCalendarEvent({ params: { id: event_id } })).body;
    expect(calendar_event.shares).toMatchObject([{ access: 'edit', source: 'share_request' }]);
    const told = await grace.reader.listNotifications({ query: { slice: 'calendar_event_shared' } });
    expect(told.body.collection.records).toMatchObject([{ payload: { id: event_id, name: 'Pier 4' } }]);
  });

  longIt('opens the mail of who approves, and none of the others', async () => {
    const { ada, grace, linus } = workspace;
    const views = await givenTwoViews(workspace, ada, grace);
    for (const { user, mailbox } of [views.first, views.second]) await tell(user, mailbox);
    const id = await asked(linus, thread(views.id));
    await approve(grace, id);
    const { body } = await linus.reader.retrieveThread({ params: { id: views.id } });
    expect([body.thread.subject, body.thread.message_count]).toEqual(['Ferry times', 1]);
    expect(await codeOf(approve(ada, id))).toBe('409 share_request_already_answered');
  });

  longIt('joins a share that is there: the mail of both, the wider access', async () => {
    const { ada, grace, linus } = workspace;
    const views = await givenTwoViews(workspace, ada, grace);
    for (const { user, mailbox } of [views.first, views.second]) await tell(user, mailbox);
    const id = await asked(linus, thread(views.id));
    const share = { user_id: linus.user.id, access: 'edit' as const };
    const given = (await ada.api.createShare({ params: onThread(views.id), body: { share } })).body.share;
    const { body } = await approve(grace, id);
    expect(body.share_request.share_id).toBe(given.id);
    const seen = (await linus.reader.retrieveThread({ params: { id: views.id } })).body.thread;
    expect([seen.message_count, seen.shares?.[0]?.access]).toEqual([2, 'edit']);
  });

  longIt(
    '200: also when a share of the mailbox gave access meanwhile, or colleagues are told nothing any more',
    async () => {
      const { ada, grace } = workspace;
      const { thread_id, mailbox_id } = await givenHidden(workspace, ada, 'Meanwhile');
      const id = await asked(grace, thread(thread_id));
      await shareMailbox(ada, mailbox_id, grace);
      await tell(ada, mailbox_id, false);
      expect((await approve(ada, id)).body.share_request.status).toBe('approved');
    },
  );

  longIt('ends with its share: approved it stays, and the record is hidden again', async () => {
    const { ada, grace } = workspace;
    const { thread_id } = await givenHidden(workspace, ada, 'Ended');
    const id = await asked(grace, thread(thread_id));
    const { share_id } = (await approve(ada, id)).body.share_request;
    await ada.api.deleteShare({ params: { ...onThread(thread_id), id: share_id as string } });
    const { body } = await grace.reader.retrieveShareRequest({ params: { id } });
    expect(body.share_request).toMatchObject({ status: 'approved', record: null, share_id });
    expect(await codeOf(grace.reader.retrieveThread({ params: { id: thread_id } }))).toBe(
      '404 record_not_found',
    );
  });

  longIt('404 for others and gone records, 403 for who asks, 409 once it is answered', async () => {
    const { ada, grace, linus, hank } = workspace;
    const { thread_id } = await givenHidden(workspace, ada, 'Rights');
    const { event_id } = await givenHiddenEvent(workspace, ada, 'Rights');
    const id = await asked(grace, thread(thread_id));
    for (const user of [linus, hank]) expect(await codeOf(approve(user, id))).toBe('404 record_not_found');
    expect(await codeOf(approve(ada, randomUUID()))).toBe('404 record_not_found');
    expect(await codeOf(approve(grace, id))).toBe('403 permission_denied');
    const of_event = await asked(grace, event(event_id));
    await ada.api.deleteCalendarEvent({ params: { id: event_id } });
    expect(await codeOf(approve(ada, of_event))).toBe('404 record_not_found');
    expect(await received(ada)).toContainEqual(expect.objectContaining({ id: of_event, record: null }));
    await ada.api.denyShareRequest({ params: { share_request_id: of_event } });
    await approve(ada, id);
    expect(await codeOf(approve(ada, id))).toBe('409 share_request_already_answered');
  });

  longIt('of an approval, a denial and a withdrawal at once, exactly one counts', async () => {
    const { ada, grace } = workspace;
    for (let i = 0; i < 4; i++) {
      const { thread_id } = await givenHidden(workspace, ada, `Race ${i}`);
      const id = await asked(grace, thread(thread_id));
      const params = { share_request_id: id };
      const outcomes = await Promise.allSettled([
        approve(ada, id),
        ada.api.denyShareRequest({ params }),
        grace.api.deleteShareRequest({ params: { id } }),
        approve(ada, id, { access: 'edit' }),
      ]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const { status } = (await grace.reader.retrieveShareRequest({ params: { id } })).body.share_request;
      const seen = (await subjectsOf(grace)).includes(`Race ${i}`);
      expect(seen).toBe(status === 'approved');
    }
  });
});
