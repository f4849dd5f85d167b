import { isDeepStrictEqual } from 'node:util';
import { type Change, noChange } from '#shared/domain/platform/jobs/commit.ts';
import { enqueue, newJob, unsentJob } from '#shared/domain/platform/jobs/job.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, Write } from '#shared/table/table.ts';
import type { CalendarEvent } from './event.ts';

/**
 * Events that are kept at a server: what changes here is owed to it. A note stays until the server has it, and a job writes
 * it at once (docs/decisions/0071-calendar-servers.md).
 */

/** What the server must be told of. It names no values: those are read when they are written. */
export type OwedEvent = Item & {
  account_id: string;
  mailbox_id: string;
  /** A single event, or a series with its exceptions: one resource. */
  event_id: string;
  /** Another one with each change. */
  version: string;
  /** The server takes this version never. */
  refused?: true;
};

/** The address of a resource in the folder of another one, or of a calendar. */
export const resourceUrl = (beside: string, event_id: string) => new URL(`${event_id}.ics`, beside).href;

interface Owed {
  note: Write & { put: OwedEvent };
  body: Record<string, unknown>;
}

function owed(events: CalendarEvent[], now: Date): Owed[] {
  // Files are read only.
  const kept = events.flatMap(({ at_server, mailbox_id, ...event }) =>
    at_server === undefined || mailbox_id === null ? [] : [{ ...event, mailbox_id }],
  );
  const resources = new Map(kept.map((event) => [event.recurring_event_id ?? event.id, event]));
  return [...resources].map(([event_id, { account_id, mailbox_id }]) => {
    const body = { account_id, mailbox_id, event_id };
    return { body, note: { put: { ...keys.owedEvent(mailbox_id, event_id), ...body, version: newId(now) } } };
  });
}

/** None for events that are kept here. */
export function owedToServer(events: CalendarEvent[], now: Date): Change {
  const all = owed(events, now);
  if (all.length === 0) return noChange;
  return {
    writes: all.map(({ note }) => note),
    jobs: all.map(({ body }) => newJob('sync-calendars', body, now)),
  };
}

/** For an event that comes back, as writes alone: the sweep sends the job. */
export const owedAgain = (event: CalendarEvent, now: Date): Write[] =>
  owed([event], now).flatMap(({ note, body }) => [note, enqueue(unsentJob('sync-calendars', body, now))]);

/** What a server is never told. */
const here: (keyof CalendarEvent)[] = [
  ...(['tag_ids', 'shares', 'brief', 'transcript', 'reminders', 'file', 'updated_at', 'apart'] as const),
];

const told = (event: CalendarEvent) =>
  Object.fromEntries(Object.entries(event).filter(([name]) => !here.includes(name as keyof CalendarEvent)));

/** An occurrence that is only kept for its comments is nothing new to the server. */
export function differsAtServer(before: CalendarEvent | undefined, after: CalendarEvent): boolean {
  if (before) return !isDeepStrictEqual(told(before), told(after));
  const responds = Object.keys(after.responses).length > 0;
  return after.recurring_event_id === null || (after.own ?? []).length > 0 || responds;
}

/** A change that comes from the server: it owes nothing. */
export const fromServer = ({ writes, jobs }: Change): Change => ({
  writes: writes.filter((write) => !('put' in write && write.put.PK.startsWith('OWEDEVENTS#'))),
  jobs: jobs.filter(({ queue }) => queue !== 'sync-calendars'),
});
