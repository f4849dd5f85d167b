import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Asked, Assistant } from '#shared/domain/assistant/answering/assistant.ts';
import type { LanguageModel } from '#shared/providers/assistant/model.ts';
import { modelOf } from '#shared/providers/assistant/models.ts';
import { assistantWith } from '#shared/providers/assistant/with-model.ts';
import { asked, onThread, soon, THREAD_ID, threadView, toolsOn } from '../../../support/assistant-tools.ts';
import { longIt } from '../../../support/long.ts';
import { heardBy } from '../../../support/model-heard.ts';
import {
  type ModelServer,
  type ModelServerRequest,
  type ScriptedCall,
  startModelServer,
} from '../../../support/model-server.ts';

/** From a question to an answer, in rounds of tools. */

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.stop());

const assistantOn = (wire: 'openai' | 'bedrock'): Assistant =>
  assistantWith(modelOf({ assistant: server.config(wire) }) as LanguageModel);

const search = (query = 'crane'): ScriptedCall => ({ name: 'search_threads', input: { query } });
const read: ScriptedCall = { name: 'read_record', input: { type: 'thread', id: THREAD_ID } };

/** The latest request to the model. */
const heard = () => heardBy(server.requests.at(-1) as ModelServerRequest);
const results = () => heard().said.filter(({ role }) => role === 'tool');

describe.each(['openai', 'bedrock'] as const)('a question (%s)', (wire) => {
  const answer = (question: Partial<Asked> = {}, { tools } = toolsOn()) =>
    assistantOn(wire).answer({ ...asked, ...question }, tools, soon());

  it('is answered at once when the model needs no tool', async () => {
    server.script.push({ text: ' On Monday.\n', usage: { input_tokens: 90, output_tokens: 4 } });
    expect(await answer()).toEqual({ text: 'On Monday.', usage: { input_tokens: 90, output_tokens: 4 } });
    expect(server.requests).toHaveLength(1);
    expect(heard().said).toEqual([{ role: 'user', text: 'When is the crane booked?' }]);
  });

  it('tells the model the user and the time, and nothing about a record without one', async () => {
    server.script.push({ text: 'Well.' });
    await answer();
    const { system } = heard();
    expect(system).toContain('You answer Grace Hopper.');
    expect(system).toContain('Friday, 20 November 2026 at 10:30 in Europe/Zurich');
    expect(system).not.toContain('asked on');
  });

  it('is answered in rounds of several calls, whose usage is summed', async () => {
    server.script.push(
      {
        text: 'I look.',
        tool_calls: [search('crane'), search('pier')],
        usage: { input_tokens: 100, output_tokens: 20 },
      },
      { tool_calls: [read], usage: { input_tokens: 200, output_tokens: 30 } },
      { text: 'On Monday.', usage: { input_tokens: 300, output_tokens: 40 } },
    );
    const used = toolsOn();
    expect(await answer({}, used)).toEqual({
      text: 'On Monday.',
      usage: { input_tokens: 600, output_tokens: 90 },
    });
    expect(used.calls).toEqual([
      ['search_threads', { query: 'crane' }],
      ['search_threads', { query: 'pier' }],
      ['read_record', { type: 'thread', id: THREAD_ID }],
    ]);
    expect(results()).toHaveLength(3);
    expect(results()[0]?.text).toContain('"subject":"Pier 4: offer"');
    expect(results()[2]?.text).toContain('The crane is booked for Monday.');
  });

  it('comes with the record that it is about, before the model asks', async () => {
    server.script.push({ text: 'On Monday.' });
    const used = toolsOn();
    await answer({ about: onThread }, used);
    expect(used.calls).toEqual([['read_record', { type: 'thread', id: THREAD_ID }]]);
    expect(heard().system).toContain(`asked on a thread with the id ${THREAD_ID}`);
    const [{ text } = { text: '' }] = heard().said;
    expect(text).toMatch(/^The thread that the question is about:\n<data-/);
    expect(text).toContain('The crane is booked for Monday.');
    expect(text).toMatch(/>\n\nWhen is the crane booked\?$/);
  });

  it('comes with the name of a record that cannot be read', async () => {
    server.script.push({ text: 'I cannot say.' });
    await answer({ about: { type: 'deal', id: THREAD_ID, label: 'Harbour deal' } });
    expect(heard().said[0]?.text).toMatch(
      /^The deal that the question is about:\n<data-\w+>\n"Harbour deal"/,
    );
  });

  it('comes without a record that can be neither read nor named', async () => {
    server.script.push({ text: 'I cannot say.' });
    await answer({ about: { type: 'deal', id: THREAD_ID, label: null } });
    expect(heard().said).toEqual([{ role: 'user', text: 'When is the crane booked?' }]);
  });

  it('may be empty: providers refuse empty turns', async () => {
    server.script.push({ text: 'What do you want to know?' });
    await answer({ text: ' ' });
    expect(heard().said).toEqual([{ role: 'user', text: '(Nothing was written.)' }]);
  });
});

