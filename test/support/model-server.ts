import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { fromUtf8, toUtf8 } from '@smithy/core/serde';
import { type AssistantConfig, readAssistant } from '#shared/config.ts';

/**
 * A scripted server of a language model, in both wire formats: `POST /v1/chat/completions` of OpenAI's API, and `POST
 * /model/{id}/converse-stream` of Amazon Bedrock.
 */

export interface ScriptedCall {
  id?: string;
  name: string;
  /** As JSON; a string is sent unchanged, so that it can be invalid JSON. */
  input: unknown;
}

export interface ScriptedAnswer {
  text?: string;
  tool_calls?: ScriptedCall[];
  /** `end` or `tools`, by the calls, if not given. */
  stop?: 'length' | 'refused';
  /** Null: the server reports none. */
  usage?: { input_tokens: number; output_tokens: number } | null;
  /** Characters of text and arguments in each event; 7 if not given. */
  piece?: number;
  /** Bytes of each packet; all at once if not given. */
  packet?: number;
  /** The break before the end mark: the connection is closed, destroyed, or stays open silently. */
  breaks?: 'ends' | 'destroyed' | 'hangs';
}

/** An error response: status and headers, with the provider's body by default. */
export interface ScriptedFailure {
  status: number;
  headers?: Record<string, string>;
  /** The error name of Bedrock, or the code of OpenAI. */
  code?: string;
  body?: string;
}

/** The bytes to send unchanged. */
export interface ScriptedBody {
  content_type: string;
  body: string | Uint8Array;
}

export type Scripted = ScriptedAnswer | ScriptedFailure | ScriptedBody;

export type Step = Scripted | ((request: ModelServerRequest) => Scripted);

export type Wire = 'openai' | 'bedrock';

export interface ModelServerRequest {
  wire: Wire;
  path: string;
  headers: IncomingMessage['headers'];
  /** The JSON that was sent. */
  // biome-ignore lint/suspicious/noExplicitAny: two APIs with bodies of many shapes
  body: any;
}

export interface ModelServer {
  url: string;
  /** All requests that the script handled, in order. */
  requests: ModelServerRequest[];
  /** The remaining steps; more can be added. When it is empty the server returns 500. */
  script: Step[];
  /** The variables that make a service use this server, as `readConfig` reads them. */
  env(wire: Wire): Record<string, string>;
  config(wire: Wire): AssistantConfig;
  stop(): Promise<void>;
}

const MODEL = 'scripted-model';

