import { describe, expect, it } from 'vitest';
import {
  presentTags,
  shownTag,
  type TagDictionary,
  tagAliases,
} from '#shared/domain/collaboration/tags/store.ts';
import type { Tag } from '#shared/domain/collaboration/tags/tag.ts';

/** Tags by name, in this order; `replaced` says what deleted ones were replaced by. */
function dictionaryOf(names: string[], replaced: Record<string, string | null> = {}): TagDictionary {
  const tag = (name: string) => ({
    id: name,
    name,
    ...(name in replaced
      ? { deleted_at: '2026-11-20T09:30:00.000Z', replacement_tag_id: replaced[name] }
      : {}),
  });
  return new Map(names.map((name) => [name, tag(name) as unknown as Tag]));
}

describe('the dictionary of tags', () => {
  const dictionary = dictionaryOf(['a', 'b', 'c', 'd', 'e', 'f'], {
    b: 'a',
    c: 'b',
    d: null,
    e: 'd',
    f: 'expired',
  });

  it('leads from a deleted tag over all replacements to the tag that records show', () => {
    for (const id of ['a', 'b', 'c']) expect(shownTag(dictionary, id)?.id).toBe('a');
  });

  it('leads nowhere from a deleted tag without replacement, from tags that lead to it, and from an unknown id', () => {
    for (const id of ['d', 'e', 'f', 'unknown', '']) expect(shownTag(dictionary, id)).toBeUndefined();
  });

  it('leads on from a tag that is long gone by the one that took its place, over replacements of that', () => {
    const tags = dictionaryOf(['a', 'b', 'c'], { b: 'a', c: null });
    const taking = (id: string, replaces: string[]) => {
      const tag = { ...(tags.get(id) as Tag), replaces: new Set(replaces) };
      return new Map([...tags, [id, tag]]);
    };
    for (const id of ['a', 'b']) expect(shownTag(taking(id, ['y', 'z']), 'z')?.id).toBe('a');
    expect(shownTag(taking('c', ['z']), 'z')).toBeUndefined();
    expect(tagAliases(taking('a', ['z']), 'a')).toEqual(['a', 'b']);
  });

  it('gives the ids that count as a tag: its own and those that lead to it', () => {
    expect(tagAliases(dictionary, 'a')).toEqual(['a', 'b', 'c']);
    expect(tagAliases(dictionaryOf(['x', 'y']), 'y')).toEqual(['y']);
  });

  it('gives none for a tag that is deleted, or that is not there', () => {
    for (const id of ['b', 'c', 'd', 'unknown', '']) expect(tagAliases(dictionary, id)).toEqual([]);
  });

  it('shows each tag of a record once, by name', () => {
    const tags = dictionaryOf(['a', 'Zebra', 'mango', 'old'], { old: 'Zebra' });
    const shown = presentTags(tags, new Set(['old', 'Zebra', 'mango', 'unknown', 'a']));
    expect(shown.map(({ name }) => name)).toEqual(['a', 'mango', 'Zebra']);
    expect(presentTags(tags, ['old']).map(({ id }) => id)).toEqual(['Zebra']);
  });
});
