import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LanguageModel, ModelRequest } from '#shared/providers/assistant/model.ts';
import { modelOf } from '#shared/providers/assistant/models.ts';
import { type ModelServer, startModelServer } from '../../support/model-server.ts';

/** The wire format of OpenAI's API: requests, and the differences between servers. */

const asking: ModelRequest = {
  system: 'You answer.',
  turns: [{ role: 'user', text: 'Who?' }],
  tools: [],
  max_tokens: 500,
  timeout_ms: 20_000,
};

let server: ModelServer;
let model: LanguageModel;
beforeEach(async () => {
  server = await startModelServer([], 'the-key');
  model = modelOf({ assistant: server.config('openai') }) as LanguageModel;
});
afterEach(() => server.stop());

/** Server-sent events of these data, as one body. */
function stream(...data: unknown[]) {
  const lines = data.map((each) => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`);
  server.script.push({ content_type: 'text/event-stream; charset=utf-8', body: lines.join('') });
}

const delta = (piece: object, finish_reason?: string) => ({ choices: [{ delta: piece, finish_reason }] });
const call = (piece: object) => delta({ tool_calls: [piece] });

describe('a request', () => {
  it('is the conversation, with its tools and the key', async () => {
    server.script.push({ text: 'Well.' });
    const input = { type: 'object', properties: {} };
    await model.complete({
      ...asking,
      turns: [
        { role: 'user', text: 'Which pier?' },
        {
          role: 'assistant',
          text: 'I look.',
          tool_calls: [
            { id: 'a1', name: 'search', input: { query: 'pier' } },
            { id: 'b2', name: 'search', input: '{"qu', malformed: true },
          ],
        },
        {
          role: 'tools',
          results: [
            { id: 'a1', content: 'Pier 4', failed: false },
            { id: 'b2', content: 'no JSON object', failed: true },
          ],
        },
        { role: 'assistant', text: 'Pier 4.', tool_calls: [] },
        { role: 'user', text: 'Sure?' },
      ],
      tools: [{ name: 'search', description: 'Finds', input }],
    });
    const { headers, body } = server.requests[0] as ModelServer['requests'][0];
    expect(headers.authorization).toBe('Bearer the-key');
    const called = (id: string, text: string) => ({
      id,
      type: 'function',
      function: { name: 'search', arguments: text },
    });
    expect(body).toEqual({
      model: 'scripted-model',
      messages: [
        { role: 'system', content: 'You answer.' },
        { role: 'user', content: 'Which pier?' },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [called('a1', '{"query":"pier"}'), called('b2', '{}')],
        },
        { role: 'tool', tool_call_id: 'a1', content: 'Pier 4' },
        { role: 'tool', tool_call_id: 'b2', content: 'Error: no JSON object' },
        { role: 'assistant', content: 'Pier 4.' },
        { role: 'user', content: 'Sure?' },
      ],
      tools: [{ type: 'function', function: { name: 'search', description: 'Finds', parameters: input } }],
      max_tokens: 500,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('has neither tools nor system text nor key when there are none', async () => {
    const open = await startModelServer([{ text: 'Well.' }]);
    const config = { ...open.config('openai'), url: `${open.url}/v1/` };
    await modelOf({ assistant: config })?.complete({ ...asking, system: '' });
    await open.stop();
    const { headers, body } = open.requests[0] as ModelServer['requests'][0];
    expect(headers.authorization).toBeUndefined();
    expect(body.messages).toEqual([{ role: 'user', content: 'Who?' }]);
    expect(body).not.toHaveProperty('tools');
  });

  it('is refused without the right key', async () => {
    const wrong = modelOf({ assistant: { ...server.config('openai'), api_key: 'another' } });
    await expect(wrong?.complete(asking)).rejects.toMatchObject({
      reason: 'misconfigured',
      message: 'scripted-model: HTTP 401 invalid_api_key scripted',
    });
  });

  it('has the newer name of max_tokens for models that require it, from then on', async () => {
    const error = { message: "Use 'max_completion_tokens' instead.", code: 'unsupported_parameter' };
    server.script.push(
      { status: 400, body: JSON.stringify({ error }) },
      { text: 'Ada.' },
      { text: 'Grace.' },
    );
    expect((await model.complete(asking)).text).toBe('Ada.');
    expect((await model.complete(asking)).text).toBe('Grace.');
    const limits = server.requests.map(({ body }) => [body.max_tokens, body.max_completion_tokens]);
    expect(limits).toEqual([
      [500, undefined],
      [undefined, 500],
      [undefined, 500],
    ]);
    server.script.push({ status: 400, body: JSON.stringify({ error }) });
    await expect(model.complete(asking)).rejects.toMatchObject({ reason: 'misconfigured' });
  });
});

describe('a response', () => {
  const text = 'Pier 4.';

  it('may be whole instead of a stream', async () => {
    const whole = {
      choices: [
        {
          message: {
            content: text,
            tool_calls: [{ id: 'a1', type: 'function', function: { name: 'search', arguments: '{"a":1}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 4 },
    };
    const answer = {
      text,
      tool_calls: [{ id: 'a1', name: 'search', input: { a: 1 } }],
      stop: 'tools',
      usage: { input_tokens: 3, output_tokens: 4 },
    };
    server.script.push({ content_type: 'application/json', body: JSON.stringify(whole) });
    expect(await model.complete(asking)).toEqual(answer);
    stream(whole, '[DONE]');
    expect(await model.complete(asking)).toEqual(answer);
  });

  it('may end without a reason or without [DONE], but not without both', async () => {
    stream(delta({ content: text }), '[DONE]');
    expect(await model.complete(asking)).toMatchObject({ text, stop: 'end' });
    stream(delta({ content: text }, 'stop'));
    expect(await model.complete(asking)).toMatchObject({ text, stop: 'end' });
    stream(delta({ content: text }));
    await expect(model.complete(asking)).rejects.toMatchObject({ reason: 'unavailable' });
    stream();
    await expect(model.complete(asking)).rejects.toMatchObject({ reason: 'unavailable' });
  });

  it('may have events of many lines, with other line ends and fields', async () => {
    const body =
      '\uFEFF: hello\r\n\r\nevent: chunk\r\nid: 1\r\ndata: {"choices":[{"delta":{"content":\r\ndata: "Pier"}}]}\r\n\r\n' +
      'data:{"choices":[{"delta":{"content":" 4."},"finish_reason":"stop"}]}\r\rdata: [DONE]\n\n';
    server.script.push({ content_type: 'text/event-stream', body });
    expect(await model.complete(asking)).toMatchObject({ text, stop: 'end' });
  });

  it('may call tools with "stop" as the reason, without ids, or with arguments that are no text', async () => {
    stream(
      call({ index: 0, function: { name: 'search', arguments: { a: 1 } } }),
      call({ index: 1, function: { name: 'search' } }),
      delta({}, 'stop'),
    );
    const { tool_calls, stop } = await model.complete(asking);
    expect(stop).toBe('tools');
    expect(tool_calls.map(({ input }) => input)).toEqual([{ a: 1 }, {}]);
    expect(tool_calls[0]?.id).toMatch(/^call_./);
    expect(tool_calls[0]?.id).not.toBe(tool_calls[1]?.id);
  });

  const first = { id: 'a1', function: { name: 'search', arguments: '{"a":' } };
  const second = { id: 'b2', function: { name: 'open', arguments: '{"b":' } };
  it.each([
    ['no index', {}, {}, {}],
    ['one index for all', { index: 0 }, { index: 0 }, {}],
    ['another id in each piece', { index: 0 }, { index: 1 }, { id: 'other' }],
  ])('may call tools with %s', async (_title, one, two, piece) => {
    stream(
      call({ ...one, ...first }),
      call({ ...one, ...piece, function: { arguments: '1}' } }),
      call({ ...two, ...second }),
      call({ ...two, ...piece, function: { arguments: '2}' } }),
      '[DONE]',
    );
    expect((await model.complete(asking)).tool_calls).toEqual([
      { id: 'a1', name: 'search', input: { a: 1 } },
      { id: 'b2', name: 'open', input: { b: 2 } },
    ]);
  });

  it('may interleave the parts of two calls', async () => {
    stream(
      delta({
        tool_calls: [
          { index: 0, ...first },
          { index: 1, ...second },
        ],
      }),
      call({ index: 1, function: { arguments: '2}' } }),
      call({ index: 0, function: { arguments: '1}' } }),
      '[DONE]',
    );
    const { tool_calls } = await model.complete(asking);
    expect(tool_calls.map(({ input }) => input)).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it.each([
    ['no JSON', 'Pier 4.'],
    ['half of it', '{"choices": [{"delta"'],
    ['another form', { choices: [{ delta: { content: 4 } }] }],
    ['a call without a name', call({ index: 0, id: 'a1', function: { arguments: '{}' } })],
  ])('is malformed with %s', async (_title, data) => {
    stream(data, '[DONE]');
    await expect(model.complete(asking)).rejects.toMatchObject({ reason: 'malformed' });
  });

  it.each(['text/event-stream', 'application/json'])(
    'is malformed when %s never ends',
    async (content_type) => {
      server.script.push({ content_type, body: `data: {"x": "${'x'.repeat(8_000_000)}` });
      await expect(model.complete(asking)).rejects.toMatchObject({
        reason: 'malformed',
        message: expect.stringContaining('more than'),
      });
    },
  );

  it.each([
    ['a status', { code: 429, message: 'slow down' }, 'throttled'],
    ['a status as text', { code: '502' }, 'unavailable'],
    ['words', { code: 'overloaded', type: 'server_error' }, 'unavailable'],
    ['a filter', { code: 'content_filter' }, 'refused'],
    ['text alone', 'out of memory', 'unavailable'],
  ])('fails within the stream by %s', async (_title, error, reason) => {
    stream(delta({ content: 'Pier' }), { error });
    await expect(model.complete(asking)).rejects.toMatchObject({ reason });
  });

  it('is refused by a filter before the text, or by the model in its own words', async () => {
    const error = { message: 'The prompt was filtered', code: 'content_filter', param: 'prompt' };
    server.script.push({ status: 400, body: JSON.stringify({ error }) });
    await expect(model.complete(asking)).rejects.toMatchObject({ reason: 'refused' });
    stream(delta({ refusal: 'I cannot help with that.' }), delta({}, 'stop'));
    await expect(model.complete(asking)).rejects.toMatchObject({ reason: 'refused' });
  });

  it('is misconfigured with a web page or a redirect, which is not followed', async () => {
    server.script.push({ content_type: 'text/html; charset=utf-8', body: '<html>' });
    await expect(model.complete(asking)).rejects.toMatchObject({ reason: 'misconfigured' });
    server.script.push({ status: 307, headers: { location: `${server.url}/v1/chat/completions` } });
    await expect(model.complete(asking)).rejects.toMatchObject({ reason: 'misconfigured' });
    expect(server.requests).toHaveLength(2);
  });

  it('fails by its status when its body is large, or has another form', async () => {
    server.script.push({ status: 503, body: 'x'.repeat(200_000), headers: { 'content-type': 'text/html' } });
    await expect(model.complete(asking)).rejects.toMatchObject({ reason: 'unavailable' });
    server.script.push({ status: 404, body: '{"detail": "Not Found"}' });
    await expect(model.complete(asking)).rejects.toMatchObject({ message: 'scripted-model: HTTP 404' });
  });
});
