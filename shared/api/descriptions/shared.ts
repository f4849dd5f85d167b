import type { Descriptions, Fields } from './descriptions.ts';

/** Fields that mean the same wherever a table does not say more. */
export const everywhere: Fields = {
  id: 'Identifies it, in requests as well.',
  created_at: 'When it was created.',
  updated_at: 'When it was last changed; null until the first change.',
  sort: 'By what the list is sorted; null when it was not asked for.',
  order: 'Whether the list ascends or descends.',
  page: 'The number of this page, from 1.',
  per_page: 'The size of a page that is in effect.',
  pages: 'How many pages there are.',
  total_results: 'How many records there are on all pages.',
  filters: 'The filter parameters that were sent; null when there were none.',
  slice_key: 'The slice that was sent; null when there was none.',
  records: 'The records of this page, in the order of the list.',
  collection: 'The records, and where they are in the list.',
};

/** Shapes that families share (docs/specification/requests.md). */
export const shared: Descriptions = {
  Uuid: { is: 'A UUID of any version; the service returns it in lower case.' },
  Timestamp: { is: 'A moment in UTC, with milliseconds.' },
  Ok: { is: 'That it was done.', fields: { ok: 'Always `ok`.' } },
  PageInfo: {
    is: 'Where a page is in its list.',
    fields: {
      limit: 'The size of a page that is in effect.',
      next_cursor: 'Send it with the same filters for the next page; null on the last.',
      prev_cursor:
        'Send it with the same filters for the previous page; null on the first, and in lists that page forward only.',
      has_more_after: 'Whether there is a next page.',
      has_more_before: 'Whether there is a previous page; false in lists that page forward only.',
    },
  },
  Health: {
    is: 'That the service and its table respond.',
    fields: {
      status: 'Always `ok`: any other state is an error.',
      version: 'The release that responds.',
    },
  },
  HealthResponse: { is: 'The state of the service.', fields: { health: 'What responds.' } },
  Count: {
    is: 'How many records there are.',
    fields: {
      total: 'The number counted.',
      exact: 'False when counting stopped at the cap.',
      capped: 'True when counting stopped at the cap.',
      cap: 'Where counting stops; null without a cap.',
    },
  },
};
