import type { Happened } from '#shared/domain/collaboration/activity/activity.ts';
import { inList } from '#shared/domain/collaboration/record-lists/criteria.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { ownerList } from '#shared/domain/collaboration/record-lists/listed.ts';
import { namedOrders } from '#shared/domain/collaboration/record-lists/orders.ts';
import { numberRank } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { RecordKinds, RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { audienceOf } from '#shared/domain/collaboration/records/links.ts';
import { wordsOf } from '#shared/domain/platform/postings/words.ts';
import { mailAudience, ownersOf } from './carriers.ts';
import type { File } from './file.ts';

/** The lists of files (docs/decisions/0035). */

export const fileLists = {
  from: (source: File['source']) => `source:${source}`,
  extension: (extension: string) => `extension:${extension}`,
  content_type: (type: string) => `type:${type}`,
  of: ({ type, id }: RecordRef) => `${type}:${id}`,
};

/** Without parameters such as a charset. */
export const mediaType = (content_type: string) => content_type.replace(/;.*$/s, '').trim().toLowerCase();

export const isLinkedTo = (ref: RecordRef) =>
  inList<File>(fileLists.of(ref), ({ links }) =>
    links.some(({ type, id }) => type === ref.type && id === ref.id),
  );

const searchedWords = ({ name, file_name }: File) => [...new Set([...wordsOf(name), ...wordsOf(file_name)])];

/** Names of lists are keys: of an extension that is none, a few characters tell enough. */
const MAX_EXTENSION = 100;

export const listedExtension = (extension: string) => extension.slice(0, MAX_EXTENSION);

/** Files of mail come with their messages, which timelines have. */
const happened = (before: File | undefined, { source }: File): Happened[] =>
  !before && source !== 'attachment' ? [{ type: 'file_added' }] : [];

export function fileIndex(kinds: RecordKinds): RecordIndex<File> {
  return {
    type: 'files',
    orders: {
      ...namedOrders,
      size: ({ size }) => (size === null ? null : numberRank(size)),
    },
    words_by: 'created_at',
    words: searchedWords,
    found: ({ created_at }) => ({ order: 'created_at', moment: Date.parse(created_at), text: [] }),
    activity: { happened, linked: ({ links }) => links },
    lists: (file) => [
      ...ownersOf(file).map(ownerList),
      fileLists.from(file.source),
      ...(file.extension === null ? [] : [fileLists.extension(listedExtension(file.extension))]),
      ...(file.content_type === null ? [] : [fileLists.content_type(mediaType(file.content_type))]),
      ...file.links.map(fileLists.of),
    ],
    noted_moments: ['created', 'written'],
    periods: ['written'],
    personal: () => [],
    users: () => [],
    aside: ({ decorative }) => decorative,
    audience: async (table, file) => [
      ...new Set([
        ...(await audienceOf(table, kinds, file.links)),
        ...(await mailAudience(table, kinds, file)),
      ]),
    ],
  };
}
