import { describe, expect, it } from 'vitest';
import { ReplyDraft } from '#shared/domain/assistant/answering/draft.ts';
import type { AssistantReply, Ref, StoredRow } from '#shared/domain/collaboration/replies/block.ts';
import { refKey } from '#shared/domain/collaboration/replies/block.ts';
import { presentReply } from '#shared/domain/collaboration/replies/present.ts';

/** The names of records in a reply depend on its reader: labels of records are the reader's own. */

const idOf = (last: number) => `0198c0de-0000-7000-8000-00000000000${last}`;
const thread: Ref = { type: 'thread', id: idOf(1) };
const contact: Ref = { type: 'contact', id: idOf(2) };
const link = (label: string, { type, id }: Ref) => `[${label}](${type}:${id})`;

const finish = (answer: string, known: (ref: Ref) => boolean = () => true) =>
  new ReplyDraft().finish(answer, known);

/** As `reader` sees the reply to a question of Ada. */
function read(reply: AssistantReply, reader: string, names: [Ref, string | null][] = []) {
  const labels = new Map(names.map(([ref, label]) => [refKey(ref), label]));
  const { text, blocks } = presentReply(reply, 'ada', { reader_id: reader, labels, proposals: new Map() });
  expect(blocks).toEqual(text === '' ? [] : [{ type: 'text', text }]);
  return text;
}

describe('the names of records in a reply', () => {
  const reply = finish(`\n I tag ${link('Merger terms', thread)} from ${link('Priya', contact)}. `);

  it('are those of the answer for the user who asked', () => {
    const own: [Ref, string][] = [[thread, 'Changed since']];
    expect(read(reply, 'ada', own)).toBe('I tag Merger terms from Priya.');
  });

  it('are the reader’s own for everybody else', () => {
    const theirs: [Ref, string][] = [
      [thread, 'Ferry times'],
      [contact, 'P. Raman'],
    ];
    expect(read(reply, 'grace', theirs)).toBe('I tag Ferry times from P. Raman.');
  });

  it('are left out for a reader who does not see the record or has no name for it', () => {
    expect(read(reply, 'grace', [[thread, null]])).toBe('I tag a hidden thread from a hidden contact.');
  });

  it.each([
    ['one after the other', `${link('A', thread)}${link('B', thread)}`, 'FerryFerry'],
    ['alone', link('A', thread), 'Ferry'],
    ['first and last', `${link('A', thread)} or ${link('B', thread)}`, 'Ferry or Ferry'],
    ['beside other characters', `😀 ${link('😀', thread)} é`, '😀 Ferry é'],
    ['none', 'Nothing here', 'Nothing here'],
  ])('stand where the answer has them: %s', (_, answer, shown) => {
    expect(read(finish(answer), 'grace', [[thread, 'Ferry']])).toBe(shown);
  });

  it('of records that no tool returned are words of the answer', () => {
    const unknown = finish(`See ${link('Salary', thread)}`, () => false);
    expect(read(unknown, 'grace', [[thread, 'Ferry']])).toBe('See Salary');
    expect(unknown.refs).toEqual([]);
  });

  it('after the end of a long answer are cut off with it', () => {
    const long = finish(`${'x'.repeat(19_990)}${link('y'.repeat(50), thread)}`);
    expect(long.text).toHaveLength(20_000);
    expect(read(long, 'grace', [[thread, 'Ferry']])).not.toContain('yyyy');
  });
});

describe('the rows of a table in a reply', () => {
  const cells = { subject: 'Merger terms', days: 3 };
  const table = (ref?: StoredRow['ref']): AssistantReply => ({
    ...finish(''),
    blocks: [{ type: 'table', columns: [], rows: [ref ? { cells, ref } : { cells }] }],
  });
  const rowOf = (reply: AssistantReply, reader: string, names: [Ref, string | null][] = []) => {
    const labels = new Map(names.map(([ref, label]) => [refKey(ref), label]));
    const [block] = presentReply(reply, 'ada', { reader_id: reader, labels, proposals: new Map() }).blocks;
    return block?.type === 'table' ? block.rows[0] : undefined;
  };
  const empty = { subject: null, days: null };

  it.each<[string, StoredRow['ref'], string, [Ref, string | null][], object]>([
    [
      'for the user who asked, whatever it is called since',
      { ...thread, name: 'A' },
      'ada',
      [[thread, 'B']],
      cells,
    ],
    ['for who sees it under the same name', { ...thread, name: 'A' }, 'grace', [[thread, 'A']], cells],
    ['for nobody who sees it under another one', { ...thread, name: 'A' }, 'grace', [[thread, 'B']], empty],
    ['for nobody who does not see it', { ...thread, name: 'A' }, 'grace', [], empty],
    ['for nobody who does not see a thread without a subject', { ...thread, name: null }, 'grace', [], empty],
    ['for who sees a record with one name for all', contact, 'grace', [[contact, 'Renamed']], cells],
    ['for nobody who does not see that', contact, 'grace', [], empty],
    ['for everybody without a record', undefined, 'grace', [], cells],
  ])('are shown %s', (_, ref, reader, names, shown) => {
    const { name: _name, ...plain } = ref ?? {};
    const label =
      new Map(names.map(([each, name]) => [refKey(each), name])).get(refKey(ref ?? contact)) ?? null;
    const expected = ref ? { cells: shown, ref: { ...plain, label } } : { cells: shown };
    expect(rowOf(table(ref), reader, names)).toEqual(expected);
  });
});
