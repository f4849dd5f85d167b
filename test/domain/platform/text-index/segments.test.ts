import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merged } from '#shared/domain/platform/text-index/merge.ts';
import { compareWords } from '#shared/domain/platform/text-index/order.ts';
import { type Posting, unpacked } from '#shared/domain/platform/text-index/packed.ts';
import { type Block, blocksOf, type Entry, sorted } from '#shared/domain/platform/text-index/segment.ts';
import { mergeable } from '#shared/domain/platform/text-index/sort.ts';

type Given = Entry<{ id: string; moment: number }>;

const word = fc.oneof(
  fc.constantFrom('a', 'ab', 'ab:', 'ab;', 'abc', 'b', 'zug', '\u{ffff}', '\u{1f600}', 'straße', '日本'),
  fc.string({ minLength: 1, maxLength: 6, unit: 'grapheme' }),
);
const entries = fc
  .array(fc.tuple(fc.integer({ min: -5, max: 5 }), fc.array(word, { maxLength: 8 })), { maxLength: 40 })
  .map((all): Given[] => all.map(([moment, words], i) => ({ doc: { id: `${i}`, moment }, words })));

async function packed(all: Given[]) {
  const { docs, postings } = sorted(all);
  const blocks: Block[] = [];
  for await (const block of blocksOf(postings)) blocks.push(block);
  return { docs, blocks };
}

async function* postingsOf(blocks: Block[]): AsyncGenerator<Posting> {
  for (const { bytes } of blocks) yield* unpacked(bytes);
}

/** Ids of the documents of each word, the newest first. */
async function read({ docs, blocks }: Awaited<ReturnType<typeof packed>>) {
  const found = new Map<string, string[]>();
  for await (const { word, numbers } of postingsOf(blocks))
    found.set(word, [...(found.get(word) ?? []), ...numbers.map((number) => docs[number]?.id as string)]);
  return [...found];
}

/** Each word is there, and once for all with its first character. */
const withBeginnings = (words: readonly string[]) => [
  ...words,
  ...words.map((each) => `${[...each][0]}*${/[:;]$/.exec(each) ?? ''}`),
];

function naive(given: Given[]) {
  const all = given.map(({ doc, words }) => ({ doc, words: withBeginnings(words) }));
  const inOrder = all.toSorted((a, b) => b.doc.moment - a.doc.moment || (a.doc.id > b.doc.id ? -1 : 1));
  const words = [...new Set(all.flatMap((each) => each.words))].sort(compareWords);
  return words.map((each) => [
    each,
    inOrder.filter(({ words }) => words.includes(each)).map(({ doc }) => doc.id),
  ]);
}

describe('segments', () => {
  it('have each word with its documents, the newest first', () =>
    fc.assert(
      fc.asyncProperty(entries, async (all) => {
        expect(await read(await packed(all))).toEqual(naive(all));
      }),
    ));

  it('are the same merged as made of all at once, in whatever parts', () =>
    fc.assert(
      fc.asyncProperty(entries, fc.array(fc.nat(6), { maxLength: 40 }), async (all, places) => {
        const groups = Map.groupBy(all, (_, i) => places[i] ?? 0);
        const parts = await Promise.all([...groups.values()].map(packed));
        const { docs, postings } = await merged(
          parts.map((part) => ({ docs: part.docs, postings: postingsOf(part.blocks) })),
        );
        const blocks: Block[] = [];
        for await (const block of blocksOf(postings)) blocks.push(block);
        expect(await read({ docs, blocks })).toEqual(naive(all));
      }),
    ));

  it('have the last state of a document that was merged with earlier ones', () =>
    fc.assert(
      fc.asyncProperty(fc.array(entries, { maxLength: 5 }), async (rounds) => {
        const parts = await Promise.all(rounds.map(packed));
        const { docs, postings } = await merged(
          parts.map((part) => ({ docs: part.docs, postings: postingsOf(part.blocks) })),
        );
        const blocks: Block[] = [];
        for await (const block of blocksOf(postings)) blocks.push(block);
        const last = new Map(rounds.flat().map((each) => [each.doc.id, each]));
        expect(await read({ docs, blocks })).toEqual(naive([...last.values()]));
      }),
    ));

  it('have a word of very many documents in several blocks, each named by its first', async () => {
    const all = Array.from({ length: 40_000 }, (_, i) => ({
      doc: { id: `${i}`, moment: i },
      words: ['all', `${i % 7}`],
    }));
    const { blocks } = await packed(all);
    const ofAll = blocks.filter((block) => block.word === 'all');
    expect(ofAll.length).toBeGreaterThan(2);
    expect(Math.max(...blocks.map(({ bytes }) => bytes.length))).toBeLessThan(12_000);
    const numbers = ofAll.map(({ number }) => number);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  });

  it('become one of the next size eight at a time, unless it takes longer than a worker lives', () => {
    const some = (count: number, level: number, docs: number) =>
      Array.from({ length: count }, (_, i) => ({ id: `${level}-${i}`, level, docs, newest: 0, made: 0 }));
    expect(mergeable([...some(7, 0, 64), ...some(7, 1, 512)])).toEqual([]);
    expect(mergeable([...some(8, 1, 512), ...some(9, 0, 64)])).toEqual(some(9, 0, 64));
    expect(mergeable([...some(3, 0, 64), ...some(8, 2, 30_000)])).toEqual(some(8, 2, 30_000));
    expect(mergeable([...some(8, 3, 40_000), ...some(8, 2, 100)])).toEqual(some(8, 2, 100));
    expect(mergeable(some(8, 3, 40_000))).toEqual([]);
  });
});
