import { describe, expect, it } from 'vitest';
import { type ListEntry, type Listed, postingsOf } from '#shared/domain/collaboration/record-lists/entry.ts';
import { mayHaveAll } from '#shared/domain/platform/postings/signature.ts';

/** Which postings of a record have a signature of its words. */

const entry = { record_type: 'deals', record_id: 'id', owner: 'account' } as ListEntry;
const listed = (more: Partial<Listed>): Listed => ({
  ranks: { name: 'harbour dues', updated_at: '1' },
  lists: ['all'],
  words: ['harbour', 'dues', '=202611'],
  words_by: 'updated_at',
  ...more,
});

const signedLists = (more: Partial<Listed>) =>
  postingsOf(entry, listed(more)).flatMap(({ PK, signed }) =>
    signed ? [PK.slice(PK.lastIndexOf('#') + 1)] : [],
  );

describe('the postings of a record', () => {
  it('have one in lists of words, without those that no query finds', () => {
    const lists = signedLists({ found: { order: 'updated_at', text: ['crm', 'x1'] } });
    expect(lists.every((list) => /^deals:updated_at:(word|text):[a-z0-9]+$/.test(list))).toBe(true);
    expect(lists).toContain('deals:updated_at:word:harbo');
    expect(lists).toContain('deals:updated_at:text:crm');
  });

  it('have one in lists of titles, where there are any, and not in lists of words by name', () => {
    const lists = signedLists({
      words_by: 'name',
      found: { order: 'updated_at', title: ['harbour'], text: [] },
    });
    expect(lists).toEqual([
      'deals:updated_at:title:h',
      'deals:updated_at:title:har',
      'deals:updated_at:title:harbo',
    ]);
  });

  it('tell which words the record has in all of its texts', () => {
    const found = { order: 'updated_at', text: ['invoice'] };
    const postings = postingsOf(entry, listed({ found })).filter(({ signed }) => signed);
    expect(postings.length).toBeGreaterThan(0);
    for (const posting of postings) {
      expect(mayHaveAll([['harbour'], ['dues'], ['invoice']])(posting)).toBe(true);
      expect(mayHaveAll([['harbour'], ['zyzzyva']])(posting)).toBe(false);
      expect(mayHaveAll([['harbour'], ['dues']], { title: true })(posting)).toBe(true);
      expect(mayHaveAll([['harbour'], ['invoice']], { title: true })(posting)).toBe(false);
    }
  });
});
