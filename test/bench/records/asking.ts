import { type Place, type Query, type RecordCase, tagCases, wordCases } from './cases.ts';
import { SPAN, WRITTEN } from './spacing.ts';

/** What is asked of lists, whatever their records are. */

/** A query by its name. */
export type Asked = readonly [string, (place: Place) => Query];

export type List = (
  place: Place,
  query: Query,
) => Promise<{ body: { collection: { records: unknown[]; page_info?: { next_cursor: string | null } } } }>;

export const asking =
  (list: List) =>
  ([name, query]: Asked): RecordCase => ({
    name,
    ask: async (place) => (await list(place, query(place))).body.collection.records.length,
  });

const named = (query: Query) =>
  Object.entries(query)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');

export const plainly = (...queries: Query[]): Asked[] => queries.map((query) => [named(query), () => query]);

/** With an id of the world. */
export const by = (name: string, idIn: (place: Place) => string | undefined): Asked => [
  name,
  (place) => ({ [name]: idIn(place) ?? '' }),
];

/** Sorted in another way as well. */
export const sorted = (asked: Asked[], sort: Query): Asked[] =>
  asked.map(([name, query]) => [`${name}, ${named(sort)}`, (place) => ({ ...query(place), ...sort })]);

export const noFilter: Asked = ['no filter', () => ({})];
/** Words of too few for the first records of an order, and of more at 100,000 than at 1,000. */
export const isJoined = ([name]: Asked) => name.includes('1 %');
export const words: Asked[] = wordCases.map(([name, query]) => [name, () => query()]);
export const tags: Asked[] = tagCases.map(([name, query]) => [name, ({ world }) => query(world)]);
export const spaces: Asked[] = [
  ['space_id, of records', ({ world }) => ({ space_id: world.around?.spaces[0] ?? '' })],
  ['space_id, of a tag', ({ tag_space_id = '' }) => ({ space_id: tag_space_id })],
];
export const fieldFilter: Asked = [
  'custom_fields[region], of 1 %',
  () => ({ 'custom_fields[region]': 'apac' }),
];
export const fieldSorts: Asked[] = plainly({ sort: 'custom_fields.score' }, { sort: 'custom_fields.region' });

export const tenEmployers: Asked = [
  'organization_id, ten of them',
  ({ world }) => ({ organization_id: world.around?.employers.slice(0, 10).join() ?? '' }),
];

/** Moments of records, in parts of the time in which they were created. */
function moments(): Record<'half' | 'few', Asked[]> {
  const at =
    (name: string, part: number): Asked[1] =>
    ({ world: { now } }) => ({ [name]: new Date(now - SPAN * part).toISOString() });
  const each = (kind: string, parts: [string, number][]): Asked[] =>
    parts.map(([name, part]) => [`${name}, ${kind}`, at(name, part)]);
  return {
    half: each('half', [
      ['created_after', 0.5],
      ['created_before', 0.5],
      ['updated_after', WRITTEN.half],
      ['updated_before', WRITTEN.half],
    ]),
    few: each('1 %', [
      ['created_after', 0.01],
      ['created_before', 0.99],
      ['updated_after', WRITTEN.last],
      ['updated_before', WRITTEN.first],
    ]),
  };
}

export const { half, few } = moments();

/** The cursor of the page after this many records, where there is one. */
export async function cursorAfter(
  list: List,
  place: Place,
  { depth, pause }: { depth: number; pause: () => void },
): Promise<Query> {
  let cursor: Query = {};
  for (let at = 0; at < depth; ) {
    if (at % 10_000 === 0) pause();
    const { records, page_info } = (await list(place, cursor)).body.collection;
    if (!page_info?.next_cursor) break;
    cursor = { next_cursor: page_info.next_cursor };
    at += records.length;
  }
  return cursor;
}
