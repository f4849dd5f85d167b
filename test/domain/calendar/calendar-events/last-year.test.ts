import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allEvents, givenCalendar, givenEvent, postEvent } from '../../../support/events.ts';
import { failureOf, problemsOf } from '../../../support/failures.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Series on days that not every year has, and those that reach the end of the year 9999, behind which no moment is. */
describe('a series', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let calendar_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ada = workspace.ada;
    ({ calendar_id } = await givenCalendar(workspace, ada));
  });
  afterAll(() => workspace.stop());

  /** From one moment to another in a time zone, or the whole days between two. */
  const series = (starts: string, ends: string, lines: string[], time_zone = 'UTC') => ({
    ...(starts.includes('T')
      ? { starts_at: starts, ends_at: ends }
      : { starts_at: undefined, ends_at: undefined, starts_on: starts, ends_on: ends }),
    ...{ time_zone, recurrence: lines },
  });
  /** The starts of its occurrences in lists from a day on, to the minute. */
  const startsOf = async (fields: object, query: Record<string, string>) => {
    const { id } = await givenEvent(ada, calendar_id, fields);
    const all = await allEvents(ada, query);
    const own = all.filter(({ recurring_event_id }) => recurring_event_id === id);
    return own.map(({ starts_at }) => starts_at.slice(0, 16));
  };
  const messageOf = async (fields: object) => {
    const { status, fields: problems } = await failureOf(postEvent(ada, calendar_id, fields));
    return [status, Object.entries(problems).map(([name, { message }]) => `${name} ${message}`)];
  };

  it('on 29 February is in leap years', async () => {
    const leap = series('2028-02-29T09:00:00Z', '2028-02-29T10:00:00Z', ['FREQ=YEARLY']);
    const query = { starts_after: '2028-01-01', starts_before: '2045-01-01' };
    expect(await startsOf(leap, query)).toEqual(
      [2028, 2032, 2036, 2040, 2044].map((year) => `${year}-02-29T09:00`),
    );
  });

  it('on 29 February counts leap years, and the year 2100 is none', async () => {
    const leap = series('2092-02-29T09:00:00Z', '2092-02-29T10:00:00Z', ['FREQ=YEARLY;COUNT=3']);
    const query = { starts_after: '2092-01-01', starts_before: '2120-01-01' };
    expect(await startsOf(leap, query)).toEqual([2092, 2096, 2104].map((year) => `${year}-02-29T09:00`));
  });

  const morning = ['9999-12-30T09:00:00Z', '9999-12-30T10:00:00Z'] as const;
  const both = ['9999-12-30T09:00', '9999-12-31T09:00'];
  it.each<[string, object, string[]]>([
    ['without an end', series(...morning, ['FREQ=DAILY']), both],
    ['counted', series(...morning, ['FREQ=DAILY;COUNT=2']), both],
    ['that counts further', series(...morning, ['FREQ=DAILY;COUNT=5']), both],
    ['until the last day', series(...morning, ['FREQ=DAILY;UNTIL=99991231T235959Z']), both],
    [
      'on the last day',
      series('9999-12-31T09:00:00Z', '9999-12-31T10:00:00Z', ['FREQ=DAILY']),
      ['9999-12-31T09:00'],
    ],
    [
      'that would end behind it',
      series('9999-12-29T22:00:00Z', '9999-12-30T02:00:00Z', ['FREQ=DAILY']),
      ['9999-12-29T22:00', '9999-12-30T22:00'],
    ],
    [
      'of months',
      series('9998-06-01T00:00:00Z', '9999-03-01T00:00:00Z', ['FREQ=YEARLY']),
      ['9998-06-01T00:00'],
    ],
    [
      'of whole days',
      series('9999-12-28', '9999-12-30', ['FREQ=DAILY']),
      ['9999-12-28T00:00', '9999-12-29T00:00'],
    ],
    [
      'east of UTC',
      series('9999-12-30T15:00:00Z', '9999-12-30T16:00:00Z', ['FREQ=DAILY'], 'Asia/Tokyo'),
      ['9999-12-30T15:00'],
    ],
    [
      'west of UTC',
      series('9999-12-31T03:00:00Z', '9999-12-31T04:00:00Z', ['FREQ=DAILY'], 'America/New_York'),
      ['9999-12-31T03:00'],
    ],
    [
      'over years',
      series('9997-07-01T09:00:00Z', '9997-07-01T10:00:00Z', ['FREQ=YEARLY;COUNT=50']),
      ['9997-07-01T09:00', '9998-07-01T09:00', '9999-07-01T09:00'],
    ],
  ])('ends with the year 9999: %s', async (_, fields, starts) => {
    expect(
      await startsOf(fields, { starts_after: '9997-01-01', starts_before: '9999-12-31T23:59:59Z' }),
    ).toEqual(starts);
  });

  /** The occurrences of a series in the last month. */
  const lastOf = async (id: string) => {
    const all = await allEvents(ada, { starts_after: '9999-12-01' });
    return all.filter(({ recurring_event_id }) => recurring_event_id === id);
  };
  const move = (id: string, calendar_event: object) =>
    ada.api.updateCalendarEvent({
      params: { id },
      query: { scope: 'all' } as never,
      body: { calendar_event } as never,
    });

  it('400: moves an exception behind the end', async () => {
    const { id } = await givenEvent(ada, calendar_id, series(...morning, ['FREQ=DAILY']));
    const last = { params: { id: `${(await lastOf(id))[1]?.id}` } };
    await ada.api.updateCalendarEvent({ ...last, body: { calendar_event: { name: 'Own' } } as never });
    const later = { starts_at: '9999-12-31T09:00:00Z', ends_at: '9999-12-31T10:00:00Z' };
    expect(await problemsOf(move(id, later))).toEqual({ recurrence: 'invalid' });
    expect((await lastOf(id)).map(({ name }) => name)).toEqual(['Ferry timetable', 'Own']);
  });

  it('that moves before the end has days that can be named', async () => {
    const { id } = await givenEvent(ada, calendar_id, series(...morning, ['FREQ=DAILY']));
    await move(id, { starts_at: '9999-12-28T09:00:00Z', ends_at: '9999-12-28T10:00:00Z' });
    const moved = await lastOf(id);
    expect(moved.map(({ starts_at }) => starts_at.slice(0, 10))).toEqual(['9999-12-28', '9999-12-29']);
    const last = { params: { id: `${moved[1]?.id}` } };
    expect((await ada.reader.retrieveCalendarEvent(last)).body.calendar_event).toMatchObject({
      original_starts_at: '9999-12-29T09:00:00.000Z',
    });
    await ada.api.deleteCalendarEvent({ ...last, query: { scope: 'following' } });
    expect((await lastOf(id)).map((each) => each.id)).toEqual([moved[0]?.id]);
  });

  it.each<[string, object]>([
    [
      'begins behind it in its time zone',
      series('9999-12-31T20:00:00Z', '9999-12-31T21:00:00Z', ['FREQ=DAILY'], 'Asia/Tokyo'),
    ],
    [
      'begins behind it, with a further date',
      series('9999-12-31T20:00:00Z', '9999-12-31T21:00:00Z', ['RDATE:99991231T090000'], 'Asia/Tokyo'),
    ],
    [
      'has a further date that ends behind it',
      series('9999-12-29T22:00:00Z', '9999-12-30T02:00:00Z', ['RDATE:99991231T220000Z']),
    ],
  ])('400: %s', async (_, fields) => {
    expect(await messageOf(fields)).toEqual([400, ['recurrence has an occurrence after the year 9999']]);
  });

  it.each([
    ['FREQ=DAILY;COUNT=1000000000', 'COUNT=1000000000'],
    ['FREQ=DAILY;COUNT=1000', 'COUNT=1000'],
    ['FREQ=DAILY;COUNT=0', 'COUNT=0'],
    ['FREQ=DAILY;INTERVAL=1000', 'INTERVAL=1000'],
  ])('400 that names the limit: %s', async (rule, part) => {
    const [starts, ends] = ['2026-11-23T09:00:00Z', '2026-11-23T10:00:00Z'];
    expect(await messageOf(series(starts, ends, [rule]))).toEqual([
      400,
      [`recurrence has ${part}: it is from 1 to 999`],
    ]);
  });
});
