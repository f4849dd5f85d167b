import type { Context } from '#shared/context.ts';
import type { StoredService } from '#shared/domain/calendar/calendars/calendar.ts';
import {
  type CalendarServer,
  CredentialsRefused,
  NoCalendarServer,
  type ReachesCalendarServers,
  ResourceChanged,
  type ServerLogin,
  ServerRefused,
} from '#shared/domain/calendar/servers/server.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import type { ImportPorts } from '#shared/domain/exchange/records/row.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { queues } from '#shared/queues/queues.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import type { Source } from './source.ts';

/** What work with a calendar at a server needs. */

export type SyncPorts = ImportPorts & KnowsDependents & ReachesCalendarServers;

export type SyncContext<More extends object = object> = Context<SyncPorts & More>;

/** Milliseconds; longer than a worker lives. */
export const HOLD = 1.2 * queues['sync-calendars'].timeout * 1_000;

/** Reads a calendar, as its owner. */
export interface Reading {
  ctx: CallerContext<SyncPorts>;
  source: Source;
  timeIsUp: () => boolean;
}

export interface Syncing {
  /** As the owner of the mailbox. */
  ctx: CallerContext<SyncPorts>;
  login: ServerLogin;
  server: CalendarServer;
  timeIsUp: () => boolean;
}

export interface SyncedCalendar extends StoredService {
  id: string;
}

/** The server does not answer as it should: another time it may. */
export class ServerFailed extends Error {
  override name = 'ServerFailed';
}

const known = [CredentialsRefused, NoCalendarServer, ResourceChanged, ServerRefused];

/** Milliseconds before a call to a server is aborted. */
const PATIENCE = 30_000;

/** What goes wrong at the server is told apart from what goes wrong here. */
export async function atServer<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await call(AbortSignal.timeout(PATIENCE));
  } catch (cause) {
    if (known.some((kind) => cause instanceof kind)) throw cause;
    const message = cause instanceof TryLater ? cause.message : 'The server does not answer';
    throw new ServerFailed(message, { cause });
  }
}
