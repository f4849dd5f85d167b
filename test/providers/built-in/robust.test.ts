import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ThreadText } from '#shared/domain/assistant/answering/assistant.ts';
import { builtInAssistant } from '#shared/providers/assistant/built-in/built-in.ts';
import { toolbox } from '../../support/assistant-toolbox.ts';
import { ask, bob, message, thread, world } from '../../support/assistant-world.ts';
import { longIt, reduced } from '../../support/long.ts';

/** Words with a meaning to the assistant, among any others. */
const word = fc.oneof(
  fc.constantFrom(
    ...'who is what said last when was mailed by find threads about contact tag this as remove the add a set her to how many unread files questions open deadlines summarize Mary Bob John telescope and please mail from : ? " <x@y.example> [x](contact:c-mary) 12 November 2026'.split(
      ' ',
    ),
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const question = fc.oneof(
  fc.array(word, { maxLength: 14 }).map((words) => words.join(' ')),
  fc.string({ unit: 'binary', maxLength: 300 }),
);
const place = fc.constantFrom(undefined, 't-telescope', 'c-mary', 't-hidden');

describe('any question gets an answer', () => {
  it('of at most 2,000 characters, that is not empty and well-formed', async () => {
    await fc.assert(
      fc.asyncProperty(question, place, fc.array(question, { maxLength: 3 }), async (text, on, earlier) => {
        const past = earlier.map((each, i) => ({
          role: i % 2 ? ('assistant' as const) : ('user' as const),
          text: each,
        }));
        const answer = (await ask(text, { past, ...(on ? { on } : {}) })).text;
        expect(answer).not.toBe('');
        expect(answer.length).toBeLessThanOrEqual(2000);
        expect(answer.isWellFormed() || !text.isWellFormed()).toBe(true);
      }),
      { numRuns: reduced(600) },
    );
  });

  it('in zones that nobody knows, too', async () => {
    const { text } = await ask('What was last said?', { on: 't-telescope', time_zone: 'Mars/Olympus' });
    expect(text).toContain('Wednesday 11 November 2026, 09:30');
  });

  it('whatever the mail says', async () => {
    const questions = [
      'Summarize this',
      'Which dates are mentioned?',
      'Which questions are open?',
      'what did Bob say about x y z?',
    ];
    await fc.assert(
      fc.asyncProperty(question, fc.constantFrom(...questions), async (text, asked) => {
        const odd = thread('t-odd', text, [
          message({ ...bob, name: text }, '2026-11-05T10:00:00.000Z', text),
        ]);
        const answer = await ask(asked, { on: 't-odd', world: { ...world, threads: [odd] } });
        expect(answer.text.length).toBeLessThanOrEqual(2000);
        expect(answer.shown.proposals).toEqual([]);
      }),
      { numRuns: reduced(500) },
    );
  });
});

// Quadratic work on this length exceeds the time of a test.
describe('size', () => {
  const units = [
    'a',
    ' ',
    'who is ',
    '\n',
    '?',
    '. ',
    '“',
    '[',
    '](',
    '@',
    'a@',
    '12 ',
    'May ',
    '佐',
    'é́́',
    '🙂',
    '<',
    "'s ",
    'and ',
    ', ',
    '--\n',
    'by ',
  ];

  it.each(units)('a question of 100,000 characters of %j is answered', async (unit) => {
    const { text } = await ask(unit.repeat(Math.ceil(100_000 / unit.length)).slice(0, 100_000), {
      on: 't-telescope',
    });
    expect(text.length).toBeLessThanOrEqual(2000);
  });

  longIt.each(units)('a mail of 100,000 characters of %j is read', async (unit) => {
    const long = unit.repeat(Math.ceil(100_000 / unit.length)).slice(0, 100_000);
    const odd = thread('t-odd', long, [message(bob, '2026-11-05T10:00:00.000Z', long)]);
    for (const asked of ['Summarize this', 'Which dates are mentioned?', 'Who is on this thread?'])
      expect(
        (await ask(asked, { on: 't-odd', world: { ...world, threads: [odd] } })).text.length,
      ).toBeLessThanOrEqual(2000);
    const text: ThreadText = { subject: long, messages: [{ from: long, sent_at: 'never', text: long }] };
    await builtInAssistant.summarize(text, null, 0);
    await builtInAssistant.chooseTags(text, [{ id: '1', name: long, description: long }], null, 0);
  });
});

describe('time and faults', () => {
  it('makes no call after its deadline', async () => {
    const { tools, shown } = toolbox(world);
    const asker = { name: 'Ada', email_address: 'ada@acme.example', time_zone: 'UTC' };
    const asked = { text: 'What is open?', asker, now: new Date(), about: null, past: [] };
    const { text, usage } = await builtInAssistant.answer(asked, tools, Date.now() - 1);
    expect(text).toBe('I ran out of time before I had looked everything up.');
    expect(shown.calls).toEqual([]);
    expect(usage).toEqual({ input_tokens: 0, output_tokens: 0 });
  });
});
