import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ShareRequest } from '#shared/domain/collaboration/share-requests/request.ts';
import { keys } from '#shared/table/keys.ts';
import { shareMailbox } from '../../support/events.ts';
import { codeOf, problemsOf, refusalsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import {
  ask,
  asked,
  event,
  givenHidden,
  givenHiddenEvent,
  received,
  sent,
  tell,
  thread,
} from '../../support/share-requests.ts';
import { onThread } from '../../support/shares.ts';
import { givenTwoViews } from '../../support/two-views.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

const DAY = 86_400_000;

describe('POST /share_requests', () => {
  let workspace: Workspace;

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  const toldOf = async (user: 'ada' | 'grace' | 'linus', id: string) =>
    (await workspace[user].reader.listNotifications()).body.collection.records.filter(
      ({ payload }) => payload?.id === id,
    );

  it('201: the owner of the mailbox is asked; who asks learns nothing of the record', async () => {
    const { ada, grace, linus } = workspace;
    const { thread_id } = await givenHidden(workspace, ada, 'Winter timetable');
    const share_request = { ...thread(thread_id), message: ' I take over. ' };
    const { status, body } = await grace.api.createShareRequest({ body: { share_request } });
    expect(status).toBe(201);
    expect(body.share_request).toEqual({
      id: expect.any(String),
      ...thread(thread_id),
      record: null,
      user_id: grace.user.id,
      requested_by_user_id: grace.user.id,
      approver_user_ids: [ada.user.id],
      message: 'I take over.',
      status: 'pending',
      ...{ answered_by_user_id: null, answered_at: null, share_id: null },
      created_at: expect.any(String),
      updated_at: null,
    });
    expect(await toldOf('ada', thread_id)).toMatchObject([
      {
        event: 'interaction_share_requested',
        prompting_user_id: grace.user.id,
        payload: {
          ...{ id: thread_id, record_type: 'thread', subject: 'Winter timetable' },
          share: { id: body.share_request.id, message: 'I take over.', record: null },
        },
      },
    ]);
    expect(JSON.stringify(await toldOf('grace', thread_id))).toBe('[]');
    expect(await toldOf('linus', thread_id)).toEqual([]);
    expect(await received(linus, 'all')).toEqual([]);
  });

  it('201: for an event', async () => {
    const { ada, grace } = workspace;
    const { event_id } = await givenHiddenEvent(workspace, ada, 'Pier 4');
    const { body } = await ask(grace, event(event_id));
    expect(body.share_request).toMatchObject({ ...event(event_id), record: null, message: null });
    expect(await toldOf('ada', event_id)).toMatchObject([
      { event: 'interaction_share_requested', payload: { record_type: 'calendar_event', name: 'Pier 4' } },
    ]);
  });

  it('201: for an occurrence of a series, which has no item', async () => {
    const { ada, grace } = workspace;
    const series = { recurrence: ['FREQ=DAILY;COUNT=3'], time_zone: 'Europe/Berlin' };
    const { mailbox_id } = await givenHiddenEvent(workspace, ada, 'Daily', series);
    const query = { starts_after: '2026-11-01T00:00:00Z', starts_before: '2026-12-31T00:00:00Z' };
    const own = { query: { ...query, mailbox_id } };
    const [, second] = (await ada.reader.listCalendarEvents(own)).body.collection.records;
    const id = await asked(grace, event(second?.id as string));
    await ada.api.approveShareRequest({ params: { share_request_id: id }, body: {} });
    const { records } = (await grace.reader.listCalendarEvents({ query })).body.collection;
    expect(records.map((each) => each.id)).toEqual([second?.id]);
  });

  it('200: with the request that is pending, whatever else is sent, and nobody is told again', async () => {
    const { ada, grace } = workspace;
    const { thread_id } = await givenHidden(workspace, ada, 'Twice');
    const all = await Promise.all(Array.from({ length: 5 }, () => ask(grace, thread(thread_id))));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 201]);
    expect(new Set(all.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const again = await grace.api.createShareRequest({
      body: { share_request: { ...thread(thread_id), message: 'Please' } },
    });
    expect([again.status, again.body.share_request.message]).toEqual([200, null]);
    expect(await toldOf('ada', thread_id)).toHaveLength(1);
    expect((await sent(grace)).filter(({ record_id }) => record_id === thread_id)).toHaveLength(1);
  });

  it('201: everybody asks for themselves', async () => {
    const { ada, grace, linus } = workspace;
    const { thread_id } = await givenHidden(workspace, ada, 'Popular');
    const ids = [await asked(grace, thread(thread_id)), await asked(linus, thread(thread_id))];
    expect(new Set(ids).size).toBe(2);
    const mine = (await received(ada)).filter(({ record_id }) => record_id === thread_id);
    expect(mine.map(({ user_id }) => user_id).toSorted()).toEqual([grace.user.id, linus.user.id].toSorted());
  });

  it('asks the owners whose mailboxes tell of the thread, and no others', async () => {
    const { ada, grace, linus } = workspace;
    const views = await givenTwoViews(workspace, ada, grace);
    await tell(grace, views.second.mailbox);
    const { body } = await ask(linus, thread(views.id));
    expect(body.share_request.approver_user_ids).toEqual([grace.user.id]);
    expect(await toldOf('ada', views.id)).toEqual([]);
    expect(await toldOf('grace', views.id)).toMatchObject([{ payload: { subject: 'Ferry times' } }]);
  });

  longIt('409 already_shared: whoever sees it, or a part of it, in any way', async () => {
    const { ada, grace, linus } = workspace;
    const { thread_id, mailbox_id } = await givenHidden(workspace, ada, 'Seen');
    const { event_id } = await givenHiddenEvent(workspace, ada, 'Seen');
    const views = await givenTwoViews(workspace, ada, grace);
    await tell(ada, views.first.mailbox);
    const share = { user_id: linus.user.id };
    await ada.api.createShare({ params: onThread(thread_id), body: { share } });
    await shareMailbox(ada, mailbox_id, grace);
    const seen = [
      [ada, thread(thread_id)],
      [ada, event(event_id)],
      [linus, thread(thread_id)],
      [grace, thread(thread_id)],
      [grace, thread(views.id)],
    ] as const;
    for (const [user, record] of seen) expect(await codeOf(ask(user, record))).toBe('409 already_shared');
  });

  longIt('404: all that nobody may know of', async () => {
    const { ada, grace, hank } = workspace;
    const off = await givenHidden(workspace, ada, 'Off');
    const also = await givenHiddenEvent(workspace, ada, 'Off');
    for (const { mailbox_id } of [off, also]) await tell(ada, mailbox_id, false);
    const secret = await givenHiddenEvent(workspace, ada, 'Secret', { private: true });
    const foreign = await givenHidden(workspace, hank, 'Foreign');
    const abroad = await givenHiddenEvent(workspace, hank, 'Foreign');
    const gone = await givenHidden(workspace, ada, 'Gone');
    await ada.session.deleteMailbox({ params: { id: gone.mailbox_id }, query: { keep_threads: true } });
    const { body } = await ada.api.createContact({ body: { contact: { name: 'Somebody' } } });
    const nothing = [
      thread(randomUUID()),
      event(randomUUID()),
      thread(off.thread_id),
      event(also.event_id),
      event(off.thread_id),
      event(secret.event_id),
      thread(foreign.thread_id),
      event(abroad.event_id),
      thread(gone.thread_id),
      thread(body.contact.id),
      thread(off.mailbox_id),
    ];
    for (const each of nothing) expect(await codeOf(ask(grace, each))).toBe('404 record_not_found');
    expect((await sent(grace, 'all')).map(({ record_id }) => record_id)).not.toContain(off.thread_id);
  });

  longIt('429: the same record once a day, however the request ended', async () => {
    const { ada, grace, linus } = workspace;
    const { thread_id } = await givenHidden(workspace, ada, 'Again');
    const [denied, gone] = [await asked(grace, thread(thread_id)), await asked(linus, thread(thread_id))];
    await ada.api.denyShareRequest({ params: { share_request_id: denied } });
    await linus.api.deleteShareRequest({ params: { id: gone } });
    for (const user of [grace, linus])
      expect(await codeOf(ask(user, thread(thread_id)))).toBe('429 rate_limited');
    workspace.setTime(new Date(Date.now() + DAY + 60_000));
    for (const user of [grace, linus]) expect((await ask(user, thread(thread_id))).status).toBe(201);
    workspace.setTime(undefined);
    expect((await received(ada, 'all')).filter(({ record_id }) => record_id === thread_id)).toHaveLength(4);
  });

  longIt('429: sixty in an hour, found or not; 400: one more than a hundred pending ones', async () => {
    const { ada, linus, table } = workspace;
    workspace.setTime(new Date(Date.now() + 2 * DAY));
    const { thread_id } = await givenHidden(workspace, ada, 'Flood');
    const codes = [];
    for (let i = 0; i < 61; i++) codes.push(await codeOf(ask(linus, thread(randomUUID()))));
    expect(new Set(codes.slice(0, 60))).toEqual(new Set(['404 record_not_found']));
    expect(codes.at(-1)).toBe('429 rate_limited');
    workspace.setTime(new Date(Date.now() + 3 * DAY));
    const before = (await sent(linus)).length;
    const rows = Array.from({ length: 100 - before }, () => {
      const id = randomUUID();
      return { put: { ...keys.shareRequestRow(linus.user.id, 'sent', true, id), request_id: id } };
    });
    await table.writeMany(rows);
    expect(await problemsOf(ask(linus, thread(thread_id)))).toEqual({ share_request: 'invalid' });
    const free = (some: typeof rows) =>
      table.writeMany(some.map(({ put: { PK, SK } }) => ({ delete: { PK, SK } })));
    await free(rows.slice(0, 1));
    const others = [];
    for (let i = 0; i < 4; i++) others.push(await givenHidden(workspace, ada, `Crowded ${i}`));
    const asked = others.map((each) => ask(linus, thread(each.thread_id)));
    expect(await refusalsOf(asked)).toEqual(Array(3).fill(400));
    await free(rows.slice(1));
    expect((await ask(linus, thread(thread_id))).status).toBe(201);
    workspace.setTime(undefined);
  });

  it.each([
    ['no wrapper', {}, 'share_request', 'required'],
    ['no record', { share_request: { record_type: 'thread' } }, 'record_id', 'required'],
    [
      'another type',
      { share_request: { ...thread(randomUUID()), record_type: 'contact' } },
      'record_type',
      'invalid',
    ],
    ['no id', { share_request: thread('x') }, 'record_id', 'invalid_format'],
    [
      'a long message',
      { share_request: { ...thread(randomUUID()), message: 'x'.repeat(1_001) } },
      'message',
      'too_long',
    ],
    [
      'a field of the service',
      { share_request: { ...thread(randomUUID()), status: 'approved' } },
      'status',
      'not_allowed',
    ],
  ])('400: %s', async (_, body, field, code) => {
    const problems = await problemsOf(workspace.grace.api.createShareRequest({ body: body as never }));
    expect(problems).toEqual({ [field]: code });
  });

  it('asks who took over, when the owner has left', async () => {
    const { ada, grace, linus, table } = workspace;
    // Later than all that the tests before asked for.
    workspace.setTime(new Date(Date.now() + 10 * DAY));
    const { thread_id, mailbox_id } = await givenHidden(workspace, grace, 'Left behind');
    await shareMailbox(grace, mailbox_id, ada, 'edit');
    const key = keys.user(grace.user.account_id, grace.user.id);
    await table.update(key, { set: { status: 'deactivated' } as never });
    const id = await asked(linus, thread(thread_id));
    await table.update(key, { set: { status: 'active' } as never });
    workspace.setTime(undefined);
    const stored = await table.get<ShareRequest>(keys.shareRequest(id));
    expect(stored?.approver_user_ids).toEqual([ada.user.id]);
  });
});
