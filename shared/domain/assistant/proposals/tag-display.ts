import { changeOf, type Display } from '#shared/domain/collaboration/replies/display.ts';
import type { ActionType } from './proposal.ts';

/** What a tag action does with the tag that has the name; the record is described beside it. */
export function displayOfTag(action: ActionType, name: string): Pick<Display, 'title' | 'changes'> {
  return action === 'tag.apply'
    ? { title: `Add the tag ${name}`, changes: [changeOf('tags', null, name)] }
    : { title: `Remove the tag ${name}`, changes: [changeOf('tags', name, null)] };
}
