import { asOfNow, type Context } from '#shared/context.ts';
import type { ServerCalendar } from '#shared/domain/calendar/calendars/calendar.ts';
import {
  CredentialsRefused,
  NoCalendarServer,
  ServerRefused,
} from '#shared/domain/calendar/servers/server.ts';
import { lockMailbox } from '#shared/domain/mail/mailboxes/lock.ts';
import type { CalendarState, Failure, Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { dueSync } from '#shared/domain/mail/mailboxes/sync-job.ts';
import { type Change, together } from '#shared/domain/platform/jobs/commit.ts';
import { endJob } from '#shared/domain/platform/jobs/end.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { type Table, update } from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import { ServerFailed } from './syncing.ts';

/** What people see of the reading of their calendars, and when the next one is. */

/** Refused credentials in a row that lock a mailbox: a server may have a bad moment. */
const REFUSALS = 3;
const MINUTE = 60_000;
const EVERY = 10 * MINUTE;
/** After refused credentials: soon, and not so often that the server locks the user out. */
const AFTER_REFUSAL = 2 * MINUTE;
const LONGEST = 6 * 60 * MINUTE;

const noState: CalendarState = {
  ...{ last_started_at: '', last_finished_at: null, next_at: null, last_error: null },
  ...{ failures: 0, refusals: 0 },
};

export const began = (table: Table, mailbox: Mailbox, now: Date) =>
  tryUpdate<Mailbox>(table, keys.mailbox(mailbox.account_id, mailbox.id), {
    set: {
      calendar_state: {
        ...noState,
        ...mailbox.calendar_state,
        ...{ last_started_at: now.toISOString(), last_finished_at: null },
      },
    },
    when: { id: mailbox.id },
  });

/** What the server did, as people read it. Nothing that it says is passed on. Undefined for a failure of the service. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof CredentialsRefused)
    return { code: 'credentials_refused', message: 'The server of the calendars refuses the password.' };
  if (error instanceof NoCalendarServer)
    return { code: 'server_gone', message: 'There are no calendars at the address any more.' };
  if (error instanceof ServerRefused)
    return {
      code: 'server_refused',
      message: `The server of the calendars refuses the service: ${error.message}.`,
    };
  if (error instanceof ServerFailed)
    return {
      code: 'server_unavailable',
      message: 'The server of the calendars does not answer as it should.',
    };
  return undefined;
}

/** An event that cannot be read stays so until it is changed at the server. */
export function unreadable(calendars: ServerCalendar[]): Failure | null {
  const [first] = calendars.filter(({ unread = 0 }) => unread > 0);
  const count = calendars.reduce((sum, { unread = 0 }) => sum + unread, 0);
  if (!first) return null;
  const events = count === 1 ? '1 event' : `${count} events`;
  const because = first.unread_because ? ` The first: ${first.unread_because}.` : '';
  return { code: 'events_unreadable', message: `${events} at the server cannot be read.${because}` };
}

interface Outcome {
  failure: Failure | null;
  /** The run failed as a whole. */
  failed: boolean;
}

function stateAfter(
  mailbox: Mailbox,
  { failure, failed }: Outcome,
  now: Date,
): CalendarState & { locks: boolean } {
  const before = { ...noState, ...mailbox.calendar_state };
  const refused = failed && failure?.code === 'credentials_refused';
  const refusals = refused ? before.refusals + 1 : 0;
  const failures = failed ? before.failures + 1 : 0;
  const wait = refused ? AFTER_REFUSAL : Math.min(LONGEST, EVERY * 2 ** Math.max(0, failures - 1));
  const locks = refusals >= REFUSALS;
  return {
    last_started_at: before.last_started_at || now.toISOString(),
    last_finished_at: now.toISOString(),
    next_at: locks ? null : new Date(now.getTime() + wait).toISOString(),
    ...{ last_error: failure, failures, refusals, locks },
  };
}

/** What a run ends with: what people see, and the next one. Fails when the mailbox was connected anew meanwhile. */
async function endOf(ctx: Context, mailbox: Mailbox, outcome: Outcome): Promise<Change> {
  const { now } = ctx;
  const { locks, ...state } = stateAfter(mailbox, outcome, now);
  const turn = locks && outcome.failure ? await lockMailbox(ctx, mailbox, outcome.failure) : undefined;
  const written = update<Mailbox>(keys.mailbox(mailbox.account_id, mailbox.id), {
    set: { calendar_state: state, ...turn?.set },
    when: {
      calendar_server: mailbox.calendar_server as NonNullable<Mailbox['calendar_server']>,
      ...turn?.when,
    },
  });
  const next = state.next_at === null ? [] : [dueSync(mailbox, new Date(state.next_at), now)];
  return together([written, ...next], ...(turn ? [turn.told] : []));
}

/** Ends a run. */
export async function endReading(ctx: Context, mailbox: Mailbox, job: Job, outcome: Outcome): Promise<void> {
  const ending = asOfNow(ctx);
  const { table } = ending;
  const current = (await table.get<Mailbox>(keys.mailbox(mailbox.account_id, mailbox.id))) ?? mailbox;
  const same = { ...current, calendar_server: mailbox.calendar_server } as Mailbox;
  await endJob(ending, job, await endOf(ending, same, outcome));
}
