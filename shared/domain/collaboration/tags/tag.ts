import * as z from 'zod';
import { singular, type TaggableType, taggableTypes } from '#shared/domain/collaboration/records/types.ts';
import { defaulted, derived, given, required, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { color, nameAsTyped, text, uuid } from '#shared/values.ts';

/** The attribute of a tag that counts its records of a type. */
export type CountName = `${ReturnType<typeof singular<TaggableType>>}_count`;

export function countName(type: TaggableType): CountName {
  return `${singular(type)}_count`;
}

const countNames = taggableTypes.map(countName);

/** Whether the tag exists and is not deleted. */
export function isLiveTag(tag: Tag | undefined): tag is Tag {
  return tag !== undefined && tag.deleted_at === undefined;
}

const count = z.int().nullable();

/** Characters: the list of tags is returned whole, and every list of records contains their tags. */
const MAX_DESCRIPTION = 1_000;

/** Stored as typed; compared by `foldName`. */
export const tagName = nameAsTyped(255).meta({ example: 'Renewal' });

const flag = z.boolean().nullable();

const tags = resource('Tag', {
  id: given(uuid),
  name: required(tagName, z.string().meta({ example: 'Renewal' })),
  color: defaulted(color.nullable(), null, color.nullable()),
  description: defaulted(
    text(MAX_DESCRIPTION).nullable(),
    null,
    z.string().nullable().meta({ example: 'Contracts that end soon' }),
  ),
  applicable_to_contacts: defaulted(flag, false, flag),
  applicable_to_interactions: defaulted(flag, false, flag),
  contact_count: derived(count),
  organization_count: derived(count),
  deal_count: derived(count),
  thread_count: derived(count),
  file_count: derived(count),
  calendar_event_count: derived(count),
});

/**
 * A tag as stored. Its counters are the numbers of its taggings, and an item of its own reserves its name. A deleted
 * tag is kept until no record has it, and a day longer: until then its records show the replacement.
 */
export type Tag = Item &
  StoredFields<typeof tags.fields> &
  Record<CountName, number> & {
    account_id: string;
    created_at: string;
    deleted_at?: string;
    /** Of a deleted tag; null when its records show nothing instead. */
    replacement_tag_id?: string | null;
    /** Ids of deleted tags, by now gone, that this one took the place of: what keeps a tag for good may name them. */
    replaces?: Set<string>;
  };

/** docs/specification/records.md, "Tags". */
export const tagSchema = tags.response;
export const tagDraft = tags.draft.meta({ id: 'TagDraft' });
/** Fields that are not sent stay; fields of the service are ignored. */
export const tagChanges = tags.writableChanges.meta({ id: 'TagChanges' });

export type TagRecord = z.infer<typeof tagSchema>;
export type TagDraft = z.infer<typeof tagDraft>;
export type TagChanges = z.infer<typeof tagChanges>;

const noCounts = Object.fromEntries(countNames.map((name) => [name, null])) as Record<CountName, null>;

/** Descriptions from before there was a limit may be longer. */
function shownDescription(description: string | null = null): string | null {
  if (description === null || description.length <= MAX_DESCRIPTION) return description;
  return [...description].slice(0, MAX_DESCRIPTION).join('');
}

function presentWith(tag: Tag, counts: Record<CountName, number | null>): TagRecord {
  return { ...tags.present(tag, counts), description: shownDescription(tag.description) };
}

/** A tag without counts: everywhere except in the list of tags and in a retrieved tag. */
export const presentTag = (tag: Tag): TagRecord => presentWith(tag, noCounts);

export const presentTagWithCounts = (tag: Tag): TagRecord => presentWith(tag, tag);
