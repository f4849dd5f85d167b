import { NoCalendarServer, type ServedCalendar } from '#shared/domain/calendar/servers/server.ts';
import {
  BrokenAnswer,
  child,
  children,
  type Described,
  namesIn,
  readMultistatus,
  textIn,
} from './multistatus.ts';
import { calendarsQuery, homeQuery, principalQuery } from './requests.ts';
import { absolute, type Session } from './session.ts';

/** Finds the calendars of a user (RFC 6764, RFC 4791 6.2.1). */

async function propfind(session: Session, address: string, body: string, depth: '0' | '1') {
  const { status, text, url } = await session.ask(address, {
    ...{ method: 'PROPFIND', body },
    headers: { Depth: depth },
  });
  if (status !== 207) return { url, responses: [] };
  try {
    return { url, responses: readMultistatus(text).responses };
  } catch (error) {
    if (error instanceof BrokenAnswer) throw new NoCalendarServer(error.message, { cause: error });
    throw error;
  }
}

const hrefIn = (described: Described | undefined, name: string): string =>
  textIn(child(described?.props, name, 'href')).trim();

/** Where the calendars are: named by the address itself, or by the user's own resource that it names. */
async function homeFrom(session: Session, address: string): Promise<string | undefined> {
  const { url, responses } = await propfind(session, address, principalQuery, '0');
  const [described] = responses;
  if (!described) return undefined;
  const own = hrefIn(described, 'calendar-home-set');
  if (own) return absolute(own, url);
  if (namesIn(child(described.props, 'resourcetype')).includes('calendar')) return url;
  const principal = hrefIn(described, 'current-user-principal');
  if (!principal) return undefined;
  const found = await propfind(session, absolute(principal, url), homeQuery, '0');
  const home = hrefIn(found.responses[0], 'calendar-home-set');
  return home ? absolute(home, found.url) : undefined;
}

const WRITING = ['all', 'write', 'write-content', 'bind'];

function mayWrite({ props }: Described): boolean {
  const granted = child(props, 'current-user-privilege-set');
  if (granted === undefined) return true;
  return children(granted, 'privilege').some((each) => namesIn(each).some((name) => WRITING.includes(name)));
}

/** Calendars may be only for tasks. */
function hasEvents({ props }: Described): boolean {
  const set = child(props, 'supported-calendar-component-set');
  const kinds = children(set, 'comp').map((each) => textIn(child(each, '@name')).toUpperCase());
  return kinds.length === 0 || kinds.includes('VEVENT');
}

/** Colors of Apple have two digits more, for transparency. */
const colorIn = (text: string) => /^#[0-9a-f]{6}/i.exec(text.trim())?.[0].toUpperCase() ?? null;

const short = (text: string, length: number) => text.trim().slice(0, length) || null;

export async function discover(session: Session, address: string): Promise<ServedCalendar[]> {
  const wellKnown = new URL('/.well-known/caldav', address).href;
  const home = (await homeFrom(session, address)) ?? (await homeFrom(session, wellKnown));
  if (home === undefined) throw new NoCalendarServer('There are no calendars at the address');
  const { url, responses } = await propfind(session, home, calendarsQuery, '1');
  return responses
    .filter((each) => namesIn(child(each.props, 'resourcetype')).includes('calendar') && hasEvents(each))
    .map((each) => ({
      url: absolute(each.href, url).replace(/\/?$/, '/'),
      name: short(textIn(child(each.props, 'displayname')), 255),
      description: short(textIn(child(each.props, 'calendar-description')), 20_000),
      color: colorIn(textIn(child(each.props, 'calendar-color'))),
      read_only: !mayWrite(each),
    }));
}
