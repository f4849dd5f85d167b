import type * as z from 'zod';
import {
  type Content,
  type Params,
  pathParameters,
  pathTemplates,
  type RecordPath,
  type Route,
  type Shape,
} from './route.ts';

import { type SubscribeOptions, type Subscription, subscribe } from './subscribe.ts';

/**
 * The typed client: a method for each operation, named as in the catalogue. It derives from the definitions, so each
 * path, schema and name is written once.
 */
type Input<S> = z.input<z.ZodObject<S extends Shape ? S : never>>;

/** Undefined where nothing can be sent: an object type without properties would accept any object. */
type Sendable<Fields> = keyof Fields extends never ? undefined : Fields;

type PathParams<Path> =
  Path extends RecordPath<infer Type>
    ? (Path extends { of_all: true } ? { record_type: Type } : { record_type: Type; record_id: string }) &
        Params<Path>
    : Sendable<Params<Path>>;

type OutputOf<Response> = Response extends Content
  ? string
  : Response extends Shape
    ? z.infer<z.ZodObject<Response>>
    : null;

type Output<R extends Route> = OutputOf<R['returns'][keyof R['returns']]>;

type Parameter = string | boolean | number;

export interface CallOptions<R extends Route> {
  /** Path parameters. A path of several record types takes `record_type`, `record_id` and the others. */
  params?: PathParams<R['path']>;
  /** Parameters with keys are objects. */
  query?: Sendable<Partial<Record<keyof NonNullable<R['query']>, Parameter | Record<string, Parameter>>>>;
  body?: Input<NonNullable<R['body']>>;
  headers?: Record<string, string>;
}

export interface ClientResponse<T> {
  status: number;
  headers: Headers;
  body: T;
}

/** An response of 400 or more. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: Record<string, { code: string; message: string }>;
  readonly headers: Headers;

  constructor(
    status: number,
    headers: Headers,
    error: { code: string; message: string; fields?: ApiFailure['fields'] },
  ) {
    const fields = error.fields ? ` ${JSON.stringify(error.fields)}` : '';
    super(`${status} ${error.code}: ${error.message}${fields}`);
    this.name = 'ApiFailure';
    this.status = status;
    this.code = error.code;
    this.fields = error.fields ?? {};
    this.headers = headers;
  }
}

type Modules<F> = F extends Record<string, infer Family> ? (Family extends unknown ? Family : never) : never;

type Definition<Module, Name> = Name extends keyof Module
  ? Module[Name] extends Route
    ? Module[Name]
    : never
  : never;

type UnionToIntersection<U> = (U extends unknown ? (x: U) => void : never) extends (x: infer I) => void
  ? I
  : never;

/** Live updates, where the catalogue has tickets for them. */
interface Listens {
  subscribe(options: SubscribeOptions): Subscription;
}

/** The client of a catalogue: `typeof families`. */
export type Client<Families> = Operations<Families> & Listens;

type Operations<Families> = UnionToIntersection<
  Modules<Families> extends infer Family
    ? Family extends unknown
      ? {
          [Name in keyof Family]: (
            options?: CallOptions<Definition<Family[Name], Name>>,
          ) => Promise<ClientResponse<Output<Definition<Family[Name], Name>>>>;
        }
      : never
    : never
>;

type Ticket = { url: string; ticket: string };

export interface ClientOptions {
  base_url: string;
  key?: string;
}

function pathOf(definition: Route, params: Record<string, string>): string {
  const templates = pathTemplates(definition.path);
  const chosen = templates.find((each) => each.record_type === (params.record_type ?? null));
  if (!chosen) throw new Error(`${definition.name} has no path for ${params.record_type}`);
  const { template } = chosen;
  const first = pathParameters(template)[0];
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? (name === first ? params.record_id : undefined) ?? ''),
  );
}

async function send(
  definition: Route,
  { base_url, key }: ClientOptions,
  options: CallOptions<Route>,
): Promise<ClientResponse<unknown>> {
  const url = new URL(base_url + pathOf(definition, (options.params ?? {}) as Record<string, string>));
  for (const [name, value] of Object.entries(options.query ?? {}))
    if (typeof value !== 'object') url.searchParams.set(name, String(value));
    else
      for (const [key, each] of Object.entries(value)) url.searchParams.set(`${name}[${key}]`, String(each));
  const response = await fetch(url, {
    method: definition.method,
    headers: {
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
    },
    body: options.body === undefined ? null : JSON.stringify(options.body),
    // The key is not for the server that `Location` names.
    redirect: 302 in definition.returns ? 'manual' : 'follow',
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  const body = text === '' ? null : isJson ? JSON.parse(text) : text;
  if (response.status >= 400) throw new ApiFailure(response.status, response.headers, body.error);
  return { status: response.status, headers: response.headers, body };
}

export function createClient<Families extends Record<string, Record<string, Record<string, unknown>>>>(
  families: Families,
  options: ClientOptions,
): Client<Families> {
  const methods: Record<string, unknown> = {};
  for (const modules of Object.values(families))
    for (const [name, module] of Object.entries(modules))
      methods[name] = (call: CallOptions<Route> = {}) => send(module[name] as Route, options, call);
  const subscribeTo = (subscription: SubscribeOptions) =>
    subscribe(async () => {
      const make = methods.createSocketTicket as () => Promise<ClientResponse<{ socket_ticket: Ticket }>>;
      return (await make()).body.socket_ticket;
    }, subscription);
  // Not enumerable: it is no operation.
  return Object.defineProperty(methods, 'subscribe', { value: subscribeTo }) as unknown as Client<Families>;
}
