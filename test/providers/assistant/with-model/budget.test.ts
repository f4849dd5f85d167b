import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Asked } from '#shared/domain/assistant/answering/assistant.ts';
import type { LanguageModel } from '#shared/providers/assistant/model.ts';
import { modelOf } from '#shared/providers/assistant/models.ts';
import { assistantWith } from '#shared/providers/assistant/with-model.ts';
import {
  asked,
  messageView,
  onThread,
  soon,
  THREAD_ID,
  threadView,
  toolsOn,
} from '../../../support/assistant-tools.ts';
import { cases, longIt } from '../../../support/long.ts';
import { bytesHeard, heardBy } from '../../../support/model-heard.ts';
import {
  type ModelServer,
  type ModelServerRequest,
  type ScriptedCall,
  type Step,
  startModelServer,
} from '../../../support/model-server.ts';

/** A model is told at most 24,000 tokens of four bytes, with any results of tools and any answers. */

const MOST = 24_000 * 4;

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.stop());

const read: ScriptedCall = { name: 'read_record', input: { type: 'thread', id: THREAD_ID } };
const table = { columns: [{ key: 'a', label: 'A' }], rows: [{ cells: { a: 'Pier 4' } }] };
const show: ScriptedCall = { name: 'show_table', input: table };

async function answer(
  wire: 'openai' | 'bedrock',
  script: Step[],
  mail: string,
  question: Partial<Asked> = {},
) {
  server.script.push(...script);
  const used = toolsOn(threadView({ messages: [messageView(mail)] }));
  const model = modelOf({ assistant: server.config(wire) }) as LanguageModel;
  const { text } = await assistantWith(model).answer({ ...asked, ...question }, used.tools, soon());
  return { text, used };
}

/** The results of its calls in the latest request to the model. */
const results = () =>
  heardBy(server.requests.at(-1) as ModelServerRequest)
    .said.filter(({ role }) => role === 'tool')
    .map(({ text }) => text);

const again = <T>(times: number, step: T): T[] => Array.from({ length: times }, () => step);

const mails: [string, string][] = [
  ['of letters', 'a'.repeat(10_000_000)],
  ['of characters of three and four bytes', '漢👩'.repeat(1_430_000)],
  ['of what JSON escapes', '"\\\n'.repeat(3_000_000)],
  ['of what looks like tags', '<'.repeat(3_000_000)],
];

describe.each(cases<'openai' | 'bedrock'>(['openai'], ['bedrock']))('10 MB of mail (%s)', (wire) => {
  it.each(mails)('%s keep every request within the bounds', async (_, mail) => {
    const past = Array.from({ length: 30 }, (_, i): Asked['past'][number] => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      text: mail.slice(0, 20_000),
    }));
    const script = [...again(3, { text: 'More.', tool_calls: [read] }), { text: 'Done.' }];
    const question = { about: onThread, past, text: mail.slice(0, 100_000) };
    expect((await answer(wire, script, mail, question)).text).toBe('Done.');
    const sizes = server.requests.map(bytesHeard);
    expect(sizes).toHaveLength(4);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST);
    // The room is used up.
    expect(Math.max(...sizes)).toBeGreaterThan(0.75 * MOST);
  });
});

it('cuts a result between characters, at 24,000 bytes, and says so', async () => {
  await answer('openai', [{ tool_calls: [read] }, { text: 'Done.' }], '漢👩'.repeat(10_000));
  const [told = ''] = results();
  expect(told).toMatch(/[漢👩]…\n<\/data-\w+>\nIt goes on, but there was no room for more\.$/u);
  expect(told).not.toContain('\uFFFD');
  const json = /\n([\s\S]*)\n<\//.exec(told)?.[1] ?? '';
  expect(Buffer.byteLength(json)).toBeLessThanOrEqual(24_000);
  expect(Buffer.byteLength(json)).toBeGreaterThan(24_000 - 4);
});

