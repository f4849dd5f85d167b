import { beforeAll, describe, expect, it } from 'vitest';
import { builtInAssistant } from '#shared/providers/assistant/built-in/built-in.ts';
import { type DemoQuestion, demoQuestions } from '../../../infra/local/demo/questions.ts';
import { demoNow, demoWorld } from '../../support/assistant-demo.ts';
import { toolbox, type World } from '../../support/assistant-toolbox.ts';

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
  /11 threads wait for an answer/,
  /6 threads are unread/,
  /\[The boiler at the Old Chapel\]/,
  /There are no tasks in this workspace yet\.[\s\S]*tomorrow evening/,
  /phone number: \+44 1632 960 077/,
  /I cannot write or send mail/,
];

const worlds = new Map<string, World>();
beforeAll(async () => {
  for (const key of ['ada', 'grace'] as const) worlds.set(key, await demoWorld(key));
});

const askers: Record<string, { name: string; email_address: string; time_zone: string }> = {
  ada: { name: 'Ada Lovelace', email_address: 'ada@acme.example', time_zone: 'Europe/London' },
  grace: { name: 'Grace Hopper', email_address: 'grace@acme.example', time_zone: 'America/New_York' },
};

function askedOn({ threads, contacts }: World, on: DemoQuestion['ask_on']) {
  if (on === null) return null;
  const record =
    'thread_subject' in on
      ? threads.find(({ subject }) => subject === on.thread_subject)
      : contacts.find(({ name }) => name === on.contact_name);
  return { type: record!.type, id: record!.id, label: null };
}

describe('questions to the demo workspace', () => {
  it('are twenty', () => expect(demoQuestions).toHaveLength(expected.length));

  it.each(demoQuestions.map((question, i) => [question.text, question, expected[i]!] as const))(
    '%s',
    async (text, { as, ask_on }, answer) => {
      const world = worlds.get(as)!;
      const asked = { text, asker: askers[as]!, now: demoNow, about: askedOn(world, ask_on), past: [] };
      const { tools } = toolbox(world);
      expect((await builtInAssistant.answer(asked, tools, Date.now() + 60_000)).text).toMatch(answer);
    },
  );
});
