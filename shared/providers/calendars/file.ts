import type { CalendarFile, CalendarFiles, FileVersion } from '#shared/domain/calendar/servers/file.ts';
import { NoCalendarServer, ServerRefused } from '#shared/domain/calendar/servers/server.ts';
import { type Answer, type PublicExchange, TooLarge } from '#shared/providers/outside/public-exchange.ts';
import { NotPublic } from '#shared/providers/outside/public-request.ts';
import { TryLater } from '#shared/queues/try-later.ts';

/** Files of iCalendar from the internet. Nothing that a server says is passed on but the calendar. */

const MAX_FILE = 10 * 1024 * 1024;
/** Some 10 MB, as calendars write them. Each is noted by itself, read or not, and there may be ten times as many of a few bytes. */
const MAX_EVENTS = 30_000;
const REDIRECTS = 5;
const REDIRECTING = [301, 302, 303, 307, 308];

/** RFC 9110, 13.1. */
const conditions = ({ etag, modified }: FileVersion): Record<string, string> => ({
  ...(etag === null ? {} : { 'If-None-Match': etag }),
  ...(modified === null ? {} : { 'If-Modified-Since': modified }),
});

async function ask(
  exchange: PublicExchange,
  url: string,
  known: FileVersion | null,
  signal: AbortSignal,
): Promise<Answer> {
  const headers = {
    'User-Agent': 'Workspace-API',
    Accept: 'text/calendar',
    ...(known ? conditions(known) : {}),
  };
  try {
    return await exchange(url, { method: 'GET', headers, max_bytes: MAX_FILE, signal });
  } catch (error) {
    if (error instanceof NotPublic) throw new NoCalendarServer(error.message, { cause: error });
    if (error instanceof TooLarge) throw new ServerRefused('The file has more than 10 MB', { cause: error });
    throw error;
  }
}

/** Each address is checked as the first one. */
async function follow(
  exchange: PublicExchange,
  address: string,
  known: FileVersion | null,
  signal: AbortSignal,
): Promise<Answer> {
  let url = address;
  for (let i = 0; i <= REDIRECTS; i++) {
    const answer = await ask(exchange, url, known, signal);
    const { location } = answer.headers;
    if (!REDIRECTING.includes(answer.status) || location === undefined) return answer;
    const next = URL.parse(location, url);
    if (!next) throw new NoCalendarServer('The server redirects to no address');
    url = next.href;
  }
  throw new NoCalendarServer('The server redirects without an end');
}

function requireOk({ status, headers }: Answer): void {
  if (status === 200) return;
  if (status === 404 || status === 410) throw new NoCalendarServer(`The server answers ${status}`);
  if (status === 429 || status === 503)
    throw new TryLater(`The server answers ${status}`, Number(headers['retry-after']) || 60);
  if (status >= 500) throw new Error(`The server answers ${status}`);
  throw new ServerRefused(`The server answers ${status}`);
}

/** A file that was cut off would look as if its other events were gone. */
function requireCalendar(text: string): void {
  if (
    !/^\uFEFF?\s*BEGIN:VCALENDAR\s*?$/im.test(text.slice(0, 1_000)) ||
    !/END:VCALENDAR\s*$/i.test(text.slice(-1_000))
  )
    throw new ServerRefused('The file is no calendar');
}

function requireFewEvents(text: string): void {
  let events = 0;
  const unfolded = text.replace(/[\r\n]+[ \t]/g, '');
  for (const _ of unfolded.matchAll(/^BEGIN:VEVENT/gim))
    if (++events > MAX_EVENTS) throw new ServerRefused('The file has more than 30,000 events');
}

/** What most programs write (X-WR-CALNAME), or what RFC 7986 says. */
function nameIn(text: string): string | null {
  const head = text
    .slice(0, Math.max(0, text.search(/^BEGIN:(?:VEVENT|VTIMEZONE)/im)))
    .replace(/\r?\n[ \t]/g, '');
  const written = /^(?:X-WR-CALNAME|NAME)(?:;[^:\r\n]*)?:(.+)$/im.exec(head)?.[1] ?? '';
  const name = written
    .replace(/\\n/gi, ' ')
    .replace(/\\(.)/g, '$1')
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .trim();
  return [...name].slice(0, 255).join('') || null;
}

export const calendarFiles = (exchange: PublicExchange): CalendarFiles => ({
  async read(url, known, signal): Promise<CalendarFile | undefined> {
    const answer = await follow(exchange, url, known, signal);
    if (answer.status === 304 && known) return undefined;
    requireOk(answer);
    requireCalendar(answer.text);
    requireFewEvents(answer.text);
    const { etag = null, 'last-modified': modified = null } = answer.headers;
    return { text: answer.text, name: nameIn(answer.text), version: { etag, modified } };
  },
});
