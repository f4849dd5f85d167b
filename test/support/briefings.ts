import { expect } from 'vitest';
import type {
  DailyBriefing,
  DailyBriefingRecord,
} from '#shared/domain/assistant/daily-briefings/briefing.ts';
import { briefingId } from '#shared/domain/assistant/daily-briefings/day.ts';
import { MOST_NAMES } from '#shared/domain/assistant/daily-briefings/plain-names.ts';
import type { EventRecord } from '#shared/domain/calendar/calendar-events/event.ts';
import { keys } from '#shared/table/keys.ts';
import { deliverQuestion, openQuestions } from './assistant.ts';
import { allEvents } from './events.ts';
import { ESCAPED, WIDE } from './large-data.ts';
import { listAllThreads } from './mail.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Daily briefings, and what they must say, from the lists. */

export const askForBriefing = ({ api }: TestUser) => api.createDailyBriefing();

/** Runs the worker for all that were asked for. Returns the number of failed messages. */
export async function writeBriefings(workspace: Workspace): Promise<number> {
  const jobs = await openQuestions(workspace);
  return deliverQuestion(...jobs.map(({ id }) => id));
}

export const briefingOf = async ({ reader }: TestUser, id: string): Promise<DailyBriefingRecord> =>
  (await reader.retrieveDailyBriefing({ params: { id } })).body.daily_briefing;

export const listOf = async ({ reader }: TestUser, query: { date?: string } = {}) =>
  (await reader.listDailyBriefings({ query })).body.daily_briefings;

/** The largest ones that may be stored: names, stages and texts are as long as they get, and were shorter when written. */
export async function givenLargeBriefings(
  workspace: Workspace,
  user: TestUser,
  dates: string[],
): Promise<string[]> {
  const due_at = workspace.ctx.now.toISOString();
  const tasks = Array.from({ length: 10 }, () =>
    user.api.createTask({ body: { task: { name: WIDE.repeat(255), due_at } } }),
  );
  const ids = (await Promise.all(tasks)).map(({ body }) => body.task.id);
  const cells = { from: WIDE.repeat(255), to: WIDE.repeat(255), moved: '2026-11-20 10:00' };
  const rows = ids.map((id) => ({ cells, ref: { type: 'task', id } }));
  const columns = Object.keys(cells).map((key) => ({ key, label: key }));
  const section = { type: 'table' as const, title: 'Deals moved', columns, rows };
  const text = ESCAPED.repeat(8_000);
  const { id: user_id, account_id } = user.user;
  const names = Array.from({ length: MOST_NAMES }, (_, i) => ({
    ...{ from: 2 * i, to: 2 * i + 1 },
    ref: { type: 'task', id: ids[0] as string },
  }));
  const briefings = dates.map(
    (date): DailyBriefing => ({
      ...keys.dailyBriefing(user_id, date),
      ...{ id: briefingId(user_id, date), account_id, user_id, date, time_zone: 'UTC', reply_id: date },
      reply: { status: 'complete', text, names, blocks: [{ type: 'text', text }], refs: [] },
      sections: Array.from({ length: 4 }, () => section),
      ...{ read_at: due_at, created_at: due_at, updated_at: due_at },
    }),
  );
  await workspace.table.writeMany(briefings.map((put) => ({ put })));
  return briefings.map(({ id }) => id);
}

/** Asks and writes. */
export async function givenBriefing(workspace: Workspace, user: TestUser): Promise<DailyBriefingRecord> {
  const { id } = (await askForBriefing(user)).body.daily_briefing;
  expect(await writeBriefings(workspace)).toBe(0);
  return briefingOf(user, id);
}

type Table = Extract<DailyBriefingRecord['blocks'][number], { type: 'table' }>;

export const tablesOf = ({ blocks }: DailyBriefingRecord): Table[] =>
  blocks.filter((each): each is Table => each.type === 'table');

/** The rows of a section by its title. */
export function rowsOf(briefing: DailyBriefingRecord, title: string): Table['rows'] {
  const found = tablesOf(briefing).find((each) => each.title?.startsWith(title));
  return (found as Table).rows;
}

export const namesIn = (briefing: DailyBriefingRecord, title: string) =>
  rowsOf(briefing, title).map(({ cells }) => cells.name);

const DAY = 86_400_000;
const SHOWN = 10;
const COUNTED = 100;

/** By the clock of a time zone, as `2026-11-20 14:05`. */
function clock(timeZone: string, moment: string | number): string {
  const options = { dateStyle: 'short', timeStyle: 'short', timeZone } as const;
  return new Intl.DateTimeFormat('sv-SE', options).format(new Date(moment));
}

