import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of files, which can be told to fail. */

type Answering = (request: IncomingMessage, response: ServerResponse) => void;

export class FileServer {
  url = '';
  /** Answers in place of the server. */
  instead: Answering | undefined;
  /** The statuses that it answered. */
  readonly answered: number[] = [];
  readonly #files = new Map<string, string>();
  readonly #server = createServer((request, response) => this.#answer(request, response));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
    return this;
  }

  get host(): string {
    return new URL(this.url).host;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** The address of a file with this content. */
  write(name: string, text: string): string {
    this.#files.set(`/${name}`, text);
    return `${this.url}${name}`;
  }

  remove(name: string): void {
    this.#files.delete(`/${name}`);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    response.on('close', () => this.answered.push(response.statusCode));
    if (this.instead) {
      this.instead(request, response);
      return;
    }
    const text = this.#files.get(request.url ?? '');
    if (text === undefined) {
      response.writeHead(404).end('not here');
      return;
    }
    const etag = `"${createHash('sha256').update(text).digest('hex')}"`;
    const known = request.headers['if-none-match'] === etag;
    response.writeHead(known ? 304 : 200, { ETag: etag, 'Content-Type': 'text/calendar' });
    response.end(known ? undefined : text);
  }
}
