import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { allEvents, givenCalendar, givenEvent, shareMailbox } from '../../support/events.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { meanwhile } from '../../support/faults.ts';
import { longIt } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Their delivery: test/queues/do-due-work.test.ts. */
describe('POST /calendar_events/{calendar_event_id}/reminders', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  let calendar_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
    const { mailbox_id, ...calendar } = await givenCalendar(workspace, ada);
    ({ calendar_id } = calendar);
    await shareMailbox(ada, mailbox_id, grace);
  });
  afterAll(() => workspace?.stop());

  const send = (user: TestUser, id: string, reminders: unknown) =>
    user.api.remindOfCalendarEvent({ params: { calendar_event_id: id }, body: { reminders } as never });
  const remind = async (...sent: Parameters<typeof send>) => (await send(...sent)).body.calendar_event;
  const read = async (user: TestUser, id: string) =>
    (await user.reader.retrieveCalendarEvent({ params: { id } })).body.calendar_event;

  it('200: everybody has their own, in order and each once, and a repeat changes nothing', async () => {
    const { id, reminders } = await givenEvent(ada, calendar_id);
    expect(reminders).toEqual([]);
    expect((await remind(ada, id, [30, 10, 30])).reminders).toEqual([10, 30]);
    // With access to view, too.
    const set = await remind(grace, id, [0, 40_320]);
    expect(set.reminders).toEqual([0, 40_320]);
    expect([(await read(ada, id)).reminders, (await read(grace, id)).reminders]).toEqual([
      [10, 30],
      [0, 40_320],
    ]);
    expect((await remind(grace, id, [40_320, 0])).updated_at).toBe(set.updated_at);
    await remind(ada, id, []);
    expect([(await read(ada, id)).reminders, (await read(grace, id)).reminders]).toEqual([[], [0, 40_320]]);
  });

  it('says nothing to others: the event has the same version', async () => {
    const { id, updated_at } = await givenEvent(ada, calendar_id);
    expect((await remind(grace, id, [10])).updated_at).toBe(updated_at);
    const changed = await ada.api.updateCalendarEvent({
      params: { id },
      body: { calendar_event: { name: 'Other' } } as never,
    });
    const after = changed.body.calendar_event.updated_at;
    expect((await remind(grace, id, [])).updated_at).toBe(after);
    expect((await read(ada, id)).updated_at).toBe(after);
  });

  longIt('200: of an occurrence, for the whole series, also where it was changed by itself', async () => {
    const { id } = await givenEvent(ada, calendar_id, {
      ...{ starts_at: '2027-05-03T09:00:00Z', ends_at: '2027-05-03T10:00:00Z' },
      ...{ time_zone: 'Europe/London', recurrence: ['FREQ=DAILY;COUNT=3'] },
    });
    const window = { starts_after: '2027-05-01', starts_before: '2027-06-01' };
    const [first, second] = (await allEvents(ada, window)).map((each) => each.id) as [string, string];
    await ada.api.updateCalendarEvent({
      params: { id: first },
      body: {
        calendar_event: { name: 'Own', starts_at: '2027-05-03T12:00:00Z', ends_at: '2027-05-03T13:00:00Z' },
      } as never,
    });
    expect((await remind(ada, first, [5])).reminders).toEqual([5]);
    expect((await remind(ada, second, [5, 10])).reminders).toEqual([5, 10]);
    expect((await allEvents(ada, window)).map(({ reminders }) => reminders)).toEqual(Array(3).fill([5, 10]));
    expect((await read(ada, id)).reminders).toEqual([5, 10]);
    expect((await allEvents(grace, window)).map(({ reminders }) => reminders)).toEqual(Array(3).fill([]));
  });

  longIt('several users and a change of the event at once: nothing is lost', async () => {
    const { id } = await givenEvent(ada, calendar_id);
    await Promise.all([
      remind(ada, id, [1]),
      remind(grace, id, [2]),
      ada.api.updateCalendarEvent({
        params: { id },
        body: { calendar_event: { name: 'Other' } } as never,
      }),
    ]);
    const fault = meanwhile(workspace.table, 'TransactWriteItemsCommand', () => remind(grace, id, [3]));
    await remind(ada, id, [4]);
    fault.remove();
    expect([await read(ada, id), await read(grace, id)]).toMatchObject([
      { name: 'Other', reminders: [4] },
      { name: 'Other', reminders: [3] },
    ]);
  });

  it('404: hidden events, and private ones of others', async () => {
    const { id } = await givenEvent(ada, calendar_id);
    const secret = await givenEvent(ada, calendar_id, { private: true });
    expect(await codeOf(send(linus, id, [10]))).toBe('404 record_not_found');
    expect(await codeOf(send(grace, secret.id, [10]))).toBe('404 record_not_found');
    expect(await codeOf(send(workspace.hank, id, [10]))).toBe('404 record_not_found');
  });

  it.each([
    [undefined, { reminders: 'required' }],
    [null, { reminders: 'required' }],
    [[-1], { 'reminders.0': 'invalid' }],
    [[40_321], { 'reminders.0': 'invalid' }],
    [[10, 0.5], { 'reminders.1': 'invalid' }],
    [[1, 2, 3, 4, 5, 6], { reminders: 'too_long' }],
  ])('400: %j', async (sent, problems) => {
    const { id } = await givenEvent(ada, calendar_id);
    expect(await problemsOf(send(ada, id, sent))).toEqual(problems);
  });

  it('400: of more than 500 users; those who have some may change them', async () => {
    const { id } = await givenEvent(ada, calendar_id);
    const others = Array.from({ length: 499 }, (_, i) => [`user-${i}`, [10]]);
    const reminders = Object.fromEntries([...others, [grace.user.id, [10]]]);
    await workspace.table.update(keys.record('calendar_events', id), { set: { reminders } as never });
    expect(await problemsOf(send(ada, id, [10]))).toEqual({ reminders: 'invalid' });
    expect((await remind(grace, id, [20])).reminders).toEqual([20]);
  });
});
