import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  type Move,
  moved,
  moveOf,
  returned,
  transactionsOf,
} from '#shared/domain/collaboration/records/move.ts';
import { mustExist, TRANSACTION_LIMIT } from '#shared/table/table.ts';

/** A transaction of DynamoDB has at most 100 writes and 4 MB; each one checks the target of the move. */
describe('items that move from one record to another', () => {
  const move = (writes: number, bytes = 1_000): Move => ({
    writes: Array.from({ length: writes }, () => ({ delete: { PK: 'a', SK: 'b' } })),
    bytes,
  });
  const sizes = (moves: Move[], more?: number) =>
    [...transactionsOf(moves, more)].map((writes) => writes.length);
  const all = TRANSACTION_LIMIT;

  it.each<[string, Move[], number, number[]]>([
    ['nothing', [], 0, []],
    ['as many as fit', [move(all - 2), move(2)], 0, [all]],
    ['one too many', [move(all - 2), move(3)], 0, [all - 2, 3]],
    ['room for a check', [move(all - 2), move(2)], 1, [all - 2, 2]],
    ['as many as fit beside a check', [move(all - 3), move(2)], 1, [all - 1]],
    ['as many bytes as fit', [move(2, 2_000_000), move(2, 1_000_000)], 0, [4]],
    ['a byte too many', [move(2, 2_000_000), move(2, 1_000_001)], 0, [2, 2]],
    ['bytes of each by itself', [move(2, 2e6), move(2, 2e6), move(2, 1e6), move(2, 1)], 0, [2, 4, 2]],
    ['one that is larger than all of them', [move(2, 9_000_000)], 0, [2]],
  ])('are split into transactions that DynamoDB accepts: %s', (_what, moves, more, expected) => {
    expect(sizes(moves, more)).toEqual(expected);
  });

  it('count compressed bytes as stored', () => {
    const item = { PK: 'p', SK: 's', text: 'é'.repeat(500), content: new Uint8Array(50_000) };
    expect(bytesOf(item)).toBeGreaterThanOrEqual(51_000);
    expect(bytesOf(item)).toBeLessThan(51_100);
  });

  it('name the new record in place of the old one, and keep the rest', () => {
    const [from, into] = [
      { type: 'threads' as const, id: 'old' },
      { type: 'threads' as const, id: 'new' },
    ];
    const kept = { SK: 'COMMENT#old', text: 'old times' };
    const item = { ...kept, PK: 'RECORD#threads#old', thread_id: 'old', record_id: 'old', rank: 'old' };
    const there = { ...kept, PK: 'RECORD#threads#new', thread_id: 'new', record_id: 'new', rank: 'new' };
    expect(moved(item, from, into)).toEqual(there);
    expect(moveOf(item, from, into).writes).toEqual([
      { put: there },
      { delete: { PK: item.PK, SK: item.SK }, when: mustExist },
    ]);
  });

  it('keep what somebody wrote, even when it is the id of the old record', () => {
    const [from, into] = [
      { type: 'contacts' as const, id: 'old', by: ['old'] },
      { type: 'contacts' as const, id: 'new' },
    ];
    const place = { PK: 'RECORD#contacts#old', SK: 'COMMENT#1' };
    const item = { ...place, record_id: 'old', html_content: 'old', subject: 'old', text: 'old' };
    const there = moved(item, from, into);
    expect(there).toMatchObject({ record_id: 'new', html_content: 'old', subject: 'old', text: 'old' });
    expect(returned(there, into, from)).toEqual(item);
  });
});
