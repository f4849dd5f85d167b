import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { deliverQuestion, openQuestions } from '../../support/assistant.ts';
import { allEvents, givenCalendar, givenEvent, shareMailbox } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /calendar_events/{calendar_event_id}/brief', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let calendar: { calendar_id: string; mailbox_id: string };
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace } = workspace);
    calendar = await givenCalendar(workspace, ada);
    await shareMailbox(ada, calendar.mailbox_id, grace);
  });
  beforeEach(() => {
    workspace.ctx.config.assistant.questions_per_minute = 1_000;
  });
  afterAll(() => workspace.stop());

  const event = (fields = {}) => givenEvent(ada, calendar.calendar_id, fields);
  const ask = (id: string, user = ada) => user.api.createBrief({ params: { calendar_event_id: id } });
  const briefOf = async (id: string, user = ada) =>
    (await user.reader.retrieveCalendarEvent({ params: { id } })).body.calendar_event.brief;
  const deliver = async () => {
    const jobs = await openQuestions(workspace);
    expect(await deliverQuestion(...jobs.map(({ id }) => id))).toBe(0);
    return jobs.length;
  };

  it('202 pending, once; then complete for everybody who sees it; asked again, it is replaced', async () => {
    const { id, updated_at } = await event({ attendees: [{ email_address: 'tom@ferries.example' }] });
    const pending = { status: 'pending', text: null, blocks: [], refs: [], generated_at: null };
    const { status, body } = await ask(id);
    expect([status, body.brief]).toEqual([202, pending]);
    expect((await ask(id)).body.brief).toEqual(pending);
    expect(await briefOf(id, grace)).toEqual(pending);
    expect(await deliver()).toBe(1);
    const brief = await briefOf(id, grace);
    expect(brief).toMatchObject({ status: 'complete', generated_at: expect.any(String) });
    expect(brief?.text).toContain('tom@ferries.example');
    const after = (await ada.reader.retrieveCalendarEvent({ params: { id } })).body.calendar_event;
    expect(after.updated_at).toBe(updated_at);
    await ada.api.updateCalendarEvent({
      params: { id },
      body: { calendar_event: { name: 'Changed' } } as never,
    });
    expect(await briefOf(id)).toEqual(brief);
    expect((await ask(id)).body.brief.status).toBe('pending');
    await deliver();
    expect((await briefOf(id))?.text).toContain('Changed');
  });

  it('202 for one occurrence', async () => {
    await event({
      ...{ time_zone: 'UTC', recurrence: ['FREQ=DAILY;COUNT=2'] },
      ...{ starts_at: '2027-05-03T09:00:00Z', ends_at: '2027-05-03T10:00:00Z' },
    });
    const list = () => allEvents(ada, { starts_after: '2027-05-01', starts_before: '2027-06-01' });
    const [first] = await list();
    await ask(first?.id as string);
    await deliver();
    expect((await list()).map(({ brief }) => brief?.status)).toEqual(['complete', undefined]);
  });

  it('failed, with the reason, when its user may not ask any more', async () => {
    const { id } = await event();
    await ask(id);
    const user = keys.user(workspace.account_id, ada.user.id);
    await workspace.table.update<User>(user, { set: { assistant_enabled: false } });
    await deliver();
    expect(await briefOf(id)).toMatchObject({ status: 'failed', text: expect.any(String) });
    expect(await codeOf(ask(id))).toBe('422 assistant_unavailable');
    await workspace.table.update<User>(user, { set: { assistant_enabled: true } });
  });

  it('an event that is deleted meanwhile has no brief, and the question ends', async () => {
    const { id } = await event();
    await ask(id);
    await ada.api.deleteCalendarEvent({ params: { id } });
    await deliver();
    expect(await openQuestions(workspace)).toEqual([]);
  });

  it('403 for who may look only, 404 for who does not see it, 429 for too many', async () => {
    const { id } = await event();
    expect(await codeOf(ask(id, grace))).toBe('403 permission_denied');
    expect(await codeOf(ask(id, workspace.linus))).toBe('404 record_not_found');
    workspace.ctx.config.assistant.questions_per_minute = 1;
    const codes = await Promise.all(
      [1, 2, 3].map(() =>
        ask(id).then(
          ({ status }) => status,
          ({ status }) => status,
        ),
      ),
    );
    expect(codes).toContain(429);
  });
});
