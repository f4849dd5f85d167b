import type { Context } from '#shared/context.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { FollowsMail } from '#shared/domain/mail/arriving/arrived.ts';
import type { Target } from '#shared/domain/mail/arriving/take.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import {
  FolderChanged,
  HostRefused,
  LoginRefused,
  ServerUnreachable,
} from '#shared/domain/mail/servers/failures.ts';
import type { MailStore, ReachesMailServers } from '#shared/domain/mail/servers/server.ts';
import { TryLater } from '#shared/queues/try-later.ts';

/** What reading a mailbox needs. */

export type SyncPorts = FollowsMail & KnowsDependents & SeesRecords & ReachesMailServers;

export type SyncContext = Context<SyncPorts>;

export interface Arrival {
  target: Target;
  /** Users who read the mailbox. */
  readers: number;
}

export interface Syncing {
  ctx: SyncContext;
  mailbox: Mailbox;
  store: MailStore;
  /** Where mail goes: read with the first that comes or goes, as most runs find nothing new. */
  arrival: () => Promise<Arrival>;
  /** When the run began. */
  started: Date;
  /** True when there is no time for another batch. */
  timeIsUp: () => boolean;
}

/** The server does not answer as it should: another time it may. */
export class ServerFailed extends Error {
  override name = 'ServerFailed';
}

const known = [FolderChanged, HostRefused, LoginRefused, ServerUnreachable, TryLater];

/** What goes wrong at the server is told apart from what goes wrong here. */
export async function atServer<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    if (known.some((kind) => cause instanceof kind)) throw cause;
    throw new ServerFailed('The server does not answer as it should', { cause });
  }
}
