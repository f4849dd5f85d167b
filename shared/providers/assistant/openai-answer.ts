import { EventSourceParserStream, ParseError } from 'eventsource-parser/stream';
import * as z from 'zod';
import { ModelFailed } from '#shared/domain/assistant/answering/failure.ts';
import { httpFailure } from './failures.ts';
import type { ModelAnswer } from './model.ts';
import { StreamedAnswer } from './streamed-answer.ts';

/** Reads the responses of servers with OpenAI's API, streamed or not. */

const callPiece = z.object({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z
    .object({
      name: z.string().nullish(),
      arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
    })
    .nullish(),
});

const messagePiece = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  tool_calls: z.array(callPiece).nullish(),
});

const errorBody = z.object({
  code: z.union([z.string(), z.number()]).nullish(),
  type: z.string().nullish(),
  param: z.string().nullish(),
});

/** A piece of a stream, or a whole response: `message` in place of `delta`. */
const piece = z.object({
  choices: z
    .array(
      z.object({
        delta: messagePiece.nullish(),
        message: messagePiece.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
  error: z.union([errorBody, z.string()]).nullish(),
});

type Piece = z.infer<typeof piece>;
type CallPiece = z.infer<typeof callPiece>;

/** Characters of an error, and of one event or a whole response: 1 MB of text may be six when escaped. */
const MAX_ERROR = 64_000;
const MAX_EVENT = 6_500_000;

export async function readAnswer(model: string, response: Response): Promise<ModelAnswer> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('text/html')) {
    await response.body?.cancel();
    throw new ModelFailed('misconfigured', `${model}: a web page answers at this address`);
  }
  const answer = new StreamedAnswer(model);
  if (type.startsWith('application/json')) {
    const text = await readText(response, MAX_EVENT);
    if (text.length > MAX_EVENT) throw tooLarge(model);
    addPiece(model, answer, readPiece(model, text));
    return answer.whole();
  }
  for await (const data of events(model, response)) {
    if (data === '[DONE]') {
      answer.stop ??= 'end';
      break;
    }
    addPiece(model, answer, readPiece(model, data));
  }
  return answer.whole();
}

/** The meaning of a response with an error status, and its text. */
export async function readFailure(
  model: string,
  response: Response,
): Promise<{ failure: ModelFailed; text: string }> {
  const text = await readText(response, MAX_ERROR);
  const { status, headers } = response;
  const failure = failureOf(model, errorIn(text), { status, retry_after: headers.get('retry-after') });
  return { failure, text };
}

const tooLarge = (model: string) =>
  new ModelFailed('malformed', `${model}: more than ${MAX_EVENT} characters at once`);

/** The data of server-sent events. */
async function* events(model: string, { body }: Response): AsyncGenerator<string> {
  if (!body) return;
  const parser = new EventSourceParserStream({ maxBufferSize: MAX_EVENT });
  try {
    for await (const { data } of body.pipeThrough(new TextDecoderStream()).pipeThrough(parser)) yield data;
  } catch (error) {
    throw error instanceof ParseError ? tooLarge(model) : error;
  }
}

/** Of a larger body, a little more than `max` characters. */
async function readText({ body }: Response, max: number): Promise<string> {
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.length > max) break;
  }
  return text;
}
function readPiece(model: string, text: string): Piece {
  try {
    return piece.parse(JSON.parse(text));
  } catch {
    // Without the cause, which would quote the answer.
    throw new ModelFailed('malformed', `${model}: not in the form of OpenAI's API`);
  }
}

function addPiece(model: string, answer: StreamedAnswer, { choices, usage, error }: Piece): void {
  if (error) throw failureOf(model, error, { status: statusIn(error) });
  const choice = choices?.[0];
  const message = choice?.delta ?? choice?.message;
  if (message?.refusal || choice?.finish_reason === 'content_filter')
    throw new ModelFailed('refused', `${model}: refused`);
  if (message?.content) answer.addText(message.content);
  for (const call of message?.tool_calls ?? []) addCallPiece(answer, call);
  if (choice?.finish_reason) answer.stop = choice.finish_reason === 'length' ? 'length' : 'end';
  if (usage) {
    answer.usage.input_tokens = usage.prompt_tokens ?? 0;
    answer.usage.output_tokens = usage.completion_tokens ?? 0;
  }
}

/**
 * Pieces of a call have its index, but some servers omit it, or give every call the same one: a piece with a name and
 * another id begins another call.
 */
function addCallPiece(answer: StreamedAnswer, { index, id, function: called }: CallPiece): void {
  const { name, arguments: input } = called ?? {};
  const position = index ?? (name ? answer.call_count : answer.call_count - 1);
  let call = answer.callAt(position);
  if (!call || (name && id && id !== call.id))
    call = answer.addCall(position, id || `call_${crypto.randomUUID()}`, name ?? '');
  if (input) answer.addInput(call, typeof input === 'string' ? input : JSON.stringify(input));
}

function errorIn(text: string): Piece['error'] {
  try {
    return piece.safeParse(JSON.parse(text)).data?.error;
  } catch {
    return undefined;
  }
}

/** The status of an error inside a stream: its code may be one. */
function statusIn(error: NonNullable<Piece['error']>): number {
  const status = Number(typeof error === 'object' && error.code);
  return status >= 400 && status < 600 ? status : 500;
}

function failureOf(
  model: string,
  error: Piece['error'],
  http: { status: number; retry_after?: string | null },
): ModelFailed {
  const { code, type, param } = typeof error === 'object' && error ? error : {};
  if (code === 'content_filter') return new ModelFailed('refused', `${model}: ${code}`);
  return httpFailure(model, { ...http, codes: [code, type, param] });
}
