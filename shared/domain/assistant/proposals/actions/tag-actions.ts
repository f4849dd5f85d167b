import type { TaggableType } from '#shared/domain/collaboration/records/types.ts';
import type { Actions } from './action.ts';
import { tagApply } from './tag-apply.ts';
import { tagRemove } from './tag-remove.ts';

/** The actions on records of these types. */
export function tagActions(types: readonly TaggableType[]): Actions {
  return { 'tag.apply': tagApply(types), 'tag.remove': tagRemove(types) };
}
