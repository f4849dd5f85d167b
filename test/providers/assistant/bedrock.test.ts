import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LanguageModel, ModelRequest } from '#shared/providers/assistant/model.ts';
import { modelOf } from '#shared/providers/assistant/models.ts';
import { bedrockException, type ModelServer, startModelServer } from '../../support/model-server.ts';

/** The wire format of Amazon Bedrock: requests and failures. */

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
  server = await startModelServer();
  model = modelOf({ assistant: server.config('bedrock') }) as LanguageModel;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.stop();
});

it('sends the conversation with its tools, signed', async () => {
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
          { id: 'a1', name: 'search', input: { query: 'pier', deep: [1, null] } },
          { id: 'b2', name: 'search', input: '{"qu', malformed: true },
        ],
      },
      {
        role: 'tools',
        results: [
          { id: 'a1', content: '', failed: false },
          { id: 'b2', content: 'no JSON object', failed: true },
        ],
      },
    ],
    tools: [{ name: 'search', description: 'Finds', input }],
  });
  const { headers, body } = server.requests[0] as ModelServer['requests'][0];
  expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 .*\/us-east-1\/bedrock\//);
  const result = (toolUseId: string, text: string, status: string) => ({
    toolResult: { toolUseId, content: [{ text }], status },
  });
  expect(body).toEqual({
    system: [{ text: 'You answer.' }],
    messages: [
      { role: 'user', content: [{ text: 'Which pier?' }] },
      {
        role: 'assistant',
        content: [
          { text: 'I look.' },
          { toolUse: { toolUseId: 'a1', name: 'search', input: { query: 'pier', deep: [1, null] } } },
          { toolUse: { toolUseId: 'b2', name: 'search', input: {} } },
        ],
      },
      {
        role: 'user',
        content: [result('a1', '(empty)', 'success'), result('b2', 'no JSON object', 'error')],
      },
    ],
    inferenceConfig: { maxTokens: 500 },
    toolConfig: {
      tools: [{ toolSpec: { name: 'search', description: 'Finds', inputSchema: { json: input } } }],
    },
  });
});

it('sends no blank text, and alternates user and assistant', async () => {
  server.script.push({ text: 'Well.' });
  await model.complete({
    ...asking,
    system: '',
    turns: [
      { role: 'user', text: 'Who?' },
      { role: 'assistant', text: ' ', tool_calls: [] },
      { role: 'user', text: 'And when?' },
    ],
  });
  const { body } = server.requests[0] as ModelServer['requests'][0];
  expect(body).toEqual({
    messages: [{ role: 'user', content: [{ text: 'Who?' }, { text: 'And when?' }] }],
    inferenceConfig: { maxTokens: 500 },
  });
});

it.each([
  ['throttlingException', 'throttled'],
  ['internalServerException', 'unavailable'],
  ['modelStreamErrorException', 'unavailable'],
  ['serviceUnavailableException', 'unavailable'],
  ['validationException', 'misconfigured'],
  ['somethingNewException', 'unavailable'],
])('fails within the stream by %s: %s', async (type, reason) => {
  server.script.push(bedrockException(type));
  await expect(model.complete(asking)).rejects.toMatchObject({ reason });
});

it('is unavailable when an event is cut in the middle or damaged', async () => {
  const { body, content_type } = bedrockException('throttlingException');
  const bytes = Buffer.from(body);
  server.script.push({ content_type, body: bytes.subarray(0, bytes.length - 5) });
  await expect(model.complete(asking)).rejects.toMatchObject({ reason: 'unavailable' });
  server.script.push({ content_type, body: Buffer.concat([bytes.subarray(0, 20), Buffer.alloc(60)]) });
  await expect(model.complete(asking)).rejects.toMatchObject({ reason: 'unavailable' });
});

it('waits as long as Bedrock asks', async () => {
  server.script.push({ status: 503, code: 'ServiceUnavailableException', headers: { 'retry-after': '4' } });
  await expect(model.complete(asking)).rejects.toMatchObject({ reason: 'unavailable', retry_after: 4 });
});

it('is misconfigured without a region or credentials', async () => {
  const files = { AWS_CONFIG_FILE: '/nowhere', AWS_SHARED_CREDENTIALS_FILE: '/nowhere' };
  const none = {
    AWS_REGION: '',
    AWS_DEFAULT_REGION: '',
    AWS_ACCESS_KEY_ID: '',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  for (const [name, value] of Object.entries({ ...files, ...none })) vi.stubEnv(name, value || undefined);
  const config = { ...server.config('bedrock'), url: undefined };
  await expect(modelOf({ assistant: config })?.complete(asking)).rejects.toMatchObject({
    reason: 'misconfigured',
  });
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  await expect(modelOf({ assistant: { ...config } })?.complete(asking)).rejects.toMatchObject({
    reason: 'misconfigured',
  });
});