export const dayIn = (timeZone: string, moment: string | number) => clock(timeZone, moment).slice(0, 10);

const dayBefore = (date: string) => new Date(Date.parse(date) - DAY).toISOString().slice(0, 10);

interface Expected {
  title: string;
  rows: { type: string; id: string; cells: Record<string, unknown> }[];
}

function section(title: string, all: Expected['rows']): Expected {
  const counted = all.length > COUNTED ? `${COUNTED} or more` : `${all.length}`;
  const heading = all.length > SHOWN ? `${title} (${SHOWN} of ${counted})` : title;
  return { title: heading, rows: all.slice(0, SHOWN) };
}

async function expectedMeetings(user: TestUser, zone: string): Promise<Expected> {
  const isOwn = ({ user_id, response_status, status, ...event }: EventRecord) =>
    (user_id === user.user.id || (response_status !== null && !event.private)) &&
    response_status !== 'declined' &&
    status !== 'cancelled';
  const events = (await allEvents(user, { slice: 'today' })).filter(isOwn);
  const rows = events.map(({ id, name, all_day, starts_on, ends_on, starts_at, ends_at }) => ({
    ...{ type: 'calendar_event', id },
    cells: {
      name,
      starts: all_day ? starts_on : clock(zone, starts_at),
      ends: all_day ? dayBefore(ends_on as string) : clock(zone, ends_at),
    },
  }));
  return section('Meetings today', rows);
}

async function expectedThreads({ reader }: TestUser, zone: string): Promise<Expected> {
  const threads = await listAllThreads(reader, { slice: 'awaiting' });
  const rows = threads.map(({ id, subject, last_sent_at }) => ({
    ...{ type: 'thread', id },
    cells: { name: subject, last_message: clock(zone, last_sent_at as string) },
  }));
  return section('Threads awaiting a reply', rows);
}

async function tasksIn({ reader, user }: TestUser, slice: 'overdue' | 'today') {
  const query = { slice, assigned_user_id: user.id, limit: 100 as never };
  return (await reader.listTasks({ query })).body.collection.records;
}

async function expectedTasks(user: TestUser, zone: string): Promise<Expected> {
  const overdue = await tasksIn(user, 'overdue');
  const known = new Set(overdue.map(({ id }) => id));
  const today = (await tasksIn(user, 'today')).filter(({ id }) => !known.has(id));
  const rows = [...overdue, ...today].map(({ id, name, due_at, all_day }) => ({
    ...{ type: 'task', id },
    cells: {
      name,
      // Whole days begin at midnight of the assignee, who is the user.
      due: all_day ? dayIn(zone, due_at as string) : clock(zone, due_at as string),
      state: known.has(id) ? 'overdue' : 'today',
    },
  }));
  return section('Tasks due', rows);
}

async function expectedDeals({ reader }: TestUser, zone: string, now: number): Promise<Expected> {
  const query = { sort: 'stage_moved_at', order: 'desc', per_page: 100 } as const;
  const yesterday = dayBefore(dayIn(zone, now));
  const { records } = (await reader.listDeals({ query })).body.collection;
  const moved = records.filter(
    ({ stage_moved_at: at }) => at !== null && dayIn(zone, at).localeCompare(yesterday) >= 0,
  );
  const rows = moved.map(async ({ id, name }) => {
    const { stage_history } = (await reader.listStageHistory({ params: { deal_id: id } })).body;
    const [last] = stage_history;
    return {
      ...{ type: 'deal', id },
      cells: {
        name,
        from: last?.from_stage?.name ?? null,
        to: last?.to_stage?.name ?? null,
        moved: clock(zone, last?.moved_at ?? 0),
      },
    };
  });
  return section('Deals moved', await Promise.all(rows));
}

/** Compares every section with the lists of the user, at the same moment. */
export async function expectTrue(workspace: Workspace, user: TestUser, briefing: DailyBriefingRecord) {
  const zone = (await user.reader.retrieveCurrentUser()).body.user.time_zone;
  const now = workspace.ctx.now.getTime();
  const expected = await Promise.all([
    expectedMeetings(user, zone),
    expectedThreads(user, zone),
    expectedTasks(user, zone),
    expectedDeals(user, zone, now),
  ]);
  const said = tablesOf(briefing).map(({ title, rows }) => ({
    title,
    rows: rows.map(({ cells, ref }) => ({ type: ref?.type, id: ref?.id, cells })),
  }));
  expect(said).toEqual(expected);
  expect(briefing.refs).toEqual(tablesOf(briefing).flatMap(({ rows }) => rows.map(({ ref }) => ref)));
  expect(briefing.date).toBe(dayIn(zone, now));
}
