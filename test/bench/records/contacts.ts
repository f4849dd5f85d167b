import {
  type Asked,
  by,
  few,
  fieldFilter,
  fieldSorts,
  half,
  isJoined,
  noFilter,
  plainly,
  sorted,
  spaces,
  tags,
  tenEmployers,
  words,
} from './asking.ts';
import type { Family } from './families.ts';
import { SPAN } from './spacing.ts';
import { phoneOf, planted } from './world.ts';

/** What is asked of lists of contacts. */

const filters: Asked[] = [
  noFilter,
  ...plainly(...['mine', 'pinned', 'shared', 'recent', 'unemployed'].map((slice) => ({ slice }))),
  ...words,
  ['query, three letters', () => ({ query: 'con' })],
  ['query, one letter', () => ({ query: 'c' })],
  by('email_address', ({ world }) => world.email_address),
  by('phone_number', ({ world }) => phoneOf(world.rows - 1)),
  by('external_id', ({ world }) => world.external_id),
  by('organization_id', ({ world }) => world.around?.employers[0]),
  ['tags, any of three', ({ world: { tags } }) => ({ tags: [tags.hundredth, tags.half, tags.rare].join() })],
  ...spaces,
  ...tags,
  fieldFilter,
];

const sorts = plainly({ sort: 'created_at' }, { sort: 'updated_at' }, { sort: 'updated_at', order: 'asc' });
const tagged = tags.slice(2);
const byWriting = sorted(words, { sort: 'updated_at' });
const mine = plainly({ slice: 'mine' });

const since = (name: string, part: number): Asked => [
  name,
  ({ world: { now } }) => ({ updated_after: new Date(now - SPAN * part).toISOString() }),
];

export const contacts: Family = {
  name: 'contacts',
  share: 1,
  list: ({ api }, query) => api.listContacts({ query: query as never }),
  count: async ({ api }, query) => (await api.countContacts({ query: query as never })).body.count.total,
  pages: [
    ...filters,
    ...half,
    ...few,
    tenEmployers,
    ...plainly({ order: 'desc' }),
    ...sorts,
    ...plainly({ sort: 'last_interaction_at' }),
    ...fieldSorts,
    ...byWriting.filter((each) => !isJoined(each)),
    ...sorted(words, { sort: 'created_at' }),
    ...sorted(half.slice(2), { sort: 'updated_at' }),
    ...sorted(half.slice(0, 2), { sort: 'created_at' }),
    ...sorts.flatMap(([, sort]) => sorted([...tagged, ...mine], sort({} as never))),
  ],
  /** More than one filter, and words of some in an order that has no lists of words. */
  hard: [
    [
      'two tags',
      ({ world }) => ({ tags: `${world.tags.half},${world.tags.hundredth}`, tag_operator: 'all' }),
    ],
    ['unemployed with a tag', ({ world }) => ({ slice: 'unemployed', tags: world.tags.half })],
    ['mine by a word of half', () => ({ slice: 'mine', query: planted.half })],
    ...byWriting.filter(isJoined),
    since('updated_after, all', 2),
    [
      'a tag, updated_after, half',
      ({ world }) => ({ tags: world.tags.half, updated_after: new Date(world.now).toISOString() }),
    ],
  ],
  depths: [500, 5_000, 50_000],
  counts: [...filters, ...half, ['no filter, cap=1000', () => ({ cap: 1_000 })]],
};