describe('what was said before', () => {
  const turns = (count: number, text = (i: number) => `said ${i}`): Asked['past'] =>
    Array.from({ length: count }, (_, i) => ({ role: i % 2 === 0 ? 'user' : 'assistant', text: text(i) }));
  const tell = async (past: Asked['past'], wire: 'openai' | 'bedrock' = 'openai') => {
    server.script.push({ text: 'Well.' });
    await assistantOn(wire).answer({ ...asked, past }, {}, soon());
    return heard().said;
  };

  it('is sent whole when it is short', async () => {
    const past = turns(4, (i) => `${i} ${'It is booked. '.repeat(130)}`);
    expect(await tell(past)).toEqual([...past, { role: 'user', text: asked.text }]);
  });

  it('is sent as data, by its beginnings, when it is older', async () => {
    const said = await tell(turns(26, (i) => `said ${i} ${'and so on '.repeat(40)}`));
    const [first, ...rest] = said;
    expect(first?.text).toMatch(
      /^What was said earlier, shortened:\n<data-\w+>\n\[\{"role":"assistant","text":"said 5 /,
    );
    expect(first?.text).toMatch(/"said 19 [a-z ]+…"\}\]\n<\/data-\w+>\n\nsaid 20 /);
    expect(first?.text).not.toContain('said 4 ');
    expect(rest.map(({ role, text }) => `${role} ${text.slice(0, 7)}`)).toEqual([
      'assistant said 21',
      'user said 22',
      'assistant said 23',
      'user said 24',
      'assistant said 25',
      'user When is',
    ]);
    expect(rest[0]?.text).toBe(`said 21 ${'and so on '.repeat(40)}`);
  });

  it.each([
    ['long', turns(30, () => 'ö'.repeat(20_000))],
    ['full of what has to be escaped', turns(30, () => '<"\n'.repeat(10_000))],
  ])('is bounded when it is %s', async (_, past) => {
    const said = await tell(past);
    const bytes = said.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeLessThan(12_500);
    expect(bytes).toBeGreaterThan(4_000);
    expect(said.at(-1)).toMatchObject({
      role: 'user',
      text: expect.stringMatching(/When is the crane booked\?$/),
    });
  });

  it.each([
    ['two questions in a row, of which the first had no answer', ['user', 'user', 'assistant']],
    ['an answer first', ['assistant', 'user', 'assistant']],
    ['nothing but answers', ['assistant', 'assistant']],
    ['a question without an answer last', ['user', 'assistant', 'user']],
  ] as const)('begins with the user and alternates: %s', async (_, roles) => {
    const said = await tell(roles.map((role, i) => ({ role, text: `said ${i}` })));
    expect(said[0]?.role).toBe('user');
    for (const [i, { role }] of said.entries()) expect(role).toBe(i % 2 === 0 ? 'user' : 'assistant');
    const all = said.map(({ text }) => text).join('\n');
    for (const i of roles.keys()) expect(all).toContain(`said ${i}`);
  });

  it('leaves out turns without text', async () => {
    const past: Asked['past'] = [
      { role: 'user', text: 'Show me a table' },
      { role: 'assistant', text: ' ' },
    ];
    expect(await tell(past)).toEqual([{ role: 'user', text: `Show me a table\n\n${asked.text}` }]);
  });
});

