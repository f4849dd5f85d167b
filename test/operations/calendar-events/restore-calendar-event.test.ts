import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { deletionsOf } from '../../support/deletions.ts';
import { allEvents, givenCalendar, givenEvent, shareMailbox } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { failNth } from '../../support/faults.ts';
import { calendarFile, importEvents, vevent } from '../../support/ics.ts';
import { long, longIt, STRIDE } from '../../support/long.ts';
import { givenTask, readTask } from '../../support/proposed-records.ts';
import { afterDays, runRemovals } from '../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /calendar_events/{calendar_event_id}/restore', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let calendar_id: string;
  let mailbox_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada, grace } = workspace);
  });
  beforeEach(async () => {
    ({ calendar_id, mailbox_id } = await givenCalendar(workspace, ada));
  });
  afterAll(() => workspace.stop());

  const on = (record_id: string) => ({ params: { record_type: 'calendar_events' as const, record_id } });
  const restore = (id: string, user = ada) => user.api.restoreRecord(on(id));
  const remove = (id: string, scope?: string) =>
    ada.api.deleteCalendarEvent({ params: { id }, ...(scope ? { query: { scope } as never } : {}) });
  const bin = async (id: string, scope?: string) => {
    await remove(id, scope);
    await runRemovals(workspace);
  };
  const read = async (id: string, user = ada) => {
    const { updated_at, ...event } = (await user.reader.retrieveCalendarEvent({ params: { id } })).body
      .calendar_event;
    return event;
  };
  const comment = (id: string, html_content = 'x') =>
    ada.api.createComment({ ...on(id), body: { comment: { html_content } } });
  const series = () =>
    givenEvent(ada, calendar_id, {
      ...{ starts_at: '2026-03-23T09:00:00Z', ends_at: '2026-03-23T10:00:00Z', time_zone: 'Europe/London' },
      recurrence: ['FREQ=DAILY;COUNT=4'],
    });
  const window = { starts_after: '2026-03-01', starts_before: '2027-01-01' };
  const days = async (user = ada) => {
    const found = await allEvents(user, { ...window, calendar_id });
    return found.map(({ id, name, starts_at }) => ({ id, name, day: Number(starts_at.slice(8, 10)) }));
  };
  const dayList = async (user = ada) => (await days(user)).map(({ day }) => day);
  const deletedIds = async () =>
    (await deletionsOf(ada, 'calendar_events', { limit: 100 })).records.map(({ id }) => id);

  it('200: with comments, tags, tasks, answers and transcript', async () => {
    const attendees = [{ email_address: grace.user.email_address }];
    const { id } = await givenEvent(ada, calendar_id, { attendees });
    await comment(id);
    await ada.api.applyTag({ ...on(id), body: { tag: { name: 'Harbour' } } });
    const task = await givenTask(ada, { calendar_event_id: id });
    await grace.api.respondToCalendarEvent({
      params: { calendar_event_id: id },
      body: { response: 'declined' },
    });
    const segment = { speaker: 'Ada', text: 'Hello.', started_ms: 0, ended_ms: 9 };
    await ada.api.createTranscript({
      params: { calendar_event_id: id },
      body: { transcript: { language: 'en', segments: [segment] } } as never,
    });
    const before = await read(id);
    expect(before).toMatchObject({ has_transcript: true, tags: [{ name: 'Harbour' }] });
    await bin(id);
    expect((await readTask(ada, task.id)).calendar_event_id).toBeNull();
    expect((await restore(id)).body.calendar_event).toMatchObject({ id });
    const after = await read(id);
    expect({ ...after, tasks: after.tasks?.length }).toEqual({ ...before, tasks: before.tasks?.length });
    expect((await readTask(ada, task.id)).calendar_event_id).toBe(id);
    expect((await ada.reader.retrieveTranscript({ params: { calendar_event_id: id } })).status).toBe(200);
    expect(await read(id, grace)).toMatchObject({ response_status: 'declined' });
  });

  longIt('200: a series with its exceptions; what was deleted of it before stays so', async () => {
    const { id } = await series();
    const [first, second, third] = (await days()).map((each) => each.id) as [string, string, string];
    await comment(second, 'Own');
    const evening = { starts_at: '2026-03-25T18:00:00Z', ends_at: '2026-03-25T19:00:00Z' };
    await ada.api.updateCalendarEvent({
      params: { id: third },
      body: { calendar_event: { name: 'Apart', ...evening } },
    });
    await remove(first);
    const before = await days();
    for (const settle of [false, true]) {
      await remove(id, 'all');
      if (settle) await runRemovals(workspace);
      expect(await days()).toEqual([]);
      for (const each of [id, second, third])
        expect(await codeOf(read(each) as never)).toBe('404 record_not_found');
      expect(await codeOf(restore(second))).toBe('404 record_not_found');
      await restore(id);
      await runRemovals(workspace);
      expect(await days()).toEqual(before);
      expect((await read(second)).comments).toHaveLength(1);
      expect(await read(third)).toMatchObject({ name: 'Apart', starts_at: '2026-03-25T18:00:00.000Z' });
    }
  });

  longIt('200: an occurrence that had something of its own, also after its series came back', async () => {
    const { id } = await series();
    const [, second] = (await days()).map((each) => each.id) as [string, string];
    await comment(second);
    const before = await read(second);
    await bin(second);
    expect(await dayList()).toEqual([23, 25, 26]);
    expect(await deletedIds()).toContain(second);
    await restore(second);
    expect(await read(second)).toEqual(before);
    expect(await dayList()).toEqual([23, 24, 25, 26]);
    await bin(second);
    await bin(id, 'all');
    expect(await codeOf(restore(second))).toBe('404 record_not_found');
    await restore(id);
    await restore(second);
    await runRemovals(workspace);
    expect(await dayList()).toEqual([23, 24, 25, 26]);
    expect((await read(second)).comments).toHaveLength(1);
  });

  longIt('200: an occurrence that had nothing of its own, as it was', async () => {
    const { id } = await series();
    const [, second] = (await days()).map((each) => each.id) as [string, string];
    const before = await read(second);
    for (const settle of [false, true]) {
      const { headers } = await ada.reader.retrieveCalendarEvent({ params: { id: second } });
      const expected = { headers: { 'if-match': headers.get('etag') } };
      await ada.api.deleteCalendarEvent({ params: { id: second }, ...expected } as never);
      if (settle) await runRemovals(workspace);
      expect(await dayList()).toEqual([23, 25, 26]);
      expect(await codeOf(read(second) as never)).toBe('404 record_not_found');
      expect(await codeOf(remove(second) as never)).toBe('404 record_not_found');
      expect(await deletedIds()).toContain(second);
      expect(await codeOf(restore(second, workspace.hank))).toBe('404 record_not_found');
      await restore(second);
      await runRemovals(workspace);
      expect(await read(second)).toEqual(before);
      expect(await dayList()).toEqual([23, 24, 25, 26]);
    }
    await ada.api.updateCalendarEvent({
      params: { id },
      body: { calendar_event: { name: 'Renamed' } },
      query: { scope: 'all' } as never,
    });
    expect((await read(second)).name).toBe('Renamed');
  });

  longIt('200: of those that follow, each exception by itself', async () => {
    await series();
    const [, second, third] = (await days()).map((each) => each.id) as [string, string, string];
    await comment(third);
    await bin(second, 'following');
    expect(await dayList()).toEqual([23]);
    await restore(third);
    expect(await dayList()).toEqual([23, 25]);
  });

  it('404 for those who could not delete it, and for a private one nobody but its owner', async () => {
    await shareMailbox(ada, mailbox_id, grace);
    const { id } = await givenEvent(ada, calendar_id, { private: true });
    expect(await codeOf(restore(id, grace))).toBe('403 permission_denied');
    await remove(id);
    for (const user of [grace, workspace.linus, workspace.hank])
      expect(await codeOf(restore(id, user))).toBe('404 record_not_found');
    expect((await restore(id)).status).toBe(200);
  });

  longIt('removes a series after 30 days with all of its occurrences', async () => {
    const { id } = await series();
    const [first, second] = (await days()).map((each) => each.id) as [string, string];
    for (const each of [first, second]) await comment(each);
    await bin(first);
    await bin(id, 'all');
    await afterDays(workspace, 31);
    await runRemovals(workspace);
    expect(await codeOf(restore(id))).toBe('404 record_not_found');
    for (const each of [id, first, second]) {
      const left = await workspace.table.all(keys.record('calendar_events', each).PK);
      expect(left.map(({ SK }) => SK).filter((SK) => !SK.startsWith('LISTS#'))).toEqual([]);
    }
  });

  describe('events of files', () => {
    const run = async (bytes: string) =>
      (await importEvents(workspace, ada, { calendar_id, bytes })).rows.map(({ status }) => status);

    longIt(
      'stay deleted when their file is imported again, and come back when they are restored',
      async () => {
        const uid = randomUUID();
        const text = calendarFile([vevent(uid, 'DTSTART:20260323T090000Z', 'DTEND:20260323T100000Z')]);
        expect(await run(text)).toEqual(['created']);
        const [event] = await days();
        for (const settle of [false, true]) {
          await remove(event?.id as string);
          if (settle) await runRemovals(workspace);
          expect(await run(text)).toEqual(['unchanged']);
          expect(await days()).toEqual([]);
          await restore(event?.id as string);
          expect(await run(text)).toEqual(['unchanged']);
          expect(await days()).toEqual([event]);
        }
      },
    );

    longIt('do not return by an exception of their series, and are made again after 30 days', async () => {
      const uid = randomUUID();
      const zone = 'TZID=Europe/London';
      const times = [`DTSTART;${zone}:20260323T090000`, `DTEND;${zone}:20260323T100000`];
      const moved = [`DTSTART;${zone}:20260324T180000`, `DTEND;${zone}:20260324T190000`];
      const text = calendarFile([
        vevent(uid, ...times, 'RRULE:FREQ=DAILY;COUNT=3'),
        vevent(uid, ...moved, `RECURRENCE-ID;${zone}:20260324T090000`),
      ]);
      await run(text);
      const before = await days();
      const found = await allEvents(ada, { ...window, calendar_id });
      const id = found[0]?.recurring_event_id as string;
      await bin(id, 'all');
      expect(await run(text)).toEqual(['unchanged', 'unchanged']);
      expect(await days()).toEqual([]);
      await restore(id);
      await runRemovals(workspace);
      expect(await days()).toEqual(before);
      await bin(id, 'all');
      await afterDays(workspace, 31);
      await runRemovals(workspace);
      expect(await run(text)).toEqual(['created', 'created']);
      expect(await days()).toEqual(before);
    });

    it('are one meeting in two calendars again', async () => {
      const other = await givenCalendar(workspace, ada);
      const uid = randomUUID();
      const times = ['DTSTART:20260323T090000Z', 'DTEND:20260323T100000Z'];
      const bytes = calendarFile([vevent(uid, ...times, 'ORGANIZER:mailto:guest@ferries.example')]);
      await run(bytes);
      await importEvents(workspace, ada, { calendar_id: other.calendar_id, bytes });
      const shown = async () =>
        (await allEvents(ada, window)).filter(({ ical_uid }) => ical_uid === uid).map(({ id }) => id);
      const [first, ...none] = await shown();
      expect(none).toEqual([]);
      await bin(first as string);
      expect(await shown()).toHaveLength(1);
      await restore(first as string);
      expect(await shown()).toHaveLength(1);
    });
  });

  longIt('a series comes back whole, whichever call fails when it is deleted or restored', async () => {
    for (const what of ['deleting', 'restoring'] as const)
      for (let nth = 0, reached = true; reached; nth += long ? 3 * STRIDE : 51) {
        ({ calendar_id } = await givenCalendar(workspace, ada));
        const { id } = await series();
        const [first] = await days();
        await comment(first?.id as string);
        if (what === 'restoring') await remove(id, 'all');
        const fault = failNth(workspace.table, nth);
        const steps = what === 'deleting' ? [() => remove(id, 'all'), () => runRemovals(workspace)] : [];
        for (const step of [...steps, () => restore(id)]) await step().catch(() => undefined);
        reached = fault.hit;
        fault.remove();
        await restore(id);
        await runRemovals(workspace);
        expect(await dayList()).toEqual([23, 24, 25, 26]);
        expect((await read(first?.id as string)).comments).toHaveLength(1);
      }
  });
});
