import type { ReachesCalendarFiles } from '#shared/domain/calendar/servers/file.ts';
import type { ReachesCalendarServers } from '#shared/domain/calendar/servers/server.ts';
import { caldav } from '#shared/providers/calendars/caldav.ts';
import { calendarFiles as files } from '#shared/providers/calendars/file.ts';
import { publicExchange } from '#shared/providers/outside/public-exchange.ts';

/** The servers of calendars: public ones, and those that the configuration names. */
export const calendarServers: ReachesCalendarServers = {
  calendar_server: ({ calendar_hosts }) => caldav(publicExchange(calendar_hosts)),
};

/** Files of calendars, of the same hosts. */
export const calendarFiles: ReachesCalendarFiles = {
  calendar_files: ({ calendar_hosts }) => files(publicExchange(calendar_hosts)),
};
