import { type Client, createClient } from '#shared/api/client.ts';
import { families } from '../../../functions/catalogue.ts';
import { planted, type RecordWorld } from './world.ts';

/** What is asked of lists of contacts. */

export interface Place {
  api: Client<typeof families>;
  world: RecordWorld;
  /** Of all deals. */
  stage_id?: string;
}

export const placeOf = (base_url: string, world: RecordWorld): Place => ({
  world,
  api: createClient(families, { base_url, key: world.keys.write_key }),
});

export interface RecordCase {
  name: string;
  /** Gives the number of rows. */
  ask(place: Place): Promise<number>;
}

export type Query = Record<string, string | number | boolean>;

const MINUTE = 60_000;
const ago = ({ now, rows }: RecordWorld, share: number) =>
  new Date(now - rows * share * MINUTE).toISOString();

export const wordCases: [string, () => Query][] = [
  ['query, a rare word', () => ({ query: planted.rare })],
  ['query, a word of 1 %', () => ({ query: planted.hundredth })],
  ['query, a word of half', () => ({ query: planted.half })],
];

export const tagCases: [string, (world: RecordWorld) => Query][] = [
  ['tags, a rare one', ({ tags }) => ({ tags: tags.rare })],
  ['tags, of 1 %', ({ tags }) => ({ tags: tags.hundredth })],
  ['tags, of half', ({ tags }) => ({ tags: tags.half })],
];

const filters: [string, (world: RecordWorld) => Query][] = [
  ['no filter', () => ({})],
  ...['mine', 'pinned', 'shared', 'recent', 'unemployed'].map((slice): [string, () => Query] => [
    `slice=${slice}`,
    () => ({ slice }),
  ]),
  ...wordCases,
  ['query, three letters', () => ({ query: 'con' })],
  ['query, one letter', () => ({ query: 'c' })],
  ['email_address', ({ email_address }) => ({ email_address })],
  ...tagCases,
  ['updated_after, sort=updated_at', (world) => ({ updated_after: ago(world, 0), sort: 'updated_at' })],
];

const sorts: Query[] = [
  {},
  { order: 'desc' },
  { sort: 'created_at' },
  { sort: 'updated_at' },
  { sort: 'updated_at', order: 'asc' },
];

const listed = (name: string, query: (world: RecordWorld) => Query): RecordCase => ({
  name,
  ask: async ({ api, world }) =>
    (await api.listContacts({ query: query(world) as never })).body.collection.records.length,
});

const named = (sort: Query) =>
  Object.entries(sort)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');

export const pageCases: RecordCase[] = [
  ...filters.map(([name, query]) => listed(name, query)),
  ...sorts.slice(1).map((sort) => listed(named(sort), () => sort)),
  ...sorts
    .slice(2)
    .flatMap((sort) => [
      listed(`tags, of half, ${named(sort)}`, ({ tags }) => ({ tags: tags.half, ...sort })),
      listed(`slice=mine, ${named(sort)}`, () => ({ slice: 'mine', ...sort })),
    ]),
];

/** More than one filter, and words in an order that has no lists of words. */
export const hardCases: RecordCase[] = [
  listed('two tags', ({ tags }) => ({ tags: `${tags.half},${tags.hundredth}`, tag_operator: 'all' })),
  listed('unemployed with a tag', ({ tags }) => ({ slice: 'unemployed', tags: tags.half })),
  listed('mine by a word of half', () => ({ slice: 'mine', query: planted.half })),
  listed('sort=last_interaction_at', () => ({ sort: 'last_interaction_at' })),
  listed('a rare word, sort=updated_at', () => ({ query: planted.rare, sort: 'updated_at' })),
  listed('a word of 1 %, sort=updated_at', () => ({ query: planted.hundredth, sort: 'updated_at' })),
  listed('a word of half, sort=updated_at', () => ({ query: planted.half, sort: 'updated_at' })),
  listed('updated_after by name, all', (world) => ({ updated_after: ago(world, 2) })),
  listed('updated_after by name, half', (world) => ({ updated_after: ago(world, 0) })),
  listed('a tag, updated_after, all', (world) => ({ tags: world.tags.half, updated_after: ago(world, 2) })),
];

export const countCases: RecordCase[] = [
  ...filters.filter(([name]) => !name.includes('sort=')),
  ['updated_after', (world) => ({ updated_after: ago(world, 0) })] as [string, (world: RecordWorld) => Query],
  ['no filter, cap=1000', () => ({ cap: 1_000 })] as [string, () => Query],
].map(([name, query]) => ({
  name,
  ask: async ({ api, world }) => (await api.countContacts({ query: query(world) as never })).body.count.total,
}));

/** The page after this many contacts. */
export const depths = [500, 5_000, 50_000];

/** Walks there by cursors, outside of what is measured; `pause` before the rate limit is reached. */
export async function deepCase({ api }: Place, depth: number, pause: () => void): Promise<RecordCase> {
  let next_cursor: string | null = null;
  for (let at = 0; at < depth; at += 50) {
    if (at % 10_000 === 0) pause();
    const query: object = next_cursor === null ? {} : { next_cursor };
    const { body }: Awaited<ReturnType<typeof api.listContacts>> = await api.listContacts({
      query: query as never,
    });
    next_cursor = body.collection.page_info.next_cursor;
    if (next_cursor === null) break;
  }
  const cursor: Query = next_cursor === null ? {} : { next_cursor };
  return listed(`after ${depth.toLocaleString('en')} contacts`, () => cursor);
}