/** With a `key`, requests in OpenAI's format without it get 401. */
export async function startModelServer(script: Step[] = [], key?: string): Promise<ModelServer> {
  const requests: ModelServerRequest[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = JSON.parse((await text(request)) || 'null');
    const path = decodeURIComponent(request.url ?? '');
    const wire = wireOf(request.method, path);
    if (!wire) return fail(response, 'openai', { status: 404 });
    if (wire === 'openai' && key && request.headers.authorization !== `Bearer ${key}`)
      return fail(response, wire, { status: 401, code: 'invalid_api_key' });
    const asked = { wire, path, headers: request.headers, body };
    requests.push(asked);
    const step = script.shift() ?? { status: 500, code: 'script_is_over' };
    const scripted = typeof step === 'function' ? step(asked) : step;
    if ('status' in scripted) return fail(response, wire, scripted);
    if ('body' in scripted) {
      response.writeHead(200, { 'content-type': scripted.content_type }).end(scripted.body);
      return undefined;
    }
    return stream(response, wire, scripted);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = (wire: Wire) => ({
    ASSISTANT_PROVIDER: wire,
    ASSISTANT_MODEL: MODEL,
    ASSISTANT_URL: wire === 'openai' ? `${url}/v1` : url,
    ...(wire === 'openai' && key ? { ASSISTANT_API_KEY: key } : {}),
  });
  return {
    url,
    requests,
    script,
    env,
    config: (wire) => readAssistant(env(wire)),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function wireOf(method: string | undefined, path: string): Wire | undefined {
  if (method !== 'POST') return undefined;
  if (path === '/v1/chat/completions') return 'openai';
  return path === `/model/${MODEL}/converse-stream` ? 'bedrock' : undefined;
}

async function fail(response: ServerResponse, wire: Wire, failure: ScriptedFailure): Promise<void> {
  const { status, headers = {}, code = '', body } = failure;
  const own =
    wire === 'openai'
      ? { error: { message: 'It was told to fail.', type: 'scripted', param: null, code } }
      : { message: 'It was told to fail.' };
  const named = wire === 'bedrock' ? { 'x-amzn-errortype': code } : {};
  response.writeHead(status, { 'content-type': 'application/json', ...named, ...headers });
  response.end(body ?? JSON.stringify(own));
}

async function stream(response: ServerResponse, wire: Wire, answer: ScriptedAnswer): Promise<void> {
  const { packet, breaks } = answer;
  const { before, end } = wire === 'openai' ? openAiStream(answer) : bedrockStream(answer);
  const type = wire === 'openai' ? 'text/event-stream' : 'application/vnd.amazon.eventstream';
  response.writeHead(200, { 'content-type': type });
  const bytes = Buffer.concat(breaks ? before : [...before, ...end]);
  const size = packet ?? bytes.length;
  for (let at = 0; at < bytes.length; at += size) {
    await new Promise((done) => response.write(bytes.subarray(at, at + size), done));
    // One packet is read before the next is there.
    if (packet) await new Promise((done) => setImmediate(done));
  }
  if (breaks === 'hangs') return;
  if (breaks === 'destroyed') response.destroy();
  else response.end();
}

/** The bytes of a stream up to its end mark, and the rest. */
interface Events {
  before: Buffer[];
  end: Buffer[];
}

function pieces(text: string, size = 7): string[] {
  const characters = [...text];
  const count = Math.ceil(characters.length / size);
  return Array.from({ length: count }, (_, i) => characters.slice(i * size, (i + 1) * size).join(''));
}

const inputText = ({ input }: ScriptedCall) => (typeof input === 'string' ? input : JSON.stringify(input));
const callId = (call: ScriptedCall, i: number) => call.id ?? `call_${i + 1}`;
const USAGE = { input_tokens: 11, output_tokens: 7 };

function openAiStream({ text = '', tool_calls = [], stop, usage = USAGE, piece }: ScriptedAnswer): Events {
  const event = (data: object | string) =>
    Buffer.from(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  const chunk = (delta: object, finish_reason: string | null = null) =>
    event({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] });
  const reasons = { length: 'length', refused: 'content_filter' };
  const reason = stop ? reasons[stop] : tool_calls.length > 0 ? 'tool_calls' : 'stop';
  return {
    before: [
      chunk({ role: 'assistant', content: '' }),
      Buffer.from(': still here\n\n'),
      ...pieces(text, piece).map((content) => chunk({ content })),
      ...tool_calls.flatMap((call, index) => {
        const { name } = call;
        const first = { index, id: callId(call, index), type: 'function', function: { name, arguments: '' } };
        const more = pieces(inputText(call), piece).map((part) => ({ index, function: { arguments: part } }));
        return [first, ...more].map((each) => chunk({ tool_calls: [each] }));
      }),
    ],
    end: [
      chunk({}, reason),
      ...(usage
        ? [
            event({
              choices: [],
              usage: { prompt_tokens: usage.input_tokens, completion_tokens: usage.output_tokens },
            }),
          ]
        : []),
      event('[DONE]'),
    ],
  };
}

const codec = new EventStreamCodec(toUtf8, fromUtf8);

/** A message of https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html, as in all of AWS. */
function message(kind: 'event' | 'exception', type: string, body: object): Buffer {
  const header = (value: string) => ({ type: 'string' as const, value });
  const headers = {
    [`:${kind}-type`]: header(type),
    ':content-type': header('application/json'),
    ':message-type': header(kind),
  };
  return Buffer.from(codec.encode({ headers, body: fromUtf8(JSON.stringify(body)) }));
}

/** The body of a stream in Bedrock's format that begins and then fails with `type`. */
export function bedrockException(type: string): ScriptedBody {
  const start = message('event', 'messageStart', { role: 'assistant' });
  const failure = message('exception', type, { message: 'It was told to fail.' });
  return { content_type: 'application/vnd.amazon.eventstream', body: Buffer.concat([start, failure]) };
}

function bedrockStream({ text = '', tool_calls = [], stop, usage = USAGE, piece }: ScriptedAnswer): Events {
  const event = (type: string, body: object) => message('event', type, body);
  const block = (contentBlockIndex: number, start: object | undefined, deltas: object[]) => [
    ...(start ? [event('contentBlockStart', { contentBlockIndex, start })] : []),
    ...deltas.map((delta) => event('contentBlockDelta', { contentBlockIndex, delta })),
    event('contentBlockStop', { contentBlockIndex }),
  ];
  const texts = text === '' ? 0 : 1;
  const reasons = { length: 'max_tokens', refused: 'guardrail_intervened' };
  const stopReason = stop ? reasons[stop] : tool_calls.length > 0 ? 'tool_use' : 'end_turn';
  return {
    before: [
      event('messageStart', { role: 'assistant' }),
      ...(texts
        ? block(
            0,
            undefined,
            pieces(text, piece).map((part) => ({ text: part })),
          )
        : []),
      ...tool_calls.flatMap((call, i) =>
        block(
          texts + i,
          { toolUse: { toolUseId: callId(call, i), name: call.name } },
          pieces(inputText(call), piece).map((input) => ({ toolUse: { input } })),
        ),
      ),
    ],
    end: [
      event('messageStop', { stopReason }),
      ...(usage
        ? [
            event('metadata', {
              usage: {
                inputTokens: usage.input_tokens,
                outputTokens: usage.output_tokens,
                totalTokens: usage.input_tokens + usage.output_tokens,
              },
              metrics: { latencyMs: 5 },
            }),
          ]
        : []),
    ],
  };
}
