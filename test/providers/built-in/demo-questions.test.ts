import { beforeAll, describe, expect, it } from 'vitest';
import { demoQuestions } from '../../../infra/local/demo/questions.ts';
import { askInDemo, demoWorld } from '../../support/assistant-demo.ts';
import type { World } from '../../support/assistant-toolbox.ts';

/** The required parts of each answer, in the order of the questions. */
const expected: RegExp[] = [
  /I can propose small changes/,
  /9 messages between .*Priya Raghunathan/,
  /“Our purchase order is BF-20417;/,
  /“engines-and-feelings\.csv”/,
  /Moira Kincaid wrote on .*: “I have the keys/,
  /Moira Kincaid \(moira@bellwether\.example\), wrote 2 messages/,
  /Last mail to Malik Osei .*: .* by you, on \[The quiet hour/,
  /Tuesday 8 December 2026 \(deadline\)/,
  /“Three things: a signed drawing, the colour,/,
  /as “Printing”, a new tag/,
  /2 tags: Suppliers and Money/,
  /Head of Fleet Operations, Bellwether Ferries/,
  /^Last mail from \[Priya Raghunathan\]/,
  /“The winch is from 1958 and answers to Doreen\.”/,
  /3 threads wait for an answer/,
  /6 threads are unread/,
  /\[The boiler at the Old Chapel\]/,
  /No task is open, due by the end of this week\.[\s\S]*tomorrow evening/,
  /phone number: \+44 1632 960 077/,
  /I cannot send mail/,
];

const worlds = new Map<string, World>();
beforeAll(async () => {
  for (const key of ['ada', 'grace'] as const) worlds.set(key, await demoWorld(key));
});

describe('questions to the demo workspace', () => {
  it('are twenty', () => expect(demoQuestions).toHaveLength(expected.length));

  it.each(demoQuestions.map((question, i) => [question.text, question, expected[i]!] as const))(
    '%s',
    async (text, { as, ask_on }, answer) => {
      if (as !== 'ada' && as !== 'grace') throw new Error(`${as} has no mailbox`);
      expect((await askInDemo(worlds.get(as)!, { as, ask_on, text })).text).toMatch(answer);
    },
  );
});
