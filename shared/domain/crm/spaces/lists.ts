import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { nameRank } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { Space } from './space.ts';

/** The list of spaces (docs/decisions/0035): by name, archived ones last. */
export const spaceIndex: RecordIndex<Space> = {
  type: 'spaces',
  orders: { name: ({ name, archived }) => `${archived ? 1 : 0}#${nameRank(name)}` },
  words_by: 'name',
  words: () => [],
  lists: () => [],
  personal: () => [],
  users: () => [],
};
