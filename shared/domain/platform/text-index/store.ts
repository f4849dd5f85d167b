import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { type Posting, unpacked } from './packed.ts';
import { type Block, blocksOf, type Doc, NO_ID } from './segment.ts';

/** The items of an index: its state, its log of documents that are in no segment yet, and its segments. */

/** A document as it is stored. `ref` leads to it, and means nothing here. */
export interface StoredDoc extends Doc {
  ref: string;
}

export interface SegmentInfo {
  id: string;
  /** How many documents it has. */
  docs: number;
  /** Of the newest of them, in milliseconds. */
  newest: number;
  /** When it was written, in milliseconds. */
  made: number;
  /** 0 for one that was sorted from the log; a merge of segments is one above them. */
  level: number;
}

export type IndexState = Item & {
  segments: SegmentInfo[];
  /** Merged ones, which those who read an older state may still read, until a moment in milliseconds. */
  retired: { id: string; until: number }[];
  /** Log items that are in segments, and not deleted yet: by their sort keys, or as one version that may be replaced. */
  sorted: (string | SortedVersion)[];
  /** A segment that is being written, so that it is found when its worker dies. */
  making?: string;
  /** Documents that earlier segments have in a state from before, at most. */
  stale?: number;
  revision: number;
};

/** A log item as it was sorted. */
export interface SortedVersion {
  SK: string;
  version: string;
}

/** `version` tells one write of a document that changes from another; `replaces`: it was there before. */
export type LogItem = Item & StoredDoc & { words: string; version?: string; replaces?: true };

/** Documents of a segment that were there before. */
export type StaleItem = Item & { ids: string[] };

type DocsItem = Item & { docs: StoredDoc[] };
type BlockItem = Item & { bytes: Uint8Array };

/** In the place of a document that was taken out. No word leads to it. */
export const NO_DOC: StoredDoc = { id: NO_ID, moment: 0, ref: '' };

/** What the keys of the log and of the state begin with. */
const LOG = 'LOG';
/** Documents of an item: one read unit. */
const DOCS = 30;
/** Items that are written together. */
const AT_ONCE = 100;

export const findState = (table: Table, owner: string): Promise<IndexState | undefined> =>
  table.get<IndexState>(keys.textIndex(owner));

/** The log and then the state, in one query: what leaves the log meanwhile is in the state. */
export async function findLogAndState(
  table: Table,
  owner: string,
): Promise<{ log: LogItem[]; segments: SegmentInfo[] }> {
  const { PK, SK } = keys.textIndex(owner);
  const items = await table.all<LogItem | IndexState>(PK, LOG);
  const last = items.at(-1);
  if (last?.SK !== SK) return { log: items as LogItem[], segments: [] };
  return { log: items.slice(0, -1) as LogItem[], segments: (last as IndexState).segments };
}

/** The first of them, in the order of their ids: so many, or 1 MB. */
export async function someOfLog(
  table: Table,
  owner: string,
  most: number,
): Promise<{ log: LogItem[]; isWhole: boolean }> {
  const sort = { begins: keys.textLog(owner, '').SK };
  const page = await table.query<LogItem>({ partition: keys.textIndex(owner).PK, sort, limit: most });
  return { log: page.items, isWhole: page.last === undefined };
}

async function writeAll(table: Table, items: AsyncIterable<Item> | Iterable<Item>): Promise<void> {
  let some: { put: Item }[] = [];
  for await (const put of items) {
    some.push({ put });
    if (some.length < AT_ONCE) continue;
    await table.writeMany(some);
    some = [];
  }
  await table.writeMany(some);
}

function* docsItems(owner: string, segment: string, docs: readonly StoredDoc[]): Generator<DocsItem> {
  for (let at = 0; at < docs.length; at += DOCS)
    yield { ...keys.textDocs(owner, segment, at / DOCS), docs: docs.slice(at, at + DOCS) };
}