describe('a model that misbehaves', () => {
  const answer = (used = toolsOn(), deadline = soon()) =>
    assistantOn('bedrock').answer(asked, used.tools, deadline);

  it.each([
    ['arguments that are no JSON', { name: 'search_threads', input: '{"query": "cra' }, 'no JSON object'],
    ['arguments that are no object', { name: 'search_threads', input: '[1]' }, 'no JSON object'],
    ['a tool that does not exist', { name: 'delete_thread', input: {} }, 'There is no such tool'],
    ['a property of all objects as a tool', { name: 'constructor', input: {} }, 'There is no such tool'],
    ['input that does not fit', { name: 'search_threads', input: { query: 7 } }, 'query: '],
    [
      'a record that is not there',
      { name: 'read_record', input: { type: 'thread', id: THREAD_ID } },
      'no such record',
    ],
  ])('is told of %s, and goes on', async (_, call, told) => {
    server.script.push({ tool_calls: [call] }, { text: 'Sorry.' });
    const used = toolsOn(threadView({ id: '0198c0de-0000-7000-8000-000000000002' }));
    expect(await answer(used)).toMatchObject({ text: 'Sorry.' });
    expect(used.calls).toEqual([]);
    expect(results()).toEqual([{ role: 'tool', text: expect.stringContaining(told) }]);
    expect(server.requests[1]?.body.messages[2].content[0].toolResult.status).toBe('error');
  });

  it('gets names of tools back in the form that providers accept', async () => {
    server.script.push(
      { tool_calls: [{ name: `functions.${'x'.repeat(100)}`, input: {} }] },
      { text: 'Sorry.' },
    );
    await answer();
    expect(server.requests[1]?.body.messages[1].content[0].toolUse.name).toMatch(/^functions_x{54}$/);
  });

  it('fails the try when a tool fails, without telling the model why', async () => {
    server.script.push({ tool_calls: [search()] }, { text: 'never asked' });
    const used = toolsOn();
    const search_threads = {
      ...used.tools.search_threads,
      run: () => Promise.reject(new Error('the table does not answer')),
    };
    const tools = { ...used.tools, search_threads } as typeof used.tools;
    await expect(answer({ ...used, tools })).rejects.toThrow('the table does not answer');
    expect(server.requests).toHaveLength(1);
  });

  it('fails the try when the record cannot be read for another reason than the user', async () => {
    const used = toolsOn();
    const read_record = { ...used.tools.read_record, run: () => Promise.reject(new Error('no table')) };
    const tools = { ...used.tools, read_record } as typeof used.tools;
    const question = assistantOn('openai').answer({ ...asked, about: onThread }, tools, soon());
    await expect(question).rejects.toThrow('no table');
    expect(server.requests).toEqual([]);
  });

  it('is called at most 8 times, and told when it can use no more tools', async () => {
    for (let i = 1; i <= 8; i++) server.script.push({ text: `Try ${i}.`, tool_calls: [search()] });
    const used = toolsOn();
    expect(await answer(used)).toEqual({ text: 'Try 8.', usage: { input_tokens: 88, output_tokens: 56 } });
    expect(server.requests).toHaveLength(8);
    expect(used.calls).toHaveLength(7);
    const told = server.requests.map((request) =>
      heardBy(request).said.filter(({ text }) => text.endsWith('answer now, with what you have.')),
    );
    expect(told.map(({ length }) => length)).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
  });

  it('may make 16 calls in one answer, each with its result', async () => {
    const tool_calls = Array.from({ length: 40 }, (_, i) => ({ ...search(`pier ${i}`), id: `call-${i}` }));
    server.script.push({ tool_calls }, { text: 'Monday.' });
    const used = toolsOn();
    await answer(used);
    expect(used.calls).toHaveLength(16);
    const [said, told] = server.requests[1]?.body.messages.slice(1) ?? [];
    const ids = Array.from({ length: 16 }, (_, i) => `call-${i}`);
    expect(said.content.map((each: { toolUse: { toolUseId: string } }) => each.toolUse.toolUseId)).toEqual(
      ids,
    );
    expect(
      told.content.map((each: { toolResult: { toolUseId: string } }) => each.toolResult.toolUseId),
    ).toEqual(ids);
  });

  it('may say nothing, with or without having shown something', async () => {
    server.script.push({ text: ' \n' });
    expect(await answer()).toMatchObject({ text: '' });
  });

  it('is quoted with the text beside its last calls when it says nothing after them', async () => {
    const shown = { name: 'show_table', input: { columns: [{ key: 'a', label: 'A' }], rows: [] } };
    server.script.push({ text: 'Here is the table.', tool_calls: [shown] }, {});
    const used = toolsOn();
    expect(await answer(used)).toMatchObject({ text: 'Here is the table.' });
    expect(used.calls).toHaveLength(1);
  });

  it('shows with an ellipsis where its answer was cut off', async () => {
    server.script.push({ text: 'The crane is booked for ', stop: 'length' }, { stop: 'length' });
    expect((await answer()).text).toBe('The crane is booked for…');
    expect((await answer()).text).toBe('');
  });

  it('is told when a call was cut off', async () => {
    const cut = { name: 'search_threads', input: '{"query":"cra' };
    server.script.push({ tool_calls: [cut], stop: 'length' }, { text: 'Monday.' });
    expect((await answer()).text).toBe('Monday.');
    expect(results()[0]?.text).toContain('no JSON object');
  });

  it('is cut when it says a megabyte', async () => {
    server.script.push({ text: 'Ü'.repeat(495_000), piece: 50_000 });
    const { text } = await answer();
    expect(text).toMatch(/^Ü+…$/);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(24_000);
  });

  it('keeps HTML and Markdown in its answer, which is plain text', async () => {
    const text = '<img src=x onerror=alert(1)> **Monday** [Pier 4](thread:1) & <script>1</script>';
    server.script.push({ text });
    expect((await answer()).text).toBe(text);
  });
});

