import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyAsAgent } from '#shared/domain/assistant/proposals/propose.ts';
import { callerOf } from '../../../support/callers.ts';
import { givenComment } from '../../../support/comments.ts';
import { givenCalendar, shareMailbox } from '../../../support/events.ts';
import { codeOf } from '../../../support/failures.ts';
import { longIt } from '../../../support/long.ts';
import { accept, givenProposal, readProposal, undo } from '../../../support/proposals.ts';
import { givenThread } from '../../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Proposals of events. */

let workspace: Workspace;
let ada: TestUser;
let grace: TestUser;
let linus: TestUser;
let calendar_id: string;
beforeAll(async () => {
  workspace = await startWorkspace({ files: true });
  ({ ada, grace, linus } = workspace);
  const calendar = await givenCalendar(workspace, ada);
  calendar_id = calendar.calendar_id;
  await shareMailbox(ada, calendar.mailbox_id, grace, 'edit');
  await shareMailbox(ada, calendar.mailbox_id, linus, 'view');
});
afterAll(() => workspace.stop());

const times = { starts_at: '2027-03-01T09:00:00.000Z', ends_at: '2027-03-01T10:00:00.000Z' };
const paramsOf = (more: object = {}) => ({ calendar_id, name: 'Ferry timetable', ...times, ...more });
const propose = (more: object = {}, user = ada, rest: object = {}) =>
  givenProposal(workspace, user, { action_type: 'calendar_event.create', params: paramsOf(more), ...rest });
const read = async (user: TestUser, id: string) =>
  (await user.reader.retrieveCalendarEvent({ params: { id } })).body.calendar_event;
const made = async (id: string, user = ada) => (await accept(user, id)).applied_record_id as string;
const undoing = (proposal_id: string, user = ada) => user.api.undoProposal({ params: { proposal_id } });
/** A comment that Ada, Grace and Linus see. */
const source = async () => {
  const thread = await givenThread(workspace, { users: [ada, grace, linus] });
  return { source: { type: 'comment', id: (await givenComment(ada, thread)).id } };
};
const accepting = (proposal_id: string, user: TestUser, changes: object = {}) =>
  user.api.acceptProposal({ params: { proposal_id }, body: { changes: { ...changes } } });

