import { visibility } from '#shared/composition/visibility.ts';
import type { File } from '#shared/domain/work/files/file.ts';
import { fileIndex } from '#shared/domain/work/files/lists.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { by, few, half, noFilter, plainly, sorted, tags, words } from './asking.ts';
import type { Copied } from './copies.ts';
import type { Family } from './families.ts';
import { asked, linksOf } from './tasks.ts';
import { among } from './world.ts';

/** Uploaded files of the world, and what is asked of their lists. */

const SHARE = 0.5;

const copied: Copied<File> = {
  share: SHARE,
  index: fileIndex(visibility.records),
  tagged: true,
  async model({ world: { account_id, user_id, now } }) {
    const id = newId(new Date(now));
    return {
      ...{ ...keys.record('files', id), id, account_id, user_id },
      ...{ name: 'Model', file_name: 'offer.pdf', extension: 'pdf', content_type: 'application/pdf' },
      ...{ description: null, size: 1_000, source: 'upload', decorative: false, links: [] },
      ...{ visibility: 'account', shares: {}, created_at: new Date(now).toISOString(), updated_at: null },
    };
  },
  own: (number, amid) => ({
    size: number,
    links: linksOf(number, amid, asked),
    ...(among(number, amid.rows, 0.1) ? { extension: 'csv', content_type: 'text/csv' } : {}),
  }),
};

export const files: Family = {
  name: 'files',
  share: SHARE,
  copied: copied as never,
  list: ({ api }, query) => api.listFiles({ query: query as never }),
  pages: [
    noFilter,
    ...plainly(
      ...['mine', 'uploads', 'attachments', 'shared', 'recent'].map((slice) => ({ slice })),
      { extension: 'csv' },
      { content_type: 'text/csv' },
      { include_decorative: true },
      ...['name', 'size', 'updated_at'].map((sort) => ({ sort })),
    ),
    ...Object.entries(asked).map(([name, idIn]) => by(name, idIn)),
    ...tags,
    ...words,
    ...half,
    ...few,
    ...sorted(half.slice(2), { sort: 'updated_at' }),
  ],
  hard: plainly({ extension: 'csv', sort: 'size' }),
  depths: [500, 5_000],
};
