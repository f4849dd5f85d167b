import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ThreadText } from '#shared/domain/assistant/answering/assistant.ts';
import type { LanguageModel } from '#shared/providers/assistant/model.ts';
import { modelOf } from '#shared/providers/assistant/models.ts';
import { assistantWith } from '#shared/providers/assistant/with-model.ts';
import { soon } from '../../../support/assistant-tools.ts';
import { bytesHeard, heardBy, splitData } from '../../../support/model-heard.ts';
import {
  type ModelServer,
  type ModelServerRequest,
  type ScriptedAnswer,
  startModelServer,
} from '../../../support/model-server.ts';

/** Summaries of threads by a language model. */

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.stop());

const thread: ThreadText = {
  subject: 'Pier 4: offer',
  messages: [
    { from: 'Ada Byron', sent_at: '2026-11-18T08:00:00.000Z', text: 'Can you send an offer?' },
    { from: 'Grace Hopper', sent_at: '2026-11-19T08:00:00.000Z', text: 'Here it is: 1,200 a day.' },
  ],
};

function summarize(answer: ScriptedAnswer | string, of = thread, instructions: string | null = null) {
  server.script.push(typeof answer === 'string' ? { text: answer } : answer);
  const model = modelOf({ assistant: server.config('openai') }) as LanguageModel;
  return assistantWith(model).summarize(of, instructions, soon());
}

const request = () => server.requests.at(-1) as ModelServerRequest;

it('takes one call, with the thread and without tools', async () => {
  await summarize('Ada wants an offer.');
  expect(server.requests).toHaveLength(1);
  expect(request().body).not.toHaveProperty('tools');
  expect(heardBy(request()).said).toHaveLength(1);
  expect(JSON.parse(splitData(heardBy(request())).data[0] ?? '')).toEqual(thread);
});

it('takes the first line for the headline and the rest for the summary, and returns its usage', async () => {
  const text = '\nAda wants an offer for Pier 4.\n\nShe asked on 18 November.\nGrace sent it a day later.\n';
  expect(await summarize({ text, usage: { input_tokens: 210, output_tokens: 33 } })).toEqual({
    headline: 'Ada wants an offer for Pier 4.',
    summary: 'She asked on 18 November.\nGrace sent it a day later.',
    usage: { input_tokens: 210, output_tokens: 33 },
  });
});

it('takes a single line for both', async () => {
  const said = 'Ada wants an offer.';
  expect(await summarize(said)).toMatchObject({ headline: said, summary: said });
});

it.each([
  ['# Ada wants an offer\n\nShe **asked** for `Pier 4`.', 'Ada wants an offer', 'She asked for Pier 4.'],
  ['**Ada wants an offer**\n\n* __asked__\n* open', 'Ada wants an offer', '* asked\n* open'],
  ['**Headline:** Ada wants an offer\n\n**Summary:** She asked.', 'Ada wants an offer', 'She asked.'],
  ['```\nAda wants an offer\n\nShe asked.\n```', 'Ada wants an offer', 'She asked.'],
  ['---\n- Ada wants an offer\n---\nShe asked.', 'Ada wants an offer', 'She asked.'],
  ['2 * 3 and 4 * 5, snake_case\n\n5 > 4', '2 * 3 and 4 * 5, snake_case', '5 > 4'],
])('leaves out the marks of Markdown: %j', async (text, headline, summary) => {
  expect(await summarize(text)).toMatchObject({ headline, summary });
});

it.each(['', ' \n ', '***', '```\n```', '# **'])('fails the try without text: %j', async (text) => {
  await expect(summarize(text)).rejects.toMatchObject({ name: 'ModelFailed', reason: 'malformed' });
});

it('truncates long texts between characters', async () => {
  const { headline, summary } = await summarize({
    text: `${'👩'.repeat(300)}\n\n${'a👩'.repeat(150_000)}`,
    piece: 9_999,
  });
  expect(headline).toMatch(/^(👩){99}…$/u);
  expect(summary.length).toBeLessThanOrEqual(2_000);
  expect(summary.length).toBeGreaterThan(1_997);
  expect(summary).toMatch(/^(a👩)+a?…$/u);
});

it('shows where a summary was cut off', async () => {
  const { headline, summary } = await summarize({ text: 'Ada wants an offer.\n\nShe asked', stop: 'length' });
  expect([headline, summary]).toEqual(['Ada wants an offer.', 'She asked…']);
});

it('passes on the instructions of the team, in the system prompt', async () => {
  await summarize('Well.', thread, 'Name the prices.');
  await summarize('Well.', thread, null);
  const [with_, without] = server.requests.map((each) => heardBy(each).system);
  expect(with_).toContain('\nThe team wants: Name the prices.');
  expect(without).not.toContain('The team wants');
});

describe('a long thread', () => {
  const long = (messages: number, text: string): ThreadText => ({
    subject: text.slice(0, 5_000),
    messages: Array.from({ length: messages }, (_, i) => ({
      from: `Sender ${i} ${text.slice(0, 5_000)}`,
      sent_at: '2026-11-18T08:00:00.000Z',
      text: `Message ${i}: ${text}`,
    })),
  });

  it('is sent as the beginnings of its newest messages', async () => {
    await summarize('Well.', long(40, 'long '.repeat(10_000)));
    const { messages } = JSON.parse(splitData(heardBy(request())).data[0] ?? '');
    expect(messages.map(({ text }: { text: string }) => text.slice(0, 10))).toEqual(
      Array.from({ length: 12 }, (_, i) => `Message ${i + 28}`),
    );
    expect(messages.map(({ text }: { text: string }) => Buffer.byteLength(text))).toEqual(
      Array(12).fill(2_000),
    );
  });

  it.each([
    ['letters', 'a'.repeat(200_000)],
    ['what has to be escaped', '<"\n'.repeat(70_000)],
    ['long characters', '漢👩'.repeat(30_000)],
  ])('of %s is bounded', async (_, text) => {
    await summarize('Well.', long(60, text));
    expect(bytesHeard(request())).toBeLessThan(40_000);
  });

  it('may have no messages and no subject', async () => {
    await summarize('Nothing was said.', { subject: null, messages: [] });
    expect(JSON.parse(splitData(heardBy(request())).data[0] ?? '')).toEqual({ subject: null, messages: [] });
  });
});

it('fails as the provider does, and when there is no time', async () => {
  server.script.push({ status: 429 });
  const model = modelOf({ assistant: server.config('openai') }) as LanguageModel;
  await expect(assistantWith(model).summarize(thread, null, soon())).rejects.toMatchObject({
    reason: 'throttled',
  });
  const late = assistantWith(model).summarize(thread, null, Date.now());
  await expect(late).rejects.toMatchObject({ reason: 'timed_out' });
  expect(server.requests).toHaveLength(1);
});
