import {
  type CalendarServer,
  MAX_RESOURCE,
  type ReadResource,
  type Resource,
  type ServerChanges,
  ServerRefused,
} from '#shared/domain/calendar/servers/server.ts';
import type { Answer, PublicExchange } from '#shared/providers/outside/public-exchange.ts';
import { discover } from './discovery.ts';
import { child, type Described, namesIn, readMultistatus, textIn } from './multistatus.ts';
import { changesQuery, etagsQuery, readQuery } from './requests.ts';
import { absolute, Session } from './session.ts';

/** Calendars by CalDAV (RFC 4791), followed by sync tokens (RFC 6578) or, where there are none, by ETags. */

/** Resources that are read together. */
const READ = 50;

const isCollection = ({ props }: Described) => namesIn(child(props, 'resourcetype')).includes('collection');

const samePlace = (a: string, b: string) => a.replace(/\/$/, '') === b.replace(/\/$/, '');

function resourcesIn(responses: Described[], calendar: string): (Resource & { status: number })[] {
  return responses
    .filter((each) => each.href !== '' && !isCollection(each))
    .map(({ href, status, props }) => ({
      url: absolute(href, calendar),
      status,
      etag: textIn(child(props, 'getetag')).trim() || null,
    }))
    .filter(({ url }) => url.startsWith(calendar) && !samePlace(url, calendar));
}

function required(answer: Answer): Answer {
  if (answer.status < 200 || answer.status > 299)
    throw new ServerRefused(`The server answers ${answer.status}`);
  return answer;
}

async function listAll(session: Session, calendar: string): Promise<ServerChanges> {
  const asked = { method: 'PROPFIND', body: etagsQuery, headers: { Depth: '1' } };
  const { text } = required(await session.ask(calendar, asked));
  const changed = resourcesIn(readMultistatus(text).responses, calendar);
  return { changed, removed: [], full: true, token: null, more: false };
}

/** 400, 403, 405, 409, 415 or 501: the token is not valid any more, or the server knows none. */
const knowsNot = (status: number) => status >= 400 && status < 500 && status !== 404 && status !== 410;

async function changesSince(
  session: Session,
  calendar: string,
  token: string | null,
): Promise<ServerChanges> {
  const asked = { method: 'REPORT', body: changesQuery(token), headers: { Depth: '0' } };
  const answer = await session.ask(calendar, asked);
  if (knowsNot(answer.status) || answer.status === 507)
    return token === null ? listAll(session, calendar) : changesSince(session, calendar, null);
  const { responses, token: next } = readMultistatus(required(answer).text);
  const found = resourcesIn(responses, calendar);
  // RFC 6578, 3.6: the calendar itself with 507 says that there is more.
  const more = responses.some(
    ({ href, status }) => status === 507 && samePlace(absolute(href, calendar), calendar),
  );
  return {
    changed: found.filter(({ status }) => status === 200),
    removed: found.filter(({ status }) => status === 404 || status === 410).map(({ url }) => url),
    full: token === null && !more,
    token: next,
    more: more && next !== null,
  };
}

async function read(session: Session, calendar: string, urls: string[]): Promise<ReadResource[]> {
  const all: ReadResource[] = [];
  for (let i = 0; i < urls.length; i += READ) {
    const paths = urls.slice(i, i + READ).map((url) => new URL(url).pathname);
    const asked = { method: 'REPORT', body: readQuery(paths), headers: { Depth: '1' } };
    const { text } = required(await session.ask(calendar, asked));
    for (const { href, status, props } of readMultistatus(text).responses)
      if (status === 200 && child(props, 'calendar-data') !== undefined)
        all.push({
          url: absolute(href, calendar),
          etag: textIn(child(props, 'getetag')).trim() || null,
          text: textIn(child(props, 'calendar-data')),
        });
  }
  return all;
}

const etagOf = ({ headers }: Answer): string | null => headers.etag ?? null;

/** Weak ones name no version that could be written over. */
const over = (etag: string | null): Record<string, string> =>
  etag === null || etag.startsWith('W/') ? {} : { 'If-Match': etag };

export function caldav(exchange: PublicExchange): CalendarServer {
  const session = (login: ConstructorParameters<typeof Session>[0], signal: AbortSignal) =>
    new Session(login, exchange, signal);
  return {
    discover: (login, signal) => discover(session(login, signal), login.url),
    changes: (login, calendar, token, signal) => changesSince(session(login, signal), calendar, token),
    read: (login, calendar, urls, signal) => read(session(login, signal), calendar, urls),
    async get(login, url, signal) {
      const answer = await session(login, signal).ask(url, { method: 'GET', max_bytes: MAX_RESOURCE });
      if (answer.status === 404 || answer.status === 410) return undefined;
      return { url, etag: etagOf(answer), text: required(answer).text };
    },
    async put(login, { url, etag, text, fresh }, signal) {
      const headers = {
        'Content-Type': 'text/calendar; charset=utf-8',
        ...(fresh ? { 'If-None-Match': '*' } : over(etag)),
      };
      return etagOf(required(await session(login, signal).ask(url, { method: 'PUT', body: text, headers })));
    },
    async remove(login, { url, etag }, signal) {
      const answer = await session(login, signal).ask(url, { method: 'DELETE', headers: over(etag) });
      if (answer.status !== 404 && answer.status !== 410) required(answer);
    },
  };
}
