import * as z from 'zod';
import { singular, type TaggableType, taggableTypes } from '#shared/domain/collaboration/records/types.ts';
import { invalidField } from '#shared/errors.ts';
import { derived, given, narrower, resource, type StoredFields } from '#shared/resource.ts';
import { keys, lists } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { color, timestamp, uuid } from '#shared/values.ts';
import { presentTag, type Tag, tagName, tagSchema } from './tag.ts';

const taggings = resource('Tagging', {
  id: given(uuid),
  tag_id: given(uuid),
  taggable_type: derived(z.enum(taggableTypes.map(singular))),
  taggable_id: derived(uuid),
  user_id: narrower(uuid.nullable(), uuid),
  created_at: narrower(timestamp.nullable(), timestamp),
  tag: derived(tagSchema.nullable()),
});

/** A tag on a record, stored with the record. `list` and `rank` sort it among the tag's records of that type. */
export type Tagging = Item &
  StoredFields<typeof taggings.fields> & {
    account_id: string;
    record_type: TaggableType;
    record_id: string;
    list: string;
    rank: string;
  };

/** docs/specification/records.md, "Taggings". */
export const taggingSchema = taggings.response;

/** The color is used only for a new tag. */
const namedTag = z.object({ name: tagName, color: color.optional() }).meta({ id: 'NamedTag' });

/** A tag by its id or by its name, which creates a missing tag: exactly one of the two. */
export const tagChoice = { tag_id: uuid.optional(), tag: namedTag.optional() };

export type TagChoice = { tag_id: string } | z.infer<typeof namedTag>;

/** 400 for both or neither. */
export function readTagChoice(sent: {
  tag_id?: string | undefined;
  tag?: z.infer<typeof namedTag> | undefined;
}): TagChoice {
  if (sent.tag_id !== undefined && sent.tag !== undefined)
    throw invalidField('tag', 'not_allowed', 'cannot be sent together with tag_id');
  if (sent.tag !== undefined) return sent.tag;
  if (sent.tag_id === undefined) throw invalidField('tag_id', 'required', 'is required without tag');
  return { tag_id: sent.tag_id };
}

export function presentTagging(tagging: Tagging, tag: Tag): z.infer<typeof taggingSchema> {
  return taggings.present(tagging, {
    taggable_type: singular(tagging.record_type),
    taggable_id: tagging.record_id,
    tag: presentTag(tag),
  });
}

/** Whether its record is deleted and may be restored: no tag counts it (docs/decisions/0055). */
export const rests = ({ list, tag_id, record_type }: Tagging) =>
  list === lists.restingTagged(tag_id, record_type);

/** The tagging with the other tag; it keeps its author and time. */
export function replaced(tagging: Tagging, tag_id: string): Tagging {
  const { record_type, record_id } = tagging;
  const key = keys.tagging(record_type, record_id, tag_id);
  const list = rests(tagging) ? lists.restingTagged(tag_id, record_type) : lists.tagged(tag_id, record_type);
  return { ...tagging, ...key, tag_id, list };
}
