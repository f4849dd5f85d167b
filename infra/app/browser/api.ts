import type { Client } from '#shared/api/client.ts';
import type { families } from '../../../functions/catalogue.ts';
import { readKey } from './key.ts';
import { showProblem } from './messages.ts';

/** Calls of the public API, with the types of its catalogue. */

type Api = Omit<Client<typeof families>, 'subscribe'>;
/** The body of the response of an operation. */
export type Body<Name extends keyof Api> = Awaited<ReturnType<Api[Name]>>['body'];

/** Where the API is: the part of this address before /app. */
const base = location.origin + location.pathname.replace(/\/app$/, '');

/** A response of 400 or more. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** There was no response. */
export class Unreachable extends Error {}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
type Sent = Record<string, unknown>;

const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

async function send(url: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(url, options);
  } catch {
    throw new Unreachable('The service cannot be reached.');
  }
}

/** Waits as long as a 429 says, and asks again: it did nothing. */
async function sendPatiently(url: string, options: RequestInit): Promise<Response> {
  for (;;) {
    const response = await send(url, options);
    if (response.status !== 429) return response;
    const seconds = Number(response.headers.get('Retry-After')) || 5;
    showProblem(`Too many requests. Trying again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`);
    await wait(seconds);
    showProblem('');
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  const { error } = await response.json().catch(() => ({}));
  const fields = Object.entries<{ message: string }>(error?.fields ?? {});
  const bad = fields.map(([name, { message }]) => `${name} ${message}`).join('; ');
  const message = error?.message ?? `The service answered with ${response.status}.`;
  return new Refusal(response.status, error?.code ?? 'error', bad ? `${message} ${bad}.` : message);
}

/** Parameters of a GET, or the body of others. Throws Refusal and Unreachable. */
export async function call<Name extends keyof Api>(
  method: Method,
  path: string,
  sent: Sent = {},
): Promise<Body<Name>> {
  const url = new URL(base + path);
  const headers: Record<string, string> = { Authorization: `Bearer ${readKey() ?? ''}` };
  const options: RequestInit = { method, headers, cache: 'no-store', credentials: 'omit' };
  if (method === 'GET')
    for (const [name, value] of Object.entries(sent))
      if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  if (method !== 'GET' && Object.keys(sent).length > 0) {
    headers['Content-Type'] = 'application/json';
    options.body = JSON.stringify(sent);
  }
  const response = await sendPatiently(url.href, options);
  if (!response.ok) throw await refusalOf(response);
  return (response.status === 204 ? null : await response.json()) as Body<Name>;
}