describe('calendar_event.create', () => {
  it('shows the event, creates it in the calendar, and undoing deletes it', async () => {
    const attendees = [{ email_address: 'tom@ferries.example' }];
    const proposal = await propose({ attendees, location: 'Pier 3', description_html: '<p>Bring it.</p>' });
    expect(proposal).toMatchObject({ record_type: null, base_updated_at: null });
    expect(proposal.display.title).toBe('Create the calendar event Ferry timetable');
    const shown = Object.fromEntries(proposal.display.changes.map(({ field, after }) => [field, after]));
    expect(shown).toEqual({
      name: 'Ferry timetable',
      calendar_id: expect.any(String),
      starts_at: expect.stringContaining('2027-03-01'),
      ends_at: expect.stringContaining('2027-03-01'),
      location: 'Pier 3',
      description_html: 'Bring it.',
      attendees: expect.stringContaining('tom@ferries.example'),
    });
    const applied = await accept(ada, proposal.id);
    expect(applied).toMatchObject({ status: 'applied', applied_record_type: 'calendar_event' });
    const id = applied.applied_record_id as string;
    expect(await read(ada, id)).toMatchObject({ ...times, location: 'Pier 3', user_id: ada.user.id });
    expect((await undo(ada, proposal.id)).status).toBe('undone');
    await expect(read(ada, id)).rejects.toMatchObject({ code: 'record_not_found' });
  });

  longIt('is accepted once, by twenty requests at once', async () => {
    const { id } = await propose();
    const answers = await Promise.allSettled(Array.from({ length: 20 }, () => accepting(id, ada)));
    const codes = answers.map((each) => (each.status === 'fulfilled' ? 'accepted' : each.reason.code));
    expect(codes.sort()).toEqual(['accepted', ...Array(19).fill('proposal_already_answered')]);
  });

  it('takes changes when it is accepted', async () => {
    const { id } = await propose();
    const applied = await accept(ada, id, { location: 'Pier 4', ends_at: '2027-03-01T11:00:00.000Z' });
    const event = await read(ada, applied.applied_record_id as string);
    expect(event).toMatchObject({ location: 'Pier 4', ends_at: '2027-03-01T11:00:00.000Z' });
  });

  it('creates a series, which undoing deletes as a whole', async () => {
    const { id } = await propose({ recurrence: ['FREQ=WEEKLY;COUNT=3'], time_zone: 'Europe/London' });
    const event = await read(ada, await made(id));
    expect(event.recurrence).toEqual(['RRULE:FREQ=WEEKLY;COUNT=3']);
    expect((await undo(ada, id)).status).toBe('undone');
  });

  it('is applied by an agent at once, for the user, who can undo it', async () => {
    const caller = await callerOf(workspace.table, ada.user);
    const draft = {
      ...{ action_type: 'calendar_event.create', params: paramsOf(), rationale: null },
      ...{ agent_slug: 'auto_meeting' as const, source: null },
    };
    const { id, applied_record_id } = await applyAsAgent({ ...workspace.ctx, caller }, draft);
    expect((await read(ada, applied_record_id as string)).name).toBe('Ferry timetable');
    expect((await readProposal(ada, id)).actions).toEqual(['undo']);
    expect((await undo(ada, id)).status).toBe('undone');
  });

  it.each([
    [
      'changed',
      (id: string) =>
        ada.api.updateCalendarEvent({ params: { id }, body: { calendar_event: { name: 'X' } } as never }),
    ],
    [
      'shared',
      (record_id: string) =>
        ada.api.createShare({
          params: { record_type: 'calendar_events', record_id },
          body: { share: { user_id: grace.user.id } },
        }),
    ],
    [
      'commented on',
      (record_id: string) =>
        ada.api.createComment({
          params: { record_type: 'calendar_events', record_id },
          body: { comment: { html_content: 'Hm.' } },
        }),
    ],
    [
      'linked to',
      (id: string) =>
        ada.api.createTask({ body: { task: { name: 'For it', calendar_event_id: id } as never } }),
    ],
    [
      'recorded',
      (id: string) =>
        ada.api.createTranscript({
          params: { calendar_event_id: id },
          body: { transcript: { segments: [{ started_ms: 0, ended_ms: 1, text: 'Hello.' }] } },
        }),
    ],
    ['prepared', (id: string) => ada.api.createBrief({ params: { calendar_event_id: id } })],
  ])('is not undone once the event is %s', async (_, act) => {
    const { id } = await propose();
    const event = await made(id);
    await act(event);
    expect(await codeOf(undoing(id))).toBe('422 proposal_not_undoable');
    await read(ada, event);
  });

  it('is applied with the rights of who accepts', async () => {
    const { id } = await propose({}, ada, await source());
    expect(await codeOf(accepting(id, linus))).toBe('403 permission_denied');
    const event = await read(ada, await made(id, grace));
    expect(event).toMatchObject({ user_id: ada.user.id });
    expect((await undo(grace, id)).status).toBe('undone');
  });

  it.each([
    ['404', 'of somebody else', () => workspace.hank, 'record_not_found'],
    ['403', 'that the user may only look at', () => linus, 'permission_denied'],
  ])('%s: a calendar %s cannot be proposed', async (_, __, user, code) => {
    await expect(propose({}, user())).rejects.toMatchObject({ code });
  });

  it.each([
    ['without times', { starts_at: undefined }, 'params.starts_at', 'required'],
    ['that ends before it begins', { ends_at: times.starts_at }, 'params.ends_at', 'invalid'],
    ['with a bad rule', { recurrence: ['FREQ=NEVER'], time_zone: 'UTC' }, 'params.recurrence', 'invalid'],
  ])('400: an event %s', async (_, more, field, code) => {
    const failed = await propose(more).catch((error) => error);
    expect(Object.keys(failed.fields ?? {})).toEqual([field]);
    if (code) expect(failed.fields[field].code).toBe(code);
  });
});
