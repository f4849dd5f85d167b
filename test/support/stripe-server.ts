import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import type { BillingConfig } from '#shared/billing-settings.ts';
import { parseForm } from './stripe-form.ts';
import { Refused, StripeWorld } from './stripe-world.ts';

/** A server that speaks Stripe's API: forms in, JSON out, keys, idempotency keys, errors, and signed events. */

const SECRET_KEY = 'sk_test_workspace';
const WEBHOOK_SECRET = 'whsec_workspace';

/** What happens to the next request to an operation, such as `POST /v1/customers`. */
export interface Trouble {
  on: string;
  /** An error of Stripe instead of its answer. */
  status?: number;
  error?: { type: string; code?: string; message?: string };
  headers?: Record<string, string>;
  /** The request is executed, and its answer lost. */
  done?: true;
  /** The connection is closed without an answer, or stays open. */
  breaks?: 'closed' | 'silent';
}

export interface Asked {
  operation: string;
  form: Record<string, unknown>;
  headers: IncomingMessage['headers'];
}

export interface StripeServer {
  world: StripeWorld;
  config: BillingConfig;
  /** All requests, in order. */
  asked: Asked[];
  troubles: Trouble[];
  /** An event with this object, signed as Stripe does at that time. */
  event(
    type: string,
    object: object,
    at?: Date,
    secret?: string,
  ): { body: string; headers: [string, string][] };
  stop(): Promise<void>;
}

interface Answer {
  status: number;
  body: object;
}

function execute(world: StripeWorld, { operation, form }: Asked): Answer {
  try {
    return { status: 200, body: world.answer(operation, form) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { status: error.status, body: { error: error.error } };
  }
}

/** https://docs.stripe.com/api/idempotent_requests */
function onceOnly(
  known: Map<string, { form: string; answer: Answer }>,
  asked: Asked,
  work: () => Answer,
): Answer {
  const key = asked.headers['idempotency-key'];
  if (typeof key !== 'string') return work();
  const form = JSON.stringify([asked.operation, asked.form]);
  const before = known.get(key);
  if (before && before.form !== form)
    return { status: 400, body: { error: { type: 'idempotency_error', message: 'Other parameters' } } };
  const answer = before?.answer ?? work();
  known.set(key, { form, answer });
  return answer;
}

const operationOf = ({ method, url }: IncomingMessage) => {
  const { pathname, search } = new URL(url ?? '', 'http://stripe');
  return { operation: `${method} ${pathname}`, query: search.slice(1) };
};

/** Ids as `:id`, so that trouble can be asked for. */
const general = (operation: string) => operation.replace(/\/(?:cus|sub|pm|in|si)_\w+/, '/:id');

function write(response: ServerResponse, { status, body }: Answer, headers = {}): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': `req_${randomUUID().slice(0, 8)}`,
    ...headers,
  });
  response.end(JSON.stringify(body));
}

const unauthorized: Answer = {
  status: 401,
  body: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_***kspace' } },
};

export async function startStripe(): Promise<StripeServer> {
  const world = new StripeWorld();
  const asked: Asked[] = [];
  const troubles: Trouble[] = [];
  const answers = new Map<string, { form: string; answer: Answer }>();
  const take = (operation: string) => {
    const found = troubles.findIndex(({ on }) => on === general(operation));
    return found < 0 ? undefined : troubles.splice(found, 1)[0];
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { operation, query } = operationOf(request);
    const form = parseForm((await text(request)) || query);
    const each: Asked = { operation, form, headers: request.headers };
    asked.push(each);
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`) return write(response, unauthorized);
    const trouble = take(operation);
    if (trouble?.done) onceOnly(answers, each, () => execute(world, each));
    if (trouble?.breaks === 'silent') return;
    if (trouble?.breaks === 'closed') return void request.socket.destroy();
    if (trouble?.status !== undefined) {
      const error = { message: 'Trouble for 4242 of ada@acme.example', ...trouble.error };
      return write(response, { status: trouble.status, body: { error } }, trouble.headers);
    }
    write(
      response,
      onceOnly(answers, each, () => execute(world, each)),
    );
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  return {
    world,
    asked,
    troubles,
    config: {
      provider: 'stripe',
      secret_key: SECRET_KEY,
      publishable_key: 'pk_test_workspace',
      price: 'price_team',
      trial_days: 14,
      webhook_secret: WEBHOOK_SECRET,
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    event: (type, object, at = new Date(), secret = WEBHOOK_SECRET) => {
      const id = `evt_${randomUUID().replaceAll('-', '')}`;
      const body = JSON.stringify({ id, object: 'event', type, data: { object }, livemode: false }, null, 2);
      const timestamp = Math.floor(at.getTime() / 1_000);
      const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
      return {
        body,
        headers: [
          ['Content-Type', 'application/json; charset=utf-8'],
          ['Accept', '*/*; q=0.5, application/xml'],
          ['Stripe-Signature', signature],
        ],
      };
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
