import { hash } from 'node:crypto';
import * as z from 'zod';
import { type ApiEvent, headerValues } from './call.ts';
import type { ApiResponse } from './respond.ts';
import { isContent, type Route } from './route.ts';

/**
 * Retrieved records have an ETag, and `If-None-Match` asks whether one has changed (docs/specification/requests.md,
 * "Conditional requests"). The record is read and authorized as ever; only sending it again is saved.
 */
export function isRetrieve({ method, name, returns }: Pick<Route, 'method' | 'name' | 'returns'>): boolean {
  return method === 'GET' && name.startsWith('retrieve') && !isContent(Object.values(returns)[0]);
}

/** Weak, because the gateway and streams compress the same record in more than one way (RFC 9110, 8.8.1). */
const etagOf = (body: string) => `W/"${hash('sha256', body, 'base64url')}"`;

/** `W/` does not count, and `*` is any record there is (RFC 9110, 13.1.2). */
function matches(event: ApiEvent, etag: string): boolean {
  const sent = headerValues(event, 'if-none-match').join(',');
  if (sent === '') return false;
  if (sent.trim() === '*') return true;
  const opaque = etag.slice('W/'.length);
  return [...sent.matchAll(/"[^"]*"/g)].some(([each]) => each === opaque);
}

/** Of an operation that retrieves: the response with its ETag, or 304 without a body to who has it already. */
export function revalidated(event: ApiEvent, response: ApiResponse): ApiResponse {
  const ETag = etagOf(response.body);
  const headers = { ...response.headers, ETag, 'Cache-Control': 'private, no-cache' };
  if (!matches(event, ETag)) return { ...response, headers };
  return { status: 304, content_type: undefined, body: '', headers };
}

/** For the documentation. */
export const conditionHeader = {
  'If-None-Match': z.string().optional().meta({
    description: 'The ETag of an earlier response: 304 without a body while the record is the same',
    example: 'W/"Zk3nYw8cQmL0sVd5uXr1tA"',
  }),
};
