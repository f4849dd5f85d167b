import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A CalDAV server in memory, which can be told to fail. The real one is in test/caldav. */

interface Stored {
  text: string;
  etag: string;
  /** The moment of its last change, by the server's own count. */
  at: number;
}

export interface Answer {
  status: number;
  body?: string;
  headers?: Record<string, string>;
}

export interface Request {
  method: string;
  path: string;
  body: string;
  headers: IncomingMessage['headers'];
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const multistatus = (responses: string, token?: string): Answer => ({
  status: 207,
  headers: { 'Content-Type': 'application/xml; charset=utf-8' },
  body: `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:cal="urn:ietf:params:xml:ns:caldav" xmlns:ap="http://apple.com/ns/ical/">${responses}${
    token === undefined ? '' : `<d:sync-token>${token}</d:sync-token>`
  }</d:multistatus>`,
});

const found = (href: string, props: string) =>
  `<d:response><d:href>${escaped(href)}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;

const gone = (href: string) =>
  `<d:response><d:href>${escaped(href)}</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>`;

const HOME = '/calendars/ada/';

export class CaldavServer {
  url = '';
  password = 'right password';
  /** Answers in place of the server. */
  instead: (request: Request) => Answer | undefined = () => undefined;
  /** What was asked, as "METHOD path". */
  readonly asked: string[] = [];
  readonly #calendars = new Map<
    string,
    { props: string; files: Map<string, Stored>; gone: Map<string, number> }
  >();
  #count = 0;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
    return this;
  }

  get host(): string {
    return new URL(this.url).host;
  }

  /** Does not keep the process. */
  unref(): void {
    this.#server.unref();
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  calendar(name: string, props = `<d:displayname>${name}</d:displayname>`): string {
    const path = `${HOME}${name}/`;
    this.#calendars.set(path, { props, files: new Map(), gone: new Map() });
    return path;
  }

  removeCalendar(path: string): void {
    this.#calendars.delete(path);
  }

  write(path: string, text: string): string {
    const calendar = this.#calendarOf(path);
    const stored = { text, etag: `"${++this.#count}"`, at: this.#count };
    calendar?.files.set(path, stored);
    calendar?.gone.delete(path);
    return stored.etag;
  }

  remove(path: string): void {
    const calendar = this.#calendarOf(path);
    calendar?.files.delete(path);
    calendar?.gone.set(path, ++this.#count);
  }

  read(path: string): string | undefined {
    return this.#calendarOf(path)?.files.get(path)?.text;
  }

  paths(calendar: string): string[] {
    return [...(this.#calendars.get(calendar)?.files.keys() ?? [])];
  }

  #calendarOf(path: string) {
    return this.#calendars.get(path.replace(/[^/]*$/, ''));
  }

  #propfind({ path, headers }: Request): Answer {
    if (path === '/')
      return multistatus(
        found('/', '<d:current-user-principal><d:href>/users/ada/</d:href></d:current-user-principal>'),
      );
    if (path === '/users/ada/')
      return multistatus(
        found(path, `<cal:calendar-home-set><d:href>${HOME}</d:href></cal:calendar-home-set>`),
      );
    const type = '<d:resourcetype><d:collection/><cal:calendar/></d:resourcetype>';
    if (path === HOME) {
      const all = [...this.#calendars].map(([each, { props }]) => found(each, `${type}${props}`));
      return multistatus(found(HOME, '<d:resourcetype><d:collection/></d:resourcetype>') + all.join(''));
    }
    const calendar = this.#calendars.get(path);
    if (!calendar || headers.depth !== '1') return { status: 404 };
    const files = [...calendar.files].map(([each, { etag }]) =>
      found(each, `<d:getetag>${escaped(etag)}</d:getetag>`),
    );
    return multistatus(found(path, type) + files.join(''));
  }

  #report({ path, body }: Request): Answer {
    const calendar = this.#calendars.get(path);
    if (!calendar) return { status: 404 };
    if (body.includes('calendar-multiget')) {
      const hrefs = [...body.matchAll(/<d:href>([^<]*)<\/d:href>/g)].map(([, href = '']) => href);
      const all = hrefs.map((href) => {
        const file = calendar.files.get(href);
        return file
          ? found(
              href,
              `<d:getetag>${file.etag}</d:getetag><cal:calendar-data>${escaped(file.text)}</cal:calendar-data>`,
            )
          : gone(href);
      });
      return multistatus(all.join(''));
    }
    const token = /<d:sync-token>([^<]*)<\/d:sync-token>/.exec(body)?.[1] ?? '';
    const since = token === '' ? 0 : Number(token.replace('urn:token:', ''));
    const changed = [...calendar.files].filter(([, { at }]) => at > since);
    const removed = token === '' ? [] : [...calendar.gone].filter(([, at]) => at > since);
    return multistatus(
      changed.map(([href, { etag }]) => found(href, `<d:getetag>${etag}</d:getetag>`)).join('') +
        removed.map(([href]) => gone(href)).join(''),
      `urn:token:${this.#count}`,
    );
  }

  #file({ method, path, body, headers }: Request): Answer {
    const there = this.#calendarOf(path)?.files.get(path);
    if (method === 'GET')
      return there ? { status: 200, body: there.text, headers: { ETag: there.etag } } : { status: 404 };
    const match = headers['if-match'];
    if ((match !== undefined && match !== there?.etag) || (headers['if-none-match'] === '*' && there))
      return { status: 412 };
    if (method === 'DELETE') {
      if (!there) return { status: 404 };
      this.remove(path);
      return { status: 204 };
    }
    return { status: there ? 204 : 201, headers: { ETag: this.write(path, body) } };
  }

  #answerOf(request: Request): Answer {
    const basic = `Basic ${Buffer.from(`ada:${this.password}`).toString('base64')}`;
    if (request.headers.authorization !== basic) return { status: 401 };
    if (request.method === 'PROPFIND') return this.#propfind(request);
    return request.method === 'REPORT' ? this.#report(request) : this.#file(request);
  }

  async #answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part);
    const { method = '', url = '', headers } = incoming;
    const request = { method, path: url, headers, body: Buffer.concat(parts).toString() };
    this.asked.push(`${method} ${url}`);
    const answer = this.instead(request) ?? this.#answerOf(request);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }
}
