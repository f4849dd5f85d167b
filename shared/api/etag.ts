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

/**
 * The version of the record, and behind a point a digest of what is shown of it. Strong, because `If-Match` takes no
 * other: that the gateway may compress a response on its way is not part of it (docs/decisions/0048-versions-of-records.md).
 */
const etagOf = ({ version = '', body }: ApiResponse) => `"${version}.${hash('sha256', body, 'base64url')}"`;

export const versionInTag = (tag: string): string => tag.split('.', 1)[0] as string;

/** What a change shows is not all that is retrieved, so its ETag is the version alone. */
export function withVersion(response: ApiResponse): ApiResponse {
  if (response.version === undefined) return response;
  return { ...response, headers: { ...response.headers, ETag: `"${response.version}"` } };
}

/** `W/` does not count, and `*` is any record there is (RFC 9110, 13.1.2). */
function matches(event: ApiEvent, etag: string): boolean {
  const sent = headerValues(event, 'if-none-match').join(',');
  if (sent === '') return false;
  if (sent.trim() === '*') return true;
  return [...sent.matchAll(/"[^"]*"/g)].some(([each]) => each === etag);
}

/** Of an operation that retrieves: the response with its ETag, or 304 without a body to who has it already. */
export function revalidated(event: ApiEvent, response: ApiResponse): ApiResponse {
  const ETag = etagOf(response);
  const headers = { ...response.headers, ETag, 'Cache-Control': 'private, no-cache' };
  if (!matches(event, ETag)) return { ...response, headers };
  return { status: 304, content_type: undefined, body: '', headers };
}

/** For the documentation. */
export const conditionHeader = {
  'If-None-Match': z.string().optional().meta({
    description: 'The ETag of an earlier response: 304 without a body while the record is the same',
    example: '"mbx3k2a1.Zk3nYw8cQmL0sVd5uXr1tA"',
  }),
};
