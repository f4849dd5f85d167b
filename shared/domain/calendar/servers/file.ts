import type { Config } from '#shared/config.ts';

/** The port to files of iCalendar at addresses that users write (docs/decisions/0076-calendars-from-addresses.md). */

/** By which a server tells whether a file is another one (RFC 9110, 8.8). */
export interface FileVersion {
  etag: string | null;
  modified: string | null;
}

export interface CalendarFile {
  /** A whole calendar: it begins and ends as one. */
  text: string;
  /** As the calendar calls itself. */
  name: string | null;
  version: FileVersion;
}

export interface CalendarFiles {
  /**
   * Undefined when it is the known version still. Ends when `signal` aborts. Throws NoCalendarServer, ServerRefused (for
   * what is no calendar too), TryLater, or any other error when a retry may succeed.
   */
  read(url: string, known: FileVersion | null, signal: AbortSignal): Promise<CalendarFile | undefined>;
}

/** Port. The hosts that may be private are known by the configuration. */
export interface ReachesCalendarFiles {
  calendar_files: (config: Config) => CalendarFiles;
}
