import { type Body, call } from './api.ts';
import { type Child, h } from './dom.ts';
import { short, title } from './format.ts';
import { listPane } from './list.ts';
import { piecesOf } from './marks.ts';
import { type Place, placeOfRecord } from './place.ts';

/** The search over all records. */

type Result = Body<'searchRecords'>['search']['results'][number];

const snippetOf = ({ snippet, sublabel }: Result): Child[] =>
  snippet ? piecesOf(snippet).map(({ text, hit }) => (hit ? h('mark', {}, text) : text)) : [sublabel];

const TYPES = {
  '': 'All records',
  thread: 'Threads',
  contact: 'Contacts',
  organization: 'Organizations',
  deal: 'Deals',
  task: 'Tasks',
  file: 'Files',
  calendar_event: 'Events',
};

export function searchList(place: Place) {
  const { query, slice: types } = place.query;
  return listPane({
    title: 'Search',
    place,
    slices: TYPES,
    search: 'query',
    empty: query ? 'Nothing has all these words.' : 'Words find records by their beginnings.',
    load: async ({ page = '1' }) => {
      if (!query) return { rows: [], next: undefined };
      const { search } = await call<'searchRecords'>('GET', '/search', { query, types, page });
      return {
        rows: search.results.map((result) => ({
          id: result.id,
          href: placeOfRecord(result.type, result.id),
          title: result.label,
          below: snippetOf(result),
          marks: [title(result.type)],
          ...(result.occurred_at ? { when: short(result.occurred_at) } : {}),
        })),
        next: search.has_more ? { page: String(search.page + 1) } : undefined,
      };
    },
  });
}
