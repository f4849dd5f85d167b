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
