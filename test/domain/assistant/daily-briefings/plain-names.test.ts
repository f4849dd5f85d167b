import { describe, expect, it } from 'vitest';
import type { DaySection } from '#shared/domain/assistant/answering/assistant.ts';
import { MOST_NAMES, withPlainNames } from '#shared/domain/assistant/daily-briefings/plain-names.ts';
import type { AssistantReply } from '#shared/domain/collaboration/replies/block.ts';

describe('names in the text of a briefing', () => {
  const section = (...names: (string | null)[]): DaySection => ({
    ...{ title: 'Tasks due', total: names.length, more: false },
    rows: names.map((name, i) => ({ type: 'task', id: `${i}`, name, cells: {} })),
  });
  const reply = (text: string, names: AssistantReply['names'] = []): AssistantReply => ({
    ...{ status: 'complete', text, names, blocks: [{ type: 'text', text }], refs: [] },
  });
  /** What is marked, with the record that it names. */
  const marked = (text: string, names: (string | null)[], known: AssistantReply['names'] = []) =>
    withPlainNames(reply(text, known), [section(...names)]).names?.map(({ from, to, ref }) => [
      text.slice(from, to),
      ref.id,
    ]);

  it.each([
    ['Call, then call, and Call.', ['Call'], ['Call 0', 'Call 0']],
    ['Merger, annex and Merger', ['Merger', 'Merger, annex'], ['Merger, annex 1', 'Merger 0']],
    ['aaaa', ['aa'], ['aa 0', 'aa 0']],
    ['Nothing', ['', ' ', null, 'Other'], []],
    ['a $& (b', ['$&', '(b'], ['$& 0', '(b 1']],
  ])('in %j', (text, names, found) => {
    expect(marked(text, names)?.map((each) => each.join(' '))).toEqual(found);
  });

  it('leaves references as they are', () => {
    const known = [{ from: 5, to: 10, ref: { type: 'task', id: 'x' } }];
    expect(marked('Call them: Call', ['Call', 'them'], known)).toEqual([
      ['Call', '0'],
      ['them:', 'x'],
      ['Call', '0'],
    ]);
  });

  it('the text ends before one more than fit a response', () => {
    const text = 'ab '.repeat(MOST_NAMES + 3).trim();
    const { text: cut, names, blocks } = withPlainNames(reply(text), [section('ab')]);
    expect(names).toHaveLength(MOST_NAMES);
    expect(cut).toBe(`${'ab '.repeat(MOST_NAMES)}…`);
    expect(blocks).toEqual([{ type: 'text', text: cut }]);
    const whole = reply('ab '.repeat(MOST_NAMES));
    expect(withPlainNames(whole, [section('ab')])).toMatchObject({ text: whole.text });
  });
});
