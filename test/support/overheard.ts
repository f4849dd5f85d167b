import { vi } from 'vitest';

/** All responses to each key: bodies and headers, with opaque values decoded. */
export interface Overheard {
  /** All responses to requests with this secret. */
  of(secret: string): string;
  /** Each response to a request to this address: headers and body. */
  from(address: string): string[];
  stop(): void;
}

const OPAQUE = /[A-Za-z0-9_-]{16,}/g;

/** The text, followed by the decoded bytes of every value that may be base64url. */
function opened(text: string): string {
  const inside = (text.match(OPAQUE) ?? []).map((value) =>
    Buffer.from(value, 'base64url').toString('latin1'),
  );
  return [text, ...inside].join('\n');
}

export function overhear(): Overheard {
  const heard = new Map<string, string[]>();
  const original = globalThis.fetch;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const response = await original(input, init);
    const secret = new Headers(init?.headers).get('Authorization')?.replace('Bearer ', '') ?? '';
    const text = await response.clone().text();
    const lines = [`${init?.method ?? 'GET'} ${input}`, JSON.stringify([...response.headers]), text];
    heard.set(secret, [...(heard.get(secret) ?? []), lines.join('\n')]);
    return response;
  });
  return {
    of: (secret) =>
      (heard.get(secret) ?? []).map((each) => opened(each.slice(each.indexOf('\n')))).join('\n'),
    from: (address) =>
      [...heard.values()].flat().flatMap((each) => {
        const [request = ''] = each.split('\n', 1);
        return request.split(' ')[1]?.startsWith(address) ? [each.slice(request.length + 1)] : [];
      }),
    stop: () => spy.mockRestore(),
  };
}
