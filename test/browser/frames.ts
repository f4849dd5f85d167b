import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/**
 * Serves HTML in frames. Each reports when one of its scripts runs, and triggers the events that a reader could
 * trigger. `ELSEWHERE` in their HTML is served here as well, so that loading from it is noticed.
 */

/** A host that stands for any foreign host in the HTML of a frame. */
export const ELSEWHERE = 'tracker.example';

/** The script that each frame runs before the rest of it is parsed. */
const WATCH = readFileSync(join(import.meta.dirname, 'watch.js'), 'utf8');

/** The text inside a script must not end it. */
const quoted = (text: string) => JSON.stringify(text).replaceAll('<', '\\u003c');

function frame(number: number, html: string): string {
  const script = `${WATCH}\nwatch(${number}, ${quoted(html)});`;
  return `<!doctype html><meta charset="utf-8"><script>${script}</script><body><main>${html}</main></body>`;
}

export interface Frames {
  url: string;
  /** The scripts that ran, by the number of their HTML. */
  ran: Map<number, string>;
  /** The numbers of the HTML that loaded something from elsewhere. */
  loaded: Set<number>;
  stop(): void;
}

export async function serveFrames(all: string[]): Promise<Frames> {
  const ran = new Map<number, string>();
  const loaded = new Set<number>();
  const page = all.map((_, i) => `<iframe src="/frame/${i}"></iframe>`).join('');
  const server: Server = createServer((request, response) => {
    const [, kind, number = ''] = (request.url ?? '').split('/');
    const html = all[Number(number)];
    if (kind === 'elsewhere') {
      loaded.add(Number(number));
      response.writeHead(404).end();
      return;
    }
    if (kind === 'ran') {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        ran.set(Number(number), Buffer.concat(chunks).toString());
        response.end();
      });
      return;
    }
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (kind === '') response.end(`<!doctype html><meta charset="utf-8"><title>all</title>${page}`);
    else if (kind === 'frame' && html !== undefined) {
      const elsewhere = `${request.headers.host}/elsewhere/${number}`;
      response.end(frame(Number(number), html.replaceAll(ELSEWHERE, elsewhere)));
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    ran,
    loaded,
    stop: () => server.closeAllConnections() ?? server.close(),
  };
}
