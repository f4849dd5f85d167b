import { asRecord } from '#shared/domain/collaboration/activity/happened.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { nameRank } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { Space } from './space.ts';

/** The list of spaces (docs/decisions/0035): by name, archived ones last. */
export const spaceIndex: RecordIndex<Space> = {
  type: 'spaces',
  orders: { name: ({ name, archived }) => `${archived ? 1 : 0}#${nameRank(name)}` },
  words_by: 'name',
  words: () => [],
  activity: asRecord(
    ({ name, description, color, icon, chosen_tag_ids, tag_operator, visibility, archived }) => ({
      ...{ name, description, color, icon, tag_operator, visibility, archived },
      tag_ids: chosen_tag_ids,
    }),
  ),
  lists: () => [],
  personal: () => [],
  users: () => [],
};
