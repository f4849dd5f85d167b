import type { ServerCalendar } from '#shared/domain/calendar/calendars/calendar.ts';
import { TOLD_AT_ONCE } from '#shared/domain/mail/mailboxes/lock.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { unlessThere, update, type Write } from '#shared/table/table.ts';
import type { ServedCalendar } from './server.ts';

/** The calendars that a server has become calendars of the mailbox, each known by its address. */

/** Of one mailbox: they are written in one transaction, with the mailbox, its job, who is told, and those that are gone. */
const MAX_CALENDARS = 50;
const MAX_GONE = 100 - MAX_CALENDARS - TOLD_AT_ONCE - 2;

const servedCalendarId = (mailbox_id: string, url: string) => idFrom('calendar at a server', mailbox_id, url);

type Place = Pick<Mailbox, 'account_id' | 'id' | 'calendar_ids'>;

const writeOf = ({ account_id, id: mailbox_id }: Place, served: ServedCalendar, now: Date): Write =>
  update<ServerCalendar>(keys.calendar(account_id, servedCalendarId(mailbox_id, served.url)), {
    set: { mailbox_id, served, gone: false, found_at: unlessThere(now.toISOString()) },
  });

interface Found {
  calendar_ids: string[];
  writes: Write[];
}

/** Those that the server no longer has stay, to be read. */
export function foundCalendars(mailbox: Place, all: ServedCalendar[], now: Date): Found {
  const served = all.slice(0, MAX_CALENDARS);
  const ids = served.map(({ url }) => servedCalendarId(mailbox.id, url));
  const known = mailbox.calendar_ids ?? [];
  const gone = known.filter((id) => !ids.includes(id)).slice(0, MAX_GONE);
  return {
    calendar_ids: [...new Set([...gone, ...ids])],
    writes: [
      ...served.map((each) => writeOf(mailbox, each, now)),
      ...gone.map((id) =>
        update<ServerCalendar>(keys.calendar(mailbox.account_id, id), { set: { gone: true } }),
      ),
    ],
  };
}
