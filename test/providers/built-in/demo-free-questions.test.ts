import { beforeAll, describe, expect, it } from 'vitest';
import { askInDemo, demoWorld } from '../../support/assistant-demo.ts';
import type { World } from '../../support/assistant-toolbox.ts';

/** Questions in the words of people who try the demo. Ada and Grace see different mail. */

let worlds: Record<'ada' | 'grace', World>;
beforeAll(async () => {
  worlds = { ada: await demoWorld('ada'), grace: await demoWorld('grace') };
});

async function ask(as: 'ada' | 'grace', text: string, thread_subject?: string) {
  const ask_on = thread_subject === undefined ? null : { thread_subject };
  const answer = await askInDemo(worlds[as], { as, ask_on, text });
  const cards = answer.shown.cards
    .flatMap(({ ids }) => ids)
    .map((id) => worlds[as].threads.find((thread) => thread.id === id)?.subject);
  return { text: answer.text, cards };
}

describe('threads that wait for an answer', () => {
  const machines = [/Torque Letter/, /Tidewater/, /berth/];

  it.each([
    ['ada', 3, 'Harbour day: what to bring', ['The boiler at the Old Chapel']],
    ['grace', 2, 'The boiler at the Old Chapel', ['Invoice HP-1187 for your labels']],
  ] as const)('are those of people, to %s', async (as, count, waiting, answered) => {
    const { text, cards } = await ask(as, 'Which threads are waiting for an answer from us?');
    expect(text).toContain(`${count} threads wait for an answer from your side.`);
    expect(cards).toHaveLength(count);
    expect(cards).toContain(waiting);
    for (const subject of cards) for (const machine of machines) expect(subject).not.toMatch(machine);
    expect(cards).not.toEqual(expect.arrayContaining([...answered]));
  });

  it('are counted in the same way', async () => {
    expect((await ask('grace', 'How many threads are waiting?')).text).toContain('2 threads wait');
  });

  it('have the only questions that are open', async () => {
    const { text } = await ask('ada', 'Which questions are open?');
    expect(text).toContain('I looked at the newest 3 threads');
    expect(text).not.toContain('Hear the rumble?');
  });

  it('do not include a newsletter, asked on it', async () => {
    const { text } = await ask('ada', 'Is this answered?', 'The Torque Letter no. 42: listening to bearings');
    expect(text).toContain('It does not wait for an answer from your side.');
  });
});

describe('other questions', () => {
  /** Everyone who asks sees their own mail: some of Priya's mail is Grace's alone, some is Ada's. */
  it.each([
    ['ada', 'when is the harbour day?', /^- Thursday 3 December 2026: Moira Kincaid on \[Harbour day/m],
    ['grace', 'when is the harbour day?', /^- Thursday 3 December 2026: Moira Kincaid on \[Harbour day/m],
    ['ada', 'When is the fitting?', /^- Thursday 3 December 2026: .*“Fitting from Thursday 3 December/m],
    [
      'ada',
      'show me invoices',
      /^1 thread for “invoices”. The newest is \[Invoice HP-1187 for your labels\]/,
    ],
    ['grace', 'Show me the invoices!', /^1 thread for “invoices”. The newest is \[Invoice HP-1187/],
    [
      'ada',
      'what did Priya write last week?',
      /^I found no mail written by .* in the last seven days; the last before that:\n.*“List attached\./,
    ],
    ['grace', 'what did Priya write last week?', /Monday 16 November 2026, 04:03: “Permission from the/],
    ['ada', "what's new today?", /^3 threads with mail since midnight, 3 unread; 1 waiting/],
    ['grace', 'What is new today?', /^2 threads with mail since midnight, 2 unread; 0 waiting/],
    ['grace', 'What happened since yesterday?', /^3 threads with mail since yesterday/],
    ['ada', 'summarize my inbox', /^20 threads open, 8 unread; 3 waiting for an answer from your side\.$/m],
    ['grace', 'Could you please summarise my inbox?', /^16 threads open, 6 unread; 2 waiting/],
  ] as const)('%s: %s', async (as, question, answer) => {
    expect((await ask(as, question)).text).toMatch(answer);
  });

  it('about what is new quote the last word on each thread, and show the threads', async () => {
    const { text, cards } = await ask('ada', 'what is new today?');
    expect(text).toContain('Moira Kincaid: “I have the keys');
    expect(text).toContain('Malik Osei: “You will have it by tomorrow evening.');
    expect(cards).toEqual([
      'Harbour day: what to bring',
      'The quiet hour in north-2',
      'Finding an hour that exists in three time zones',
    ]);
  });

  it.each([
    ['what is new today?', /^Moira Kincaid wrote on/],
    ['Summarize the mail', /^\[Harbour day: what to bring\]\(thread:/],
    ['Summarize my inbox', /^20 threads open/],
  ])('on a thread: %s', async (question, answer) => {
    expect((await ask('ada', question, 'Harbour day: what to bring')).text).toMatch(answer);
  });

  it.each(['ada', 'grace'] as const)(
    'of %s about tasks name the mail to answer and deadlines',
    async (as) => {
      const { text } = await ask(as, 'what are my tasks?');
      expect(text).toMatch(/^No task is open\.\n[23] threads wait for an answer/);
      expect(text).toContain('“You will have it by tomorrow evening.”');
    },
  );

  it('never quote mail that only the other user has', async () => {
    const questions = ['What did Priya write this month?', 'when is the saucer?', 'show me saucers'];
    for (const question of questions)
      expect((await ask('ada', question)).text).not.toMatch(/harbour master|saucer is|painted thirty-one/);
    expect((await ask('grace', questions[0]!)).text).toContain('“Permission from the harbour master');
  });
});

describe('a summary', () => {
  const fleet = 'Forty Limpets for the fleet';

  it('has the requests of the first message', async () => {
    const { text } = await ask('ada', 'Please summarize this thread.', fleet);
    expect(text).toContain('It began on Friday 6 November 2026, 09:42, [Priya Raghunathan]');
    expect(text).toContain('It also asked: “We would like about forty.” “Do they mind salt?”');
  });

  it('has them when only the beginning of the first message is known', async () => {
    const thread = worlds.ada.threads.find(({ subject }) => subject === fleet)!;
    const [first, ...messages] = thread.messages;
    const earlier = [
      { sent_at: first!.sent_at, from: first!.from!.name!, snippet: first!.text.slice(0, 1_000) },
    ];
    const world = { ...worlds.ada, threads: [{ ...thread, messages, earlier }] };
    const question = { as: 'ada', ask_on: { thread_subject: fleet }, text: 'Summarize this' } as const;
    const { text } = await askInDemo(world, question);
    expect(text).toContain('It began on Friday 6 November 2026, 09:42, Priya Raghunathan');
    expect(text).toContain('It also asked: “We would like about forty.” “Do they mind salt?”');
    expect(text).toContain('Not read in full: 1 older message');
  });
});