it('does not say so for a whole result', async () => {
  await answer('openai', [{ tool_calls: [read] }, { text: 'Done.' }], 'Monday…');
  expect(results()[0]).toMatch(/\}\n<\/data-\w+>$/);
});

it('tells the model that a result does not fit, and still lets it show and propose', async () => {
  const { used } = await answer(
    'bedrock',
    [{ tool_calls: [read, read, read, read, read] }, { tool_calls: [show] }, { text: 'Done.' }],
    'long '.repeat(100_000),
  );
  const told = results();
  expect(told).toHaveLength(6);
  for (const each of told.slice(0, 5)) expect(each).toMatch(/It goes on, but there was no room for more\.$/);
  expect(Buffer.byteLength(told[4] ?? '')).toBeLessThan(700);
  expect(told[5]).toContain('{"shown":true}');
  expect(used.calls.at(-1)?.[0]).toBe('show_table');
});

it('asks the model for an answer once there is no room at all', async () => {
  const reads = { tool_calls: again(16, read) };
  const script = [reads, reads, { text: 'Done.', tool_calls: [show] }];
  const { text, used } = await answer('openai', script, 'long '.repeat(100_000));
  expect(text).toBe('Done.');
  expect(used.calls.length).toBeLessThan(32);
  const told = results();
  expect(told).toHaveLength(32);
  expect(told.at(-2)).toBe('Error: There is no room for more: answer with what you have.');
  expect(told.at(-1)).toMatch(/answer now, with what you have\.$/);
  expect(Math.max(...server.requests.map(bytesHeard))).toBeLessThanOrEqual(MOST);
});

describe('a model that says much together with its calls', () => {
  const whole = () => Math.max(...server.requests.map(bytesHeard));

  longIt('is told the beginning of it', async () => {
    const script = again(7, { text: 'Ü'.repeat(400_000), tool_calls: [show], piece: 50_000 });
    expect((await answer('bedrock', script, '')).text).toMatch(/^Ü+…$/);
    expect(whole()).toBeLessThanOrEqual(MOST);
    // Full before the 8th call.
    expect(server.requests.length).toBeLessThan(8);
    expect(results().at(-1)).toContain('answer now');
  });

  it('gets arguments of a megabyte refused, and not sent back', async () => {
    const long = { name: 'search_threads', input: { query: 'ü'.repeat(400_000) } };
    await answer('openai', [{ tool_calls: [long], piece: 50_000 }, { text: 'Done.' }], '');
    expect(results()[0]).toContain('too long');
    expect(whole()).toBeLessThan(5_000);
  });

  it('gets many arguments refused when they do not fit', async () => {
    const rows = Array.from({ length: 100 }, (_, i) => ({ cells: { a: `${i} ${'x'.repeat(80)}` } }));
    const tables = again<ScriptedCall>(16, { name: 'show_table', input: { ...table, rows } });
    const step: Step = (request) =>
      heardBy(request).said.at(-1)?.text.includes('answer now')
        ? { text: 'Done.', tool_calls: [show] }
        : { tool_calls: tables, piece: 5_000 };
    const { text } = await answer('bedrock', again(8, step), '');
    expect(text).toBe('Done.');
    expect(whole()).toBeLessThanOrEqual(MOST);
    expect(results().filter((each) => each.includes('too long')).length).toBeGreaterThan(16);
  });

  it('gets names and refusals of any length truncated', async () => {
    const cells = { ['k'.repeat(100_000)]: {} };
    const calls: ScriptedCall[] = [
      { name: 'n'.repeat(100_000), input: {} },
      { name: 'show_table', input: { ...table, rows: [{ cells: { ['k'.repeat(10_000)]: {} } }] } },
      { name: 'show_table', input: { ...table, rows: [{ cells }] } },
    ];
    await answer('openai', [{ tool_calls: calls, piece: 50_000 }, { text: 'Done.' }], '');
    expect(results()[1]).toContain('The input does not fit: rows.0.cells.kkk');
    expect(Math.max(...results().map((each) => each.length))).toBeLessThan(700);
    expect(whole()).toBeLessThan(20_000);
  });
});
