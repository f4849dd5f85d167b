import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Visitor } from '#shared/context.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import type { Rate } from '#shared/domain/platform/rates/rate.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Ignored } from './ignored.ts';

/** The state of one request on its way through the middleware. */
export interface Call {
  request_id: string;
  started: number;
  caller: Caller | undefined;
  rates: Rate[];
  /** The record that the path names, for operations of several record types. */
  record: { type: RecordType; id: string } | undefined;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
  /** Parameters and body keys that the operation does not know. */
  ignored: Ignored[];
  /** The error code of the response. */
  error_code: string | undefined;
}

export type ApiEvent = APIGatewayProxyEvent;
export type ApiResult = APIGatewayProxyResult & { headers: Record<string, string> };

const calls = new WeakMap<object, Call>();

/** The call of an event, created on first use. */
export function callOf(event: ApiEvent): Call {
  let call = calls.get(event);
  if (!call) {
    call = {
      request_id: event.requestContext.requestId,
      started: performance.now(),
      caller: undefined,
      rates: [],
      record: undefined,
      params: {},
      query: {},
      body: {},
      ignored: [],
      error_code: undefined,
    };
    calls.set(event, call);
  }
  return call;
}

/** All values of a header, in any case: `X-A` and `x-a` are one header sent twice. */
export function headerValues(event: ApiEvent, name: string): string[] {
  const many = valuesOf(event.multiValueHeaders, name);
  return many.length > 0 ? many : valuesOf(event.headers, name);
}

function valuesOf(
  headers: Record<string, string | string[] | undefined> | null | undefined,
  name: string,
): string[] {
  const found: string[] = [];
  for (const sent in headers) {
    if (sent.length !== name.length || sent.toLowerCase() !== name) continue;
    const value = headers[sent];
    if (typeof value === 'string') found.push(value);
    else if (value) found.push(...value);
  }
  return found;
}

export function visitorOf({ requestContext }: ApiEvent): Visitor {
  const { sourceIp, userAgent } = requestContext.identity;
  return { source_ip: sourceIp, user_agent: userAgent ?? null };
}

/** API Gateway routes `/threads/` to the function of `/threads`; the API treats them as two paths. */
export function endsWithSlash({ path, resource }: ApiEvent): boolean {
  return path.endsWith('/') && resource !== '/';
}
