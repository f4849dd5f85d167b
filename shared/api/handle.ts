import middy, { type MiddlewareObj } from '@middy/core';
import type * as z from 'zod';
import { type Called, type Context, contextOf, type Visitor } from '#shared/context.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError } from '#shared/errors.ts';
import { describeError, getLogger, recordRequest } from '#shared/log.ts';
import { getServices } from '#shared/services.ts';
import type { Write } from '#shared/table/table.ts';
import type { Use } from '#shared/uses/kinds.ts';
import { authorize } from './auth.ts';
import { baseUrlOf } from './base-url.ts';
import { type ApiEvent, type ApiResult, callOf, endsWithSlash, visitorOf } from './call.ts';
import { isRetrieve, revalidated, withVersion } from './etag.ts';
import { Headed } from './headed.ts';
import { type Keep, keepNothing, once } from './idempotency.ts';
import { acceptsIfMatch, readIfMatch } from './if-match.ts';
import { checkAccept, checkContentType, limitBody } from './negotiate.ts';
import { hasBody, requestReader } from './read-request.ts';
import { type ApiResponse, commonHeaders, failure, responseWriter, toResult } from './respond.ts';
import {
  type Access,
  type Content,
  isContent,
  type Params,
  type RecordPath,
  type Returns,
  type Route,
  type Shape,
  type TypedText,
} from './route.ts';
import { Existing, type Updated } from './upsert.ts';

/** The middleware stack of every operation, in the order of docs/specification/requests.md, "Order of checks". */

type Parsed<S> = z.infer<z.ZodObject<S extends Shape ? S : never>>;

type Result<Response extends Returns> = {
  [Status in keyof Response]: Response[Status] extends Content
    ? string | TypedText
    : Response[Status] extends Shape
      ? z.input<z.ZodObject<Response[Status]>>
      : // biome-ignore lint/suspicious/noConfusingVoidType: an operation without a body returns nothing
        void;
}[keyof Response];

/** A response may have headers, and an operation that creates may find or change a record instead. */
type Outcome<Response extends Returns, Query extends Shape> =
  | Result<Response>
  | Headed<Result<Response>>
  | ('upsert' extends keyof Query ? Updated<Result<Response>> : never)
  | (Extract<keyof Response, 201 | 202> extends never ? never : Existing<Result<Response>>);

/** What a handler receives. */
export interface Request<R extends Route, Ports extends object = object> {
  ctx: (R['access'] extends 'public' ? Context<Ports> : CallerContext<Ports>) & Visitor & Called;
  /** The record that the path names, for operations of several record types; `id` is empty for all of a type. */
  record: R['path'] extends RecordPath<infer Type> ? { type: Type; id: string } : undefined;
  params: Params<R['path']>;
  query: Parsed<NonNullable<R['query']>>;
  body: Parsed<NonNullable<R['body']>>;
  /** As the gateway passed it on: for cookies. */
  event: ApiEvent;
  /**
   * The writes that store the response for repeats with the same `Idempotency-Key`; none without a key. They belong in
   * the transaction that creates the record.
   */
  keep: (response: Result<R['returns']>) => Write[];
}

export type Handler = (event: ApiEvent, context: unknown) => Promise<ApiResult>;

type Stack = MiddlewareObj<ApiEvent, ApiResult>;

/** Turns errors into HTTP responses, and logs each request once. */
function conclusion(definition: Route): Stack {
  const finish = (event: ApiEvent, status: number) => {
    const call = callOf(event);
    const duration_ms = Math.round((performance.now() - call.started) * 100) / 100;
    recordRequest(getServices().config.stage, {
      operation: definition.name,
      request_id: call.request_id,
      status,
      duration_ms,
      error_code: call.error_code,
      account_id: call.caller?.account.id,
      user_id: call.caller?.user.id,
      credential_id: call.caller?.credential.id,
    });
  };
  return {
    before: ({ event }) => {
      callOf(event);
    },
    after: ({ event, response }) => finish(event, response?.statusCode ?? 200),
    onError: (request) => {
      const { event, error } = request;
      const known = error instanceof ApiError ? error : new ApiError('error');
      callOf(event).error_code = known.code;
      if (known.status >= 500)
        getLogger().error('unexpected failure', {
          operation: definition.name,
          request_id: callOf(event).request_id,
          error: describeError(error),
        });
      const headers = { ...commonHeaders(event, getServices()), ...known.headers };
      request.response = toResult(event, failure(event, known), headers);
      finish(event, known.status);
    },
  };
}

const limits: Stack = {
  before: ({ event }) => {
    if (endsWithSlash(event)) throw new ApiError('not_found');
    limitBody(event);
  },
};

function authentication(definition: Route): Stack {
  return { before: ({ event }) => authorize(event, definition, getServices()) };
}

function negotiation(definition: Route): Stack {
  const shape = Object.values(definition.returns)[0];
  const type = isContent(shape) ? undefined : 'application/json';
  return {
    before: ({ event }) => {
      if (type) checkAccept(event, type);
      if (hasBody(event, definition)) checkContentType(event);
    },
  };
}

/** The Lambda handler of an operation, from its definition, its function and the ports it needs. */
export function handle<
  Path extends string | RecordPath,
  Query extends Shape,
  Body extends Shape,
  Response extends Returns,
  Uses extends Use,
  Auth extends Access,
  Ports extends object = object,
>(
  definition: Route<Path, Query, Body, Response, Uses, Auth>,
  operate: (
    request: Request<Route<Path, Query, Body, Response, Uses, Auth>, Ports>,
  ) => Promise<Outcome<Response, Query>> | Outcome<Response, Query>,
  ports = {} as Ports,
): Handler {
  const general = definition as unknown as Route;
  const read = requestReader(general);
  const write = responseWriter(general);
  const retrieves = isRetrieve(general);
  const expected = acceptsIfMatch(general) ? readIfMatch : () => undefined;
  const run = async (event: ApiEvent, ctx: Context<Ports>, keep: Keep): Promise<ApiResponse> => {
    read(event);
    const call = callOf(event);
    const expects = expected(event);
    const result = await operate({
      ctx: { ...ctx, ...visitorOf(event), base_url: baseUrlOf(event), caller: call.caller, expects },
      record: call.record,
      params: call.params,
      query: call.query,
      body: call.body,
      event,
      keep: (response: unknown) => keep(write(response)),
    } as never);
    if (expects?.compared === false)
      throw new Error('The operation did not compare the version of its record');
    if (result instanceof Headed) return { ...write(result.body), headers: result.headers };
    return result instanceof Existing ? { ...write(result.body), status: 200 } : write(result);
  };
  const operation = async (event: ApiEvent): Promise<ApiResult> => {
    const ctx = contextOf(getServices(), ports);
    const response = definition.idempotent
      ? await once(event, ctx, (keep) => run(event, ctx, keep))
      : await run(event, ctx, keepNothing);
    return toResult(
      event,
      retrieves ? revalidated(event, response) : withVersion(response),
      commonHeaders(event, ctx),
    );
  };
  const stack = middy<ApiEvent, ApiResult>()
    .use(conclusion(general))
    .use(limits)
    .use(authentication(general))
    .use(negotiation(general))
    .handler(operation as never);
  return stack as unknown as Handler;
}
