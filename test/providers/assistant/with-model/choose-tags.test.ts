import { afterEach, beforeEach, expect, it } from 'vitest';
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

/** Tags of threads, chosen by a language model among the existing ones. */

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.stop());

const thread: ThreadText = {
  subject: 'Pier 4: offer',
  messages: [{ from: 'Ada Byron', sent_at: '2026-11-18T08:00:00.000Z', text: 'Can you send an offer?' }],
};

/** `id-1` is the first. */
const tagsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `id-${i + 1}`,
    name: `Name ${i + 1}`,
    description: i % 2 === 0 ? `What it is for ${i + 1}` : null,
  }));

function choose(
  answer: ScriptedAnswer | string,
  tags = tagsOf(40),
  instructions: string | null = null,
  of = thread,
) {
  server.script.push(typeof answer === 'string' ? { text: answer } : answer);
  const model = modelOf({ assistant: server.config('bedrock') }) as LanguageModel;
  return assistantWith(model).chooseTags(of, tags, instructions, soon());
}

const request = () => server.requests.at(-1) as ModelServerRequest;
const chosen = async (text: string) => (await choose(text)).tag_ids.map((id) => Number(id.slice(3)));

it('offers the tags by number with their descriptions, and the thread', async () => {
  const usage = { input_tokens: 310, output_tokens: 5 };
  expect(await choose({ text: 'tag-2', usage }, tagsOf(3))).toEqual({ tag_ids: ['id-2'], usage });
  const [tags, told] = splitData(heardBy(request())).data.map((each) => JSON.parse(each));
  expect(tags).toEqual({
    'tag-1': 'Name 1: What it is for 1',
    'tag-2': 'Name 2',
    'tag-3': 'Name 3: What it is for 3',
  });
  expect(told).toEqual(thread);
});

it.each([
  ['tag-3, tag-1', [3, 1]],
  ['TAG-3\ntag-1.', [3, 1]],
  ['**tag-3** (Name 3), **tag-1** (Name 1)', [3, 1]],
  ['1. tag-7 Billing\n2. tag-9 Legal', [7, 9]],
  ['In 2026 there were 12 invoices and 3 offers, due in 30 days: tag-5.', [5]],
  ['Tags 1 and 3', [1, 3]],
  ['Tags 1 and 3 fit best, because of the 2 invoices of 2026 and the 30 days.', [1, 3]],
  ['The best tags are: tag 4 and tag #8', [4, 8]],
  ['Tags: 1, 3 & 5', [1, 3, 5]],
  ['3, 1', [3, 1]],
  ['3', [3]],
  ['3\n1\n', [3, 1]],
  ['These fit:\n3, 1', [3, 1]],
])('reads %j', async (text, numbers) => {
  expect(await chosen(text)).toEqual(numbers);
});

it.each([
  'none',
  'None. The 3 messages of 2026 are about 12 cranes.',
  'None: tag-3 is only near it.',
  'No tag fits.',
  'In 2026 there were 12 invoices.',
  '12 invoices, 3 offers',
  'Due in 30 days.',
  'Name 3',
  'hashtag-3',
])('chooses nothing by %j', async (text) => {
  expect(await chosen(text)).toEqual([]);
});

it.each([
  ['numbers that were not offered', 'tag-0, tag-41, tag-2, tag-99999999999999999999, tag--1', [2]],
  ['repeated ones', 'tag-2, tag-2, tag-02, tag-1', [2, 1]],
  ['more than five', 'tag-1, tag-1, tag-2, tag-3, tag-4, tag-5, tag-6', [1, 2, 3, 4, 5]],
])('leaves out %s', async (_, text, numbers) => {
  expect(await chosen(text)).toEqual(numbers);
});

it.each(['', ' \n'])('fails the try without text: %j', async (text) => {
  await expect(choose(text)).rejects.toMatchObject({ name: 'ModelFailed', reason: 'malformed' });
});

it('reads the beginning of a megabyte', async () => {
  const text = `tag-3 ${'tag-1 2 and , '.repeat(60_000)}`;
  expect((await choose({ text, piece: 50_000 })).tag_ids).toEqual(['id-3', 'id-1']);
});

it('passes on the instructions of the team, in the system prompt', async () => {
  await choose('none', tagsOf(3), 'Never use Name 2.');
  expect(heardBy(request()).system).toContain('\nThe team wants: Never use Name 2.');
  await choose('none', tagsOf(3));
  expect(heardBy(request()).system).not.toContain('The team wants');
});

it.each([
  ['short', ''],
  ['long', ' and so on'.repeat(100)],
  ['many-byte', '漢👩'.repeat(100)],
])('offers 500 tags with %s names within the bounds, each by its beginning', async (_, more) => {
  const tags = tagsOf(500).map((tag) => ({ ...tag, name: tag.name + more, description: tag.name + more }));
  const long = { from: 'a'.repeat(9_000), sent_at: '2026-11-18T08:00:00.000Z', text: '"\n'.repeat(90_000) };
  const all = { subject: '"'.repeat(9_000), messages: Array.from({ length: 50 }, () => long) };
  expect((await choose('tag-500', tags, 'Well. '.repeat(600), all)).tag_ids).toEqual(['id-500']);
  expect(bytesHeard(request())).toBeLessThanOrEqual(24_000 * 4);
  const offered: Record<string, string> = JSON.parse(splitData(heardBy(request())).data[0] ?? '');
  expect(Object.keys(offered)).toHaveLength(500);
  for (const [i, name] of Object.values(offered).entries()) expect(name).toContain(`Name ${i + 1}`);
});

it('offers no more than 500', async () => {
  expect((await choose('tag-500, tag-501', tagsOf(600))).tag_ids).toEqual(['id-500']);
});

it('accepts an empty list of tags', async () => {
  expect((await choose('none', [])).tag_ids).toEqual([]);
});
