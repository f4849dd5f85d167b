import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readAssistant } from '#shared/config.ts';
import { isTransient, ModelFailed } from '#shared/domain/assistant/answering/failure.ts';
import type { LanguageModel, ModelRequest, ModelTool, Turn } from '#shared/providers/assistant/model.ts';
import { modelOf } from '#shared/providers/assistant/models.ts';
import {
  type ModelServer,
  type Scripted,
  type ScriptedAnswer,
  startModelServer,
  type Wire,
} from '../../support/model-server.ts';

/** The common behaviour of both adapters, over real HTTP. */

const search: ModelTool = {
  name: 'search_threads',
  description: 'Finds threads',
  input: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};
const asking = (change: Partial<ModelRequest> = {}): ModelRequest => ({
  system: 'You answer.',
  turns: [{ role: 'user', text: 'Who?' }],
  tools: [search],
  max_tokens: 500,
  timeout_ms: 20_000,
  ...change,
});

async function failureOf(call: Promise<unknown>): Promise<ModelFailed> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelFailed);
  return error as ModelFailed;
}

describe.each<Wire>(['openai', 'bedrock'])('a model by %s', (wire) => {
  let server: ModelServer;
  let model: LanguageModel;
  const script = (...steps: Scripted[]) => server.script.push(...steps);
  beforeEach(async () => {
    server = await startModelServer();
    model = modelOf({ assistant: server.config(wire) }) as LanguageModel;
  });
  afterEach(() => server.stop());

  it('returns text and usage', async () => {
    script({ text: 'Ada Lovelace wrote it.', usage: { input_tokens: 31, output_tokens: 6 } });
    expect(await model.complete(asking())).toEqual({
      text: 'Ada Lovelace wrote it.',
      tool_calls: [],
      stop: 'end',
      usage: { input_tokens: 31, output_tokens: 6 },
    });
    expect(server.requests).toHaveLength(1);
  });

  it.each([1, 2, 3, 5, 17])('reads packets of %i bytes, which split characters', async (packet) => {
    const text = 'Grüße aus 東京 🚢⚓️ – “fertig”\n\nund data: [DONE]';
    const input = { query: 'Größe 🚢' };
    script({ text, tool_calls: [{ name: 'search_threads', input }], packet, piece: 3 });
    const answer = await model.complete(asking());
    expect(answer).toMatchObject({ text, tool_calls: [{ input }], stop: 'tools' });
  });

  it('calls several tools at once', async () => {
    const tool_calls = [
      { id: 'a1', name: 'search_threads', input: { query: 'pier' } },
      { id: 'b2', name: 'search_threads', input: { query: 'x'.repeat(3_000), deep: [{ a: null }] } },
      { id: 'c3', name: 'search_threads', input: '' },
    ];
    script({ text: 'I look.', tool_calls });
    expect(await model.complete(asking())).toMatchObject({
      text: 'I look.',
      tool_calls: [tool_calls[0], tool_calls[1], { ...tool_calls[2], input: {} }],
      stop: 'tools',
    });
  });

  it.each(['{"query": "pi', '[1]', '"pier"', 'null', 'pier'])('marks the arguments %s', async (input) => {
    script({ tool_calls: [{ id: 'a1', name: 'search_threads', input }] });
    const { tool_calls } = await model.complete(asking());
    expect(tool_calls).toEqual([{ id: 'a1', name: 'search_threads', input, malformed: true }]);
  });

  it('reports that it was cut off at its length', async () => {
    script({ text: 'Ada', stop: 'length' });
    expect(await model.complete(asking())).toMatchObject({ text: 'Ada', stop: 'length' });
    script({ tool_calls: [{ name: 'search_threads', input: '{"qu' }], stop: 'length' });
    expect(await model.complete(asking())).toMatchObject({
      tool_calls: [{ malformed: true }],
      stop: 'length',
    });
  });

  it('may return no text and no usage', async () => {
    script({ usage: null });
    const usage = { input_tokens: 0, output_tokens: 0 };
    expect(await model.complete(asking())).toEqual({ text: '', tool_calls: [], stop: 'end', usage });
  });

  it.each<NonNullable<ScriptedAnswer['breaks']>>(['ends', 'destroyed'])(
    'is unavailable when its stream %s before the end mark',
    async (breaks) => {
      script({ text: 'Ada Lovelace wrote', breaks });
      expect((await failureOf(model.complete(asking()))).reason).toBe('unavailable');
    },
  );

  it('times out before the whole answer', async () => {
    script({ text: 'Ada Lovelace wrote', breaks: 'hangs' });
    expect((await failureOf(model.complete(asking({ timeout_ms: 300 })))).reason).toBe('timed_out');
    expect((await failureOf(model.complete(asking({ timeout_ms: 0 })))).reason).toBe('timed_out');
    expect((await failureOf(model.complete(asking({ timeout_ms: -5 })))).reason).toBe('timed_out');
  });

  it('returns at most 1 MB', async () => {
    const input = { query: 'y'.repeat(300_000) };
    const large = (text: string) => ({
      text,
      tool_calls: [{ name: 'search_threads', input }],
      piece: 50_000,
    });
    script(large('x'.repeat(690_000)));
    expect((await model.complete(asking())).text).toHaveLength(690_000);
    script(large('x'.repeat(710_000)));
    expect((await failureOf(model.complete(asking()))).reason).toBe('malformed');
    // Characters of three bytes.
    script({ text: '東'.repeat(340_000), piece: 50_000 });
    expect((await failureOf(model.complete(asking()))).reason).toBe('malformed');
  });

  it('refuses what its filters stop', async () => {
    script({ text: 'Well', stop: 'refused' });
    expect((await failureOf(model.complete(asking()))).reason).toBe('refused');
  });

  it.each([
    [429, 'ThrottlingException', 'throttled'],
    [500, 'InternalServerException', 'unavailable'],
    [502, '', 'unavailable'],
    [503, 'ServiceUnavailableException', 'unavailable'],
    [408, 'ModelTimeoutException', 'unavailable'],
    [400, 'ValidationException', 'misconfigured'],
    [401, 'UnrecognizedClientException', 'misconfigured'],
    [403, 'AccessDeniedException', 'misconfigured'],
    [404, 'ResourceNotFoundException', 'misconfigured'],
  ])('fails for %i %s: %s, after one try', async (status, code, reason) => {
    script({ status, code }, { text: 'never asked for' });
    expect((await failureOf(model.complete(asking()))).reason).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  it('says when to try again, in seconds or by a date', async () => {
    const code = 'ThrottlingException';
    script({ status: 429, code, headers: { 'retry-after': '17' } });
    expect((await failureOf(model.complete(asking()))).retry_after).toBe(17);
    const date = new Date(Date.now() + 60_000).toUTCString();
    script({ status: 429, code, headers: { 'retry-after': date } });
    const seconds = (await failureOf(model.complete(asking()))).retry_after;
    expect(seconds).toBeGreaterThan(20);
    expect(seconds).toBeLessThanOrEqual(60);
    script({ status: 429, code });
    expect((await failureOf(model.complete(asking()))).retry_after).toBeUndefined();
  });

  it('is misconfigured for an unknown model or path', async () => {
    const wrong = wire === 'openai' ? { url: `${server.url}/v2` } : { model: 'another' };
    const other = modelOf({ assistant: { ...server.config(wire), ...wrong } }) as LanguageModel;
    expect((await failureOf(other.complete(asking()))).reason).toBe('misconfigured');
    expect(server.requests).toHaveLength(0);
  });

  it('is unavailable when nobody listens', async () => {
    await server.stop();
    expect((await failureOf(model.complete(asking()))).reason).toBe('unavailable');
  });

  it('logs codes, and no words of the provider, which may quote the conversation', async () => {
    const body = JSON.stringify({
      message: 'Secret plan',
      error: { message: 'Secret plan', code: 'bad request!' },
    });
    script({ status: 400, body, code: 'ValidationException' });
    const { message } = await failureOf(model.complete(asking()));
    expect(message).toMatch(/^scripted-model: HTTP 400/);
    expect(message).not.toMatch(/Secret|bad request!/);
  });

  it('continues a conversation with the results of its tools', async () => {
    const first: Turn[] = [{ role: 'user', text: 'Which pier?' }];
    script({ text: '', tool_calls: [{ id: 'a1', name: 'search_threads', input: { query: 'pier' } }] });
    const asked = await model.complete(asking({ turns: first }));
    script({ text: 'Pier 4.' });
    const turns: Turn[] = [
      ...first,
      { role: 'assistant', ...asked },
      { role: 'tools', results: [{ id: 'a1', content: 'Pier 4 is free', failed: false }] },
    ];
    expect((await model.complete(asking({ turns }))).text).toBe('Pier 4.');
    expect(JSON.stringify(server.requests[1]?.body)).toContain('Pier 4 is free');
  });
});

describe('modelOf', () => {
  const config = (env: Record<string, string>) => ({ assistant: readAssistant(env) });

  it.each(['built-in', 'none'])('is nothing for %s', (ASSISTANT_PROVIDER) => {
    expect(modelOf(config({ ASSISTANT_PROVIDER }))).toBeUndefined();
  });

  it('is the same each time, and has the name of the configuration', () => {
    const bedrock = config({ ASSISTANT_PROVIDER: 'bedrock', ASSISTANT_MODEL: 'eu.amazon.nova-lite-v1:0' });
    expect(modelOf(bedrock)).toBe(modelOf(bedrock));
    expect(modelOf(bedrock)?.name).toBe('eu.amazon.nova-lite-v1:0');
  });

  it('refuses an impossible configuration', () => {
    expect(() => modelOf(config({ ASSISTANT_PROVIDER: 'bedrock' }))).toThrow(
      expect.objectContaining({
        reason: 'misconfigured',
        message: expect.stringContaining('ASSISTANT_MODEL'),
      }),
    );
  });
});

it('retries only failures that may pass', () => {
  const reasons = ['throttled', 'unavailable', 'timed_out', 'malformed', 'refused', 'misconfigured'] as const;
  expect(reasons.filter((reason) => isTransient(new ModelFailed(reason, '')))).toEqual(reasons.slice(0, 4));
});
