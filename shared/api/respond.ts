import * as z from 'zod';
import { versionOf } from '#shared/domain/platform/versions/version.ts';
import type { ApiError } from '#shared/errors.ts';
import type { Services } from '#shared/services.ts';
import { type ApiEvent, type ApiResult, callOf, headerValues } from './call.ts';
import { errorUrl } from './docs-url.ts';
import { isRetrieve } from './etag.ts';
import { ignoredHeader, isStrict } from './ignored.ts';
import { type Content, isContent, type Route, successStatus, type TypedText } from './route.ts';

/** Builds responses: success by the operation's schema, failures by the error catalogue, headers on both. */

/** A response that does not match its schema: a fault of the service, never of the caller. */
class ResponseMismatch extends Error {
  constructor(operation: string, issues: readonly z.core.$ZodIssue[]) {
    const places = issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
    super(`The response of ${operation} does not fit its schema: ${places}`);
    this.name = 'ResponseMismatch';
  }
}

export interface ApiResponse {
  status: number;
  content_type: string | undefined;
  body: string;
  headers?: Record<string, string> | undefined;
  /** Of the record in the body, for its ETag. */
  version?: string | undefined;
}

function writeContent(
  { content_type, headers }: Content,
  result: string | TypedText,
): Omit<ApiResponse, 'status'> {
  if (typeof result === 'string') return { content_type, headers, body: result };
  return { content_type: result.content_type, headers: { ...headers, ...result.headers }, body: result.text };
}

/** Bodies with a version have one record, in its wrapper. */
const versionIn = (body: unknown) => versionOf(Object.values(body as object)[0]);

export function responseWriter(definition: Route): (result: unknown) => ApiResponse {
  const status = successStatus(definition);
  const shape = Object.values(definition.returns)[0];
  if (shape === null || shape === undefined) return () => ({ status, content_type: undefined, body: '' });
  if (isContent(shape)) return (result) => ({ status, ...writeContent(shape, result as string | TypedText) });
  const schema = z.strictObject(shape);
  const hasVersion = definition.versioned || isRetrieve(definition);
  return (result) => {
    const checked = schema.safeParse(result);
    if (!checked.success) throw new ResponseMismatch(definition.name, checked.error.issues);
    const body = JSON.stringify(checked.data);
    if (!hasVersion) return { status, content_type: 'application/json', body };
    return { status, content_type: 'application/json', body, version: versionIn(result) };
  };
}

/** `doc_url` explains the code, `request_id` names the request for support. */
export function errorResponse(
  { status, code, message, fields }: ApiError,
  { request_id, doc_url }: { request_id: string; doc_url: string },
): ApiResponse {
  const error = { code, message, ...(fields ? { fields } : {}), request_id, doc_url };
  return { status, content_type: 'application/json', body: JSON.stringify({ error }) };
}

/** The response to an error, for the request of this event. */
export function failure(event: ApiEvent, error: ApiError): ApiResponse {
  const { request_id } = callOf(event);
  return errorResponse(error, { request_id, doc_url: errorUrl(event, error.code) });
}

/** Headers of every response: request id, rate limits, CORS, no caching, no content sniffing and no Referer. */
export function commonHeaders(event: ApiEvent, services: Services): Record<string, string> {
  const call = callOf(event);
  return {
    'X-Request-Id': call.request_id,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    // A provider may send a browser with a code to any path (RFC 9700, 4.2.4).
    'Referrer-Policy': 'no-referrer',
    ...rateHeaders(call.rates),
    ...ignoredHeader(call.ignored),
    ...(isStrict(event) ? { 'Preference-Applied': 'handling=strict' } : {}),
    ...corsHeaders(event, services.config.cors_origins),
  };
}

function rateHeaders(rates: ReturnType<typeof callOf>['rates']): Record<string, string> {
  const tightest = rates.reduce<(typeof rates)[number] | undefined>(
    (best, rate) => (best && best.remaining <= rate.remaining ? best : rate),
    undefined,
  );
  if (!tightest) return {};
  return {
    'RateLimit-Limit': String(tightest.limit),
    'RateLimit-Remaining': String(tightest.remaining),
    'RateLimit-Reset': String(tightest.reset),
  };
}

export function corsHeaders(event: ApiEvent, origins: string[]): Record<string, string> {
  const origin = headerValues(event, 'origin')[0];
  if (origin === undefined || origins.length === 0) return {};
  const allowed = origins.includes('*') ? '*' : origins.includes(origin) ? origin : undefined;
  if (allowed === undefined) return { Vary: 'Origin' };
  const exposed =
    'X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Ignored-Fields, ETag, Idempotent-Replayed';
  return {
    'Access-Control-Allow-Origin': allowed,
    'Access-Control-Expose-Headers': exposed,
    Vary: 'Origin',
  };
}

export function toResult(event: ApiEvent, response: ApiResponse, headers: Record<string, string>): ApiResult {
  const type: Record<string, string> =
    response.content_type === undefined ? {} : { 'Content-Type': response.content_type };
  return {
    statusCode: response.status,
    headers: { ...type, ...headers, ...response.headers },
    body: event.httpMethod === 'HEAD' ? '' : response.body,
  };
}