async function* blockItems(
  owner: string,
  segment: string,
  blocks: AsyncIterable<Block>,
): AsyncGenerator<BlockItem> {
  for await (const { word, number, bytes } of blocks)
    yield { ...keys.textBlock(owner, segment, word, number), bytes };
}

/** Before anything names it: a worker that dies writes the same again. */
export async function writeSegment(
  table: Table,
  owner: string,
  id: string,
  { docs, postings }: { docs: readonly StoredDoc[]; postings: AsyncIterable<Posting> | Iterable<Posting> },
): Promise<void> {
  await writeAll(table, docsItems(owner, id, docs));
  await writeAll(table, blockItems(owner, id, blocksOf(postings)));
}

export async function removeSegment(table: Table, owner: string, id: string): Promise<void> {
  const { PK, SK } = keys.textSegment(owner, id);
  for await (const page of table.pages<Item>(PK, SK))
    await table.writeMany(page.map((item) => ({ delete: { PK, SK: item.SK } })));
}

export function docsPages(table: Table, owner: string, id: string): AsyncGenerator<DocsItem[]> {
  const { PK, SK } = keys.textDocs(owner, id, 0);
  return table.pages<DocsItem>(PK, SK.slice(0, SK.lastIndexOf('#') + 1));
}

export function blockPages(table: Table, owner: string, id: string): AsyncGenerator<BlockItem[]> {
  const { PK, SK } = keys.textBlocks(owner, id);
  return table.pages<BlockItem>(PK, SK);
}

export async function allDocs(table: Table, owner: string, id: string): Promise<StoredDoc[]> {
  const all: StoredDoc[] = [];
  for await (const page of docsPages(table, owner, id)) all.push(...page.flatMap(({ docs }) => docs));
  return all;
}

export async function* allPostings(table: Table, owner: string, id: string): AsyncGenerator<Posting> {
  for await (const page of blockPages(table, owner, id)) for (const { bytes } of page) yield* unpacked(bytes);
}

/** A segment of an index, and whether it has to be read consistently, at twice the price. */
export interface Place {
  owner: string;
  id: string;
  consistent: boolean;
}

/** The postings of all words that begin with a term. */
export async function postingsWith(
  table: Table,
  { owner, id, consistent }: Place,
  term: string,
): Promise<Posting[]> {
  const { PK, SK: begins } = keys.textBlocks(owner, id);
  const from = keys.textBlock(owner, id, term, 0).SK;
  const all = async (after?: Record<string, unknown>): Promise<BlockItem[]> => {
    const sort = { from, to: `${begins}${term}\u{10ffff}` };
    const { items, last } = await table.query<BlockItem>({
      partition: PK,
      sort,
      limit: 1_000,
      after,
      consistent,
    });
    return last ? [...items, ...(await all(last))] : items;
  };
  // The last block that begins before the term may have its first words.
  const before = async () => {
    const sort = { from: begins, to: from };
    const last = { partition: PK, sort, limit: 1, newest_first: true, consistent };
    return (await table.query<BlockItem>(last)).items;
  };
  const [first, rest] = await Promise.all([before(), all()]);
  const isWanted = (word: string) => word.startsWith(term);
  const blocks = first[0]?.SK === rest[0]?.SK ? rest : [...first, ...rest];
  return blocks.flatMap(({ bytes }) => [...unpacked(bytes, isWanted)]);
}

/** Documents by their numbers in a segment. */
export async function docsAt(
  table: Table,
  { owner, id, consistent }: Place,
  numbers: readonly number[],
): Promise<Map<number, StoredDoc>> {
  const pages = [...new Set(numbers.map((number) => Math.floor(number / DOCS)))];
  const wanted = pages.map((page) => keys.textDocs(owner, id, page));
  const items = await table.getMany<DocsItem>(wanted, { consistent });
  const bySK = new Map(items.map((item) => [item.SK, item.docs]));
  return new Map(
    numbers.flatMap((number) => {
      const doc = bySK.get(keys.textDocs(owner, id, Math.floor(number / DOCS)).SK)?.[number % DOCS];
      return doc ? [[number, doc] as const] : [];
    }),
  );
}
