import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runIndexings } from '../../../support/duplicates.ts';
import { allEvents, givenCalendar, givenEvent } from '../../../support/events.ts';
import { problemsOf } from '../../../support/failures.ts';
import { cases, longIt } from '../../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** What a change of a whole series, or of its later part, makes of its occurrences (docs/specification/calendar.md, "Series"). */
describe('changes of series', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let calendar_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada } = workspace);
  });
  beforeEach(async () => {
    ({ calendar_id } = await givenCalendar(workspace, ada));
  });
  afterAll(() => workspace.stop());

  /** Mondays from 2 March 2026, at 10. */
  const series = (recurrence: string[], fields: object = {}) =>
    givenEvent(ada, calendar_id, {
      ...{ name: 'Ferry', starts_at: '2026-03-02T10:00:00Z', ends_at: '2026-03-02T11:00:00Z' },
      ...{ time_zone: 'Europe/London', recurrence, ...fields },
    });
  const occurrences = () =>
    allEvents(ada, { calendar_id, starts_after: '2026-01-01', starts_before: '2026-12-31' });
  const shown = async () =>
    (await occurrences()).map(({ starts_at, name }) => `${starts_at.slice(5, 16)} ${name}`);
  type Scope = 'this' | 'following' | 'all';
  const send = (id: string | undefined, calendar_event: object, scope: Scope) =>
    ada.api.updateCalendarEvent({ params: { id: id ?? '' }, body: { calendar_event, scope } });
  const change = async (...sent: Parameters<typeof send>) => (await send(...sent)).body.calendar_event;
  const times = (starts_at: string, ends_at: string) => ({
    starts_at: `2026-03-${starts_at}:00Z`,
    ends_at: `2026-03-${ends_at}:00Z`,
  });

  it('following: the named occurrence has nothing of its own afterwards of what was sent', async () => {
    await series(['FREQ=WEEKLY;COUNT=3']);
    const [, second] = await occurrences();
    await change(second?.id, { name: 'Own', location: 'Pier 3', ...times('10T15:00', '10T16:00') }, 'this');
    const then = { name: 'Then', ...times('09T12:00', '09T13:00') };
    expect(await change(second?.id, then, 'following')).toMatchObject({
      ...{ id: second?.id, name: 'Then', starts_at: '2026-03-09T12:00:00.000Z', location: 'Pier 3' },
    });
    expect(await shown()).toEqual(['03-02T10:00 Ferry', '03-09T12:00 Then', '03-16T12:00 Then']);
  });

  it('following: no other days for the rest of the series, from a date besides the rule', async () => {
    await series(['RRULE:FREQ=WEEKLY;COUNT=3', 'RDATE:20260312T100000']);
    const added = (await occurrences())[2];
    expect(added?.starts_at).toBe('2026-03-12T10:00:00.000Z');
    expect(await problemsOf(send(added?.id, { name: 'Then' }, 'following'))).toEqual({ scope: 'invalid' });
    const days = ['02', '09', '12', '16'];
    expect(await shown()).toEqual(days.map((day) => `03-${day}T10:00 Ferry`));
    // It can be the last one that is there.
    await ada.api.deleteCalendarEvent({ params: { id: added?.id ?? '' }, query: { scope: 'following' } });
    expect(await shown()).toEqual(['03-02T10:00 Ferry', '03-09T10:00 Ferry']);
  });

  describe('following, with dates before the first day', () => {
    const rule = ['RRULE:FREQ=WEEKLY;COUNT=3', 'RDATE:20260225T100000'];
    const dates = ['RDATE:20260305T100000,20260220T100000,20260225T100000'];

    it.each([
      ['a rule', rule, ['02-25T10:00 Ferry']],
      ['a list of dates', dates, ['02-20T10:00 Ferry', '02-25T10:00 Ferry']],
    ])('%s: these alone stay when the first day ends with the later ones', async (_, recurrence, left) => {
      await series(recurrence);
      const before = await occurrences();
      const first = before.find(({ starts_at }) => starts_at === '2026-03-02T10:00:00.000Z');
      await ada.api.deleteCalendarEvent({ params: { id: `${first?.id}` }, query: { scope: 'following' } });
      expect(await shown()).toEqual(left);
      expect((await occurrences())[0]?.id).toBe(before[0]?.id);
    });

    it('a rule: the first day goes on apart', async () => {
      await series(rule);
      const [early, first] = await occurrences();
      await change(first?.id, { name: 'Then' }, 'following');
      const days = ['02', '09', '16'].map((day) => `03-${day}T10:00 Then`);
      expect(await shown()).toEqual(['02-25T10:00 Ferry', ...days]);
      expect((await occurrences())[0]?.id).toBe(early?.id);
    });

    it('a list of dates: one before the first day goes on with it', async () => {
      await series(dates);
      const [, second] = await occurrences();
      await change(second?.id, { name: 'Then' }, 'following');
      const then = ['02-25', '03-02', '03-05'].map((day) => `${day}T10:00 Then`);
      expect(await shown()).toEqual(['02-20T10:00 Ferry', ...then]);
    });
  });

  it('following: days that are left out do not keep a list of dates from its end', async () => {
    await series(['EXDATE;VALUE=DATE:20260303', 'RDATE:20260312T100000']);
    const [, second] = await occurrences();
    await ada.api.deleteCalendarEvent({ params: { id: `${second?.id}` }, query: { scope: 'following' } });
    expect(await shown()).toEqual(['03-02T10:00 Ferry']);
  });

  it('following: a list of dates goes on from any of them', async () => {
    await series(['RDATE:20260305T100000,20260312T100000']);
    const [, second] = await occurrences();
    await change(second?.id, { name: 'Then' }, 'following');
    expect(await shown()).toEqual(['03-02T10:00 Ferry', '03-05T10:00 Then', '03-12T10:00 Then']);
  });

  const evenings: [string, string, string][] = [
    ['in UTC', 'RDATE:20260310T013000Z', 'EXDATE:20260310T010000Z'],
    ['in another zone', 'RDATE;TZID=Europe/Paris:20260310T023000', 'EXDATE;TZID=Asia/Tokyo:20260310T100000'],
  ];
  it.each(cases(evenings.slice(0, 1), evenings.slice(1)))(
    'following: a date belongs to the part that has its day where the series is: %s',
    async (_, added, excluded) => {
      // Each day from Saturday 7 March 2026, at 21 in Bogotá, which is 2 of the next day in UTC.
      await series(['RRULE:FREQ=DAILY;COUNT=4', added, excluded], {
        ...{
          starts_at: '2026-03-08T02:00:00Z',
          ends_at: '2026-03-08T03:00:00Z',
          time_zone: 'America/Bogota',
        },
      });
      const before = ['08T02:00', '09T02:00', '10T01:30', '11T02:00'];
      expect(await shown()).toEqual(before.map((each) => `03-${each} Ferry`));
      const cut = (await occurrences())[3];
      await change(cut?.id, { name: 'Then' }, 'following');
      expect(await shown()).toEqual(before.map((each, i) => `03-${each} ${i === 3 ? 'Then' : 'Ferry'}`));
    },
  );

  const moves: [string, string[], [string, string], string[]][] = [
    [
      'UNTIL at the last start, a day later',
      ['RRULE:FREQ=WEEKLY;UNTIL=20260316T100000Z'],
      ['03T10:00', '03T11:00'],
      ['RRULE:FREQ=WEEKLY;UNTIL=20260317T100000Z'],
    ],
    [
      'UNTIL at the last start, two hours later',
      ['RRULE:FREQ=WEEKLY;UNTIL=20260316T100000'],
      ['02T12:00', '02T13:00'],
      ['RRULE:FREQ=WEEKLY;UNTIL=20260316T120000'],
    ],
    [
      'UNTIL before the last start, two hours earlier',
      ['RRULE:FREQ=DAILY;INTERVAL=7;UNTIL=20260323T090000Z'],
      ['02T08:00', '02T09:00'],
      ['RRULE:FREQ=DAILY;INTERVAL=7;UNTIL=20260323T070000Z'],
    ],
    [
      'UNTIL with a day, a day earlier',
      ['RRULE:FREQ=WEEKLY;UNTIL=20260316'],
      ['01T10:00', '01T11:00'],
      ['RRULE:FREQ=WEEKLY;UNTIL=20260315'],
    ],
  ];
  it.each(cases(moves.slice(0, 2), moves.slice(2)))(
    'all: the series is as long as before: %s',
    async (_, sent, [start, end], moved) => {
      const { id } = await series(sent);
      const [first, ...others] = await occurrences();
      expect(others).toHaveLength(2);
      await change(first?.id, times(start, end), 'all');
      const days = [0, 7, 14].map((day) => String(Number(start.slice(0, 2)) + day).padStart(2, '0'));
      expect(await shown()).toEqual(days.map((day) => `03-${day}${start.slice(2)} Ferry`));
      const { body } = await ada.reader.retrieveCalendarEvent({ params: { id } });
      expect(body.calendar_event.recurrence).toEqual(moved);
    },
  );

  const added: [string, string][] = [
    ['as the series says', 'RDATE:20260312T100000'],
    ['in UTC', 'RDATE:20260312T100000Z'],
    ['in another zone', 'RDATE;TZID=Europe/Paris:20260312T110000'],
  ];
  it.each(cases(added.slice(0, 1), added.slice(1)))(
    'all: an added date at the usual time moves with it: %s',
    async (_, line) => {
      await series(['RRULE:FREQ=DAILY;INTERVAL=7;COUNT=3', line, 'EXDATE:20260309T100000']);
      const [first, second] = await occurrences();
      await ada.api.createComment({
        params: { record_type: 'calendar_events', record_id: second?.id ?? '' },
        body: { comment: { html_content: 'x' } },
      });
      await change(first?.id, { ...times('03T14:00', '03T15:00'), time_zone: 'Europe/Paris' }, 'all');
      const [moved, ...others] = await occurrences();
      expect(await shown()).toEqual(['03', '13', '17'].map((day) => `03-${day}T14:00 Ferry`));
      expect([moved?.id, others[0]?.id]).toEqual([first?.id, second?.id]);
    },
  );

  it('all: an added date at another time keeps it', async () => {
    await series(['RRULE:FREQ=WEEKLY;COUNT=2', 'RDATE:20260312T150000']);
    const before = await occurrences();
    await change(before[0]?.id, { ...times('03T12:00', '03T13:00') }, 'all');
    expect(await shown()).toEqual(['03-03T12:00 Ferry', '03-10T12:00 Ferry', '03-13T15:00 Ferry']);
    expect((await occurrences()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  describe('a series that ends to be one', () => {
    const comment = (record_id = '') =>
      ada.api.createComment({
        params: { record_type: 'calendar_events', record_id },
        body: { comment: { html_content: 'x' } },
      });

    it.each(cases<'the series' | 'all of them'>(['the series'], ['all of them']))(
      '%s: is its first occurrence, when this has something of its own, on another day too',
      async (named) => {
        const { id } = await series(['FREQ=WEEKLY;COUNT=3']);
        const [first, second, third] = await occurrences();
        await comment(first?.id);
        await change(third?.id, { name: 'Own' }, 'this');
        const ended = { recurrence: null, name: 'Once', ...times('03T12:00', '03T13:00') };
        if (named === 'the series') await change(id, ended, 'this');
        else await change(first?.id, ended, 'all');
        expect(await shown()).toEqual(['03-03T12:00 Once', '03-17T12:00 Own']);
        expect((await occurrences()).map((each) => each.id)).toEqual([first?.id, third?.id]);
        const { body } = await ada.reader.retrieveCalendarEvent({ params: { id } });
        expect(body.calendar_event.recurrence).toEqual(['RDATE;VALUE=DATE:20260303']);
        await change(id, { recurrence: ['FREQ=WEEKLY;COUNT=2'] }, 'this');
        expect((await occurrences()).map((each) => each.id)).toEqual([first?.id, second?.id, third?.id]);
      },
    );

    longIt('is itself when its first occurrence was deleted, until that is restored', async () => {
      const { id } = await series(['FREQ=WEEKLY;COUNT=3']);
      const [first] = await occurrences();
      await ada.api.deleteCalendarEvent({ params: { id: first?.id ?? '' }, query: {} });
      await change(id, { recurrence: null }, 'this');
      expect((await occurrences()).map((each) => each.id)).toEqual([id]);
      const params = { record_type: 'calendar_events' as const, record_id: first?.id ?? '' };
      await ada.api.restoreRecord({ params });
      await runIndexings(workspace);
      expect((await occurrences()).map((each) => each.id)).toEqual([first?.id]);
    });

    it('following: a list of dates keeps the first one', async () => {
      await series(['RDATE:20260312T100000']);
      const [first, second] = await occurrences();
      await comment(first?.id);
      await ada.api.deleteCalendarEvent({ params: { id: second?.id ?? '' }, query: { scope: 'following' } });
      expect((await occurrences()).map((each) => each.id)).toEqual([first?.id]);
    });

    it('following: the later part is one event, with what the named occurrence has', async () => {
      await series(['FREQ=WEEKLY;COUNT=3']);
      const [, second] = await occurrences();
      await change(second?.id, { name: 'Own' }, 'this');
      await change(second?.id, { recurrence: null, location: 'Pier 3' }, 'following');
      expect(await shown()).toEqual(['03-02T10:00 Ferry', '03-09T10:00 Own']);
      expect((await occurrences())[1]?.id).toBe(second?.id);
    });
  });
});
