import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allEvents, givenCalendar, shareMailbox } from '../../support/events.ts';
import { calendarFile, eventOf, importEvents, vevent } from '../../support/ics.ts';
import { longIt } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Events of files that their owner hides: their UIDs may name a clinic or a customer. */
describe('private events from files, as others see them', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let calendar_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace } = workspace);
    const { mailbox_id, ...calendar } = await givenCalendar(workspace, ada);
    ({ calendar_id } = calendar);
    await shareMailbox(ada, mailbox_id, grace, 'edit');
  });
  afterAll(() => workspace?.stop());

  const run = async (bytes: string, user = ada) =>
    (await importEvents(workspace, user, { calendar_id, bytes })).rows;
  /** Its UID, and the id of its first event. */
  const given = async (...components: ((uid: string) => string)[]) => {
    const uid = `${randomUUID()}@clinic.example`;
    const [row] = await run(calendarFile(components.map((each) => each(uid))));
    return { uid, id: `${row?.record_id}` };
  };
  const single = (...lines: string[]) => given((uid) => vevent(uid, ...lines));
  /** A series of three days, and its second one at another time. */
  const series = (lines: string[], ofSecond: string[]) =>
    given(
      (uid) => vevent(uid, 'DTSTART:20261123T090000Z', 'RRULE:FREQ=DAILY;COUNT=3', ...lines),
      (uid) => vevent(uid, 'RECURRENCE-ID:20261124T090000Z', 'DTSTART:20261124T100000Z', ...ofSecond),
    );
  const fileOf = async (user: TestUser, id: string) =>
    `${(await user.reader.retrieveCalendarEventIcs({ params: { calendar_event_id: id } })).body}`;
  const uidsIn = (file: string) =>
    [...file.replace(/\r\n[ \t]/g, '').matchAll(/^UID:(.*)\r$/gm)].map(([, uid]) => uid);
  const count = async () => (await allEvents(ada, { calendar_id, starts_after: '2026-11-01' })).length;

  it('have no UID, and files name their ids', async () => {
    const { uid, id } = await single('CLASS:PRIVATE');
    expect([(await eventOf(ada, id)).ical_uid, (await eventOf(grace, id)).ical_uid]).toEqual([uid, null]);
    expect(uidsIn(await fileOf(ada, id))).toEqual([uid]);
    expect(uidsIn(await fileOf(grace, id))).toEqual([id]);
    const open = await single();
    expect((await eventOf(grace, open.id)).ical_uid).toBe(open.uid);
    expect(uidsIn(await fileOf(grace, open.id))).toEqual([open.uid]);
  });

  it('have one name with their exceptions, by what is seen of the series', async () => {
    const hidden = await series(['CLASS:PRIVATE'], ['CLASS:PUBLIC']);
    expect(uidsIn(await fileOf(grace, hidden.id))).toEqual([hidden.id, hidden.id]);
    const open = await series([], ['CLASS:PRIVATE']);
    expect(uidsIn(await fileOf(grace, open.id))).toEqual([open.uid, open.uid]);
  });

  longIt('are not made again by such a file, and their owner keeps what they say', async () => {
    const { id } = await single('SUMMARY:Check-up', 'CLASS:PRIVATE');
    const file = await fileOf(grace, id);
    const before = await count();
    for (const user of [grace, ada])
      expect(await run(file.replace('SEQUENCE:0', 'SEQUENCE:9'), user)).toMatchObject([
        { status: 'unchanged', record_id: null },
      ]);
    expect((await eventOf(ada, id)).name).toBe('Check-up');
    expect(await count()).toBe(before);
    // In a calendar of one's own it is an event of its own.
    const own = await givenCalendar(workspace, grace);
    const { rows } = await importEvents(workspace, grace, { calendar_id: own.calendar_id, bytes: file });
    expect(rows).toMatchObject([{ status: 'created' }]);
    expect((await eventOf(grace, rows[0]?.record_id)).name).toBe('Busy');
  });

  it('the id of an occurrence in a file is the UID of another event', async () => {
    const { id } = await series([], []);
    const [, second] = (await allEvents(ada, { calendar_id, starts_after: '2026-11-01' })).filter(
      (event) => event.recurring_event_id === id,
    );
    const rows = await run(calendarFile([vevent(`${second?.id}`, 'SUMMARY:Other', 'SEQUENCE:9')]));
    expect(rows).toMatchObject([{ status: 'created' }]);
    expect((await eventOf(ada, second?.id)).name).toBe('Ferry timetable');
  });
});
