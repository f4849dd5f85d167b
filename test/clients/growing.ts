import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The same service a year later: every record, block and page has a field more. */

function grown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(grown);
  if (typeof value !== 'object' || value === null) return value;
  const known = Object.entries(value).map(([name, part]) => [name, grown(part)] as const);
  const grows = ['id', 'type', 'page_info', 'code'].some((name) => Object.hasOwn(value, name));
  return Object.fromEntries(grows ? [...known, ['added_later', { by: ['a', 'year'] }]] : known);
}

export async function serveGrown(origin: string): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization = '', 'content-type': type } = request.headers;
    const answer = await fetch(`${origin}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization, ...(type ? { 'content-type': type } : {}) },
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(grown(await answer.json())));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
