import { sentAmong } from '#shared/domain/collaboration/records/sent.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { isLiveTag } from '#shared/domain/collaboration/tags/tag.ts';
import { invalidField, recordNotFound } from '#shared/errors.ts';
import type { Space, SpaceChanges } from './space.ts';

/** Stores the fields that requests send of a space. */

const plainFields = [
  'name',
  'description',
  'color',
  'icon',
  'tag_operator',
  'visibility',
  'archived',
] as const;

/** 404 for a tag that the account does not have. */
function requireTags(tag_ids: string[], dictionary: TagDictionary): string[] {
  if (!tag_ids.every((id) => isLiveTag(dictionary.get(id)))) throw recordNotFound();
  return [...new Set(tag_ids)];
}

/** The space with the sent fields. 400 for tags of a space that is made of records; 404 for an unknown tag. */
export function withSent(before: Space, sent: SpaceChanges, tags: TagDictionary): Space {
  const { tag_ids } = sent;
  if (tag_ids && tag_ids.length > 0 && before.kind === 'records')
    throw invalidField('tag_ids', 'invalid', 'are for spaces of the kind tags');
  return {
    ...before,
    ...sentAmong(plainFields, sent),
    ...(tag_ids ? { chosen_tag_ids: requireTags(tag_ids, tags) } : {}),
  };
}
