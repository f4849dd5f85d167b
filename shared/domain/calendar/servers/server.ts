import type { Config } from '#shared/config.ts';

/** The port to servers of calendars (docs/decisions/0071-calendar-servers.md). */

/** How to reach the calendars of a user. */
export interface ServerLogin {
  url: string;
  username: string;
  password: string;
}

/** A calendar as its server describes it. `url` ends with a slash. */
export interface ServedCalendar {
  url: string;
  name: string | null;
  description: string | null;
  color: string | null;
  read_only: boolean;
}

/** A resource of a calendar: the file of one event, or of a series with its exceptions. */
export interface Resource {
  url: string;
  etag: string | null;
}

export interface ReadResource extends Resource {
  text: string;
}

export interface ServerChanges {
  changed: Resource[];
  /** Addresses of resources that are gone. */
  removed: string[];
  /** All resources there are: what is not among the changed ones is gone. */
  full: boolean;
  /** From which the next changes count; null for a server that lists everything each time. */
  token: string | null;
  /** The server has more to tell. */
  more: boolean;
}

/** Calls end when `signal` aborts. They throw the errors below, TryLater, or any other error when a retry may succeed. */
export interface CalendarServer {
  discover(login: ServerLogin, signal: AbortSignal): Promise<ServedCalendar[]>;
  /** `token` is null for the first time. */
  changes(
    login: ServerLogin,
    calendar: string,
    token: string | null,
    signal: AbortSignal,
  ): Promise<ServerChanges>;
  /** Those that are there still. */
  read(login: ServerLogin, calendar: string, urls: string[], signal: AbortSignal): Promise<ReadResource[]>;
  /** Undefined when it is gone. */
  get(login: ServerLogin, url: string, signal: AbortSignal): Promise<ReadResource | undefined>;
  /** Over the version with `etag`, or only as a new resource. Returns its ETag if the server told it. */
  put(
    login: ServerLogin,
    written: { url: string; etag: string | null; text: string; fresh: boolean },
    signal: AbortSignal,
  ): Promise<string | null>;
  /** The version with `etag`. A resource that is gone is no error. */
  remove(login: ServerLogin, resource: Resource, signal: AbortSignal): Promise<void>;
}

/** Port. The servers that may be reached are known by the configuration. */
export interface ReachesCalendarServers {
  calendar_server: (config: Config) => CalendarServer;
}

/** The server does not accept the user or the password. */
export class CredentialsRefused extends Error {
  override name = 'CredentialsRefused';
}

/** There are no calendars at the address, or it is one that the service does not call. */
export class NoCalendarServer extends Error {
  override name = 'NoCalendarServer';
}

/** Bytes of a resource that is read or written: an event has far less, whatever is attached to it. */
export const MAX_RESOURCE = 4 * 1024 * 1024;

/** The server will always refuse this. */
export class ServerRefused extends Error {
  override name = 'ServerRefused';
}

/** Somebody else has changed the resource. */
export class ResourceChanged extends Error {
  override name = 'ResourceChanged';
}
