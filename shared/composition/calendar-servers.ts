import type { ReachesCalendarServers } from '#shared/domain/calendar/servers/server.ts';
import { caldav } from '#shared/providers/calendars/caldav.ts';
import { publicExchange } from '#shared/providers/outside/public-exchange.ts';

/** The servers of calendars: public ones, and those that the configuration names. */
export const calendarServers: ReachesCalendarServers = {
  calendar_server: ({ calendar_hosts }) => caldav(publicExchange(calendar_hosts)),
};
