import { findAllRecords } from '#shared/domain/collaboration/record-lists/whole.ts';
import { spaceIndex } from '#shared/domain/crm/spaces/lists.ts';
import type { Space } from '#shared/domain/crm/spaces/space.ts';
import type { Hit } from '../kind.ts';
import { titleIn } from '../texts.ts';
import { searchableList } from '../whole-list.ts';

const hitOf = (space: Space): Hit<Space> => ({
  id: space.id,
  record: space,
  label: space.name,
  moment: Date.parse(space.created_at),
  texts: titleIn('name', space.name),
});

/** Spaces in the search over all records. */
export const searchableSpaces = searchableList<Space>(async (ctx) => {
  const spaces = await findAllRecords<Space>(ctx, {
    ...{ index: spaceIndex, criteria: [], sort: 'name', order: 'asc' },
  });
  return spaces.map(hitOf);
});
