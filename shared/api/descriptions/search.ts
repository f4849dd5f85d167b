import type { Descriptions } from './descriptions.ts';

/** The search over all records (docs/specification/search.md). */
export const search: Descriptions = {
  Search: {
    is: 'A page of what a search found.',
    fields: {
      query: 'What was searched, without spaces around it.',
      page: 'The number of the page, from 1.',
      limit: 'Results of a full page.',
      has_more: 'Whether there is another page.',
      total: 'How many results there are; null where they were not all read.',
      results: 'The best first, and the newest first among those that match equally well.',
    },
  },
  SearchResult: {
    is: 'A record that a search found.',
    fields: {
      type: 'What kind of record it is.',
      id: 'The id of the record; of a series of events, that of its next occurrence, or its last one.',
      label: 'What the record is called: its name, or the subject of a thread; empty without one.',
      sublabel:
        'What tells it from others: of a contact the position and the employer, of an organization its domain, of a deal the stage, of a thread the last sender, of a file its file name, of an event the location. Null without any.',
      snippet:
        'A text in which words of the query were found, as HTML: they are in `mark`, the only element, and all else is escaped.',
      matched_fields: 'The fields in which words of the query were found.',
      score: 'How well it matches: no result has a higher score than those before it.',
      occurred_at:
        'The moment that orders equal matches: when a deal was last written, the last mail of a thread was sent, a task is due, an event starts, and for all others when they were created.',
    },
  },
  SearchResponse: { is: 'The body of a response.', fields: { search: 'A page of what was found.' } },
};
