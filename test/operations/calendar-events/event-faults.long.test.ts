import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIndexings } from '../../support/duplicates.ts';
import { allEvents, givenCalendar, givenEvent } from '../../support/events.ts';
import { failNth } from '../../support/faults.ts';
import { cases, STRIDE } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** A calendar with one series of four weeks, of which the third meeting is used. */
interface World {
  calendar_id: string;
  first: string;
  third: string;
}

const large = (letter: string) =>
  Array.from({ length: 60 }, (_, i) => ({
    ...{ started_ms: i * 1_000, ended_ms: i * 1_000 + 900 },
    text: `${letter}${randomBytes(7_000).toString('base64')}`,
  }));
const [old, next] = [large('a'), large('b')];

describe('a change of calendar events, whichever of its calls fails', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada } = workspace);
  });
  afterAll(() => workspace.stop());

  const occurrences = ({ calendar_id }: Pick<World, 'calendar_id'>) =>
    allEvents(ada, { calendar_id, starts_after: '2026-03-01', starts_before: '2027-01-01' });
  const transcriptOf = async (id: string) => {
    const read = ada.reader.retrieveTranscript({ params: { calendar_event_id: id } });
    return read
      .then(({ body }) => body.transcript.segments.map(({ text }) => text[0]).join(''))
      .catch(() => null);
  };
  const record = (id: string, segments: typeof old) =>
    ada.api.createTranscript({ params: { calendar_event_id: id }, body: { transcript: { segments } } });

  let minutes = 0;
  const given = async (prepare?: (world: World) => Promise<unknown>): Promise<World> => {
    // A key has 600 requests a minute.
    workspace.setTime(new Date(Date.now() + minutes++ * 60_000));
    const { calendar_id } = await givenCalendar(workspace, ada);
    await givenEvent(ada, calendar_id, {
      ...{ starts_at: '2026-03-23T09:00:00Z', ends_at: '2026-03-23T10:00:00Z', time_zone: 'Europe/London' },
      ...{ recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] },
    });
    const [first, , third] = await occurrences({ calendar_id });
    const world = { calendar_id, first: first!.id, third: third!.id };
    await prepare?.(world);
    return world;
  };
  /** What people see, without ids, once the jobs of what was committed ran. */
  const seen = async (world: World) => {
    await runIndexings(workspace);
    return Promise.all(
      (await occurrences(world)).map(
        async ({ id, name, starts_at, location, has_transcript, recurring_event_id }) => ({
          ...{ name, starts_at, location, has_transcript, repeated: recurring_event_id !== null },
          transcript: has_transcript ? await transcriptOf(id) : null,
        }),
      ),
    );
  };

  const patch = (id: string, calendar_event: object, scope: 'this' | 'following' | 'all') =>
    ada.api.updateCalendarEvent({ params: { id }, body: { calendar_event, scope } });
  const remove = (id: string, scope: 'this' | 'following' | 'all') =>
    ada.api.deleteCalendarEvent({ params: { id }, query: { scope } });

  type Case = [string, (world: World) => Promise<unknown>, ((world: World) => Promise<unknown>)?];
  const some: Case[] = [
    [
      'divides a series',
      ({ third }) => patch(third, { name: 'Changed' }, 'following'),
      ({ third }) => patch(third, { location: 'Pier 3' }, 'this'),
    ],
  ];
  const others: Case[] = [
    ['changes one meeting of a series', ({ third }) => patch(third, { name: 'Changed' }, 'this')],
    [
      'moves a series',
      ({ first }) =>
        patch(first, { starts_at: '2026-03-24T09:00:00Z', ends_at: '2026-03-24T10:00:00Z' }, 'all'),
    ],
    ['deletes one meeting of a series', ({ third }) => remove(third, 'this')],
    ['shortens a series', ({ third }) => remove(third, 'following')],
    ['deletes a series', ({ first }) => remove(first, 'all'), ({ first }) => record(first, old)],
    ['stores a transcript', ({ third }) => record(third, old)],
    ['replaces a transcript', ({ third }) => record(third, next), ({ third }) => record(third, old)],
    [
      'deletes a transcript',
      ({ third }) => ada.api.deleteTranscript({ params: { calendar_event_id: third } }),
      ({ third }) => record(third, old),
    ],
  ];

  it.each(cases(some, others))('%s, or does nothing, and a retry does it', async (_, change, prepare) => {
    const world = await given(prepare);
    const before = await seen(world);
    await change(world);
    const after = await seen(world);
    expect(after).not.toEqual(before);
    // Three calls authenticate; what comes after the transaction is the work of its jobs.
    let done = 0;
    for (let nth = 6; done < 2; nth += Math.max(3, STRIDE)) {
      const another = await given(prepare);
      const fault = failNth(workspace.table, nth);
      const code = await change(another).then(
        () => 'done',
        (error) => error.code,
      );
      fault.remove();
      if (code === 'done') done++;
      const found = await seen(another);
      expect(code === 'error' ? [before, after] : [after]).toContainEqual(found);
      await change(another).catch((error) =>
        expect(error.code).toMatch(/^(record_not_found|no_transcript)$/),
      );
      expect(await seen(another)).toEqual(after);
    }
  });
});