describe.each(['openai', 'bedrock'] as const)('a provider that gives no answer (%s)', (wire) => {
  const answer = (deadline = soon()) => assistantOn(wire).answer(asked, toolsOn().tools, deadline);

  it.each([
    ['refuses', { text: 'No.', stop: 'refused' as const }, { reason: 'refused' }],
    [
      'is busy',
      { status: 429, code: 'ThrottlingException', headers: { 'retry-after': '7' } },
      { reason: 'throttled', retry_after: 7 },
    ],
    ['fails', { status: 500 }, { reason: 'unavailable' }],
  ])('that %s fails the try, also in a later round', async (_, step, failure) => {
    server.script.push(step, { tool_calls: [search()] }, step);
    await expect(answer()).rejects.toMatchObject(failure);
    await expect(answer()).rejects.toMatchObject(failure);
    expect(server.requests).toHaveLength(3);
  });

  longIt('fails the try when it is too slow', async () => {
    server.script.push({ text: 'Wait', breaks: 'hangs' });
    await expect(answer(Date.now() + 500)).rejects.toMatchObject({
      name: 'ModelFailed',
      reason: 'timed_out',
    });
  });

  it('is not asked after the deadline', async () => {
    await expect(answer(Date.now() - 1)).rejects.toMatchObject({ reason: 'timed_out' });
    expect(server.requests).toEqual([]);
  });
});

describe('the deadline', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('holds for all rounds together, and for the tools between them', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const model = modelOf({ assistant: server.config('openai') }) as LanguageModel;
    const timeouts: number[] = [];
    const timed: LanguageModel = {
      name: model.name,
      complete: (request) => {
        timeouts.push(request.timeout_ms);
        return model.complete(request);
      },
    };
    const used = toolsOn();
    const slow = (input: unknown) => {
      vi.setSystemTime(Date.now() + 40_000);
      return used.tools.search_threads?.run(input);
    };
    const tools = { ...used.tools, search_threads: { ...used.tools.search_threads, run: slow } };
    for (let i = 0; i < 8; i++) server.script.push({ tool_calls: [search()] });
    const question = assistantWith(timed).answer(asked, tools as typeof used.tools, Date.now() + 90_000);
    await expect(question).rejects.toMatchObject({ name: 'ModelFailed', reason: 'timed_out' });
    expect(timeouts).toEqual([90_000, 50_000, 10_000]);
    expect(server.requests).toHaveLength(3);
  });
});
