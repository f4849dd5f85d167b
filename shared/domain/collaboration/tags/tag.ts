import * as z from 'zod';
import { singular, type TaggableType, taggableTypes } from '#shared/domain/collaboration/records/types.ts';
import type { Item } from '#shared/table/table.ts';
import { color, nameAsTyped, text, uuid } from '#shared/values.ts';

/** How many records of a type carry a tag, as an attribute of the tag. */
export type CountName = `${ReturnType<typeof singular<TaggableType>>}_count`;

export function countName(type: TaggableType): CountName {
  return `${singular(type)}_count`;
}

const countNames = taggableTypes.map(countName);

/**
 * A tag as stored. Its counters are the number of its taggings, and its name is held by an item of its own. A deleted
 * tag is kept until no record carries it, and a day longer: until then its records show the replacement instead.
 */
export type Tag = Item & {
  id: string;
  account_id: string;
  name: string;
  color: string | null;
  description: string | null;
  applicable_to_contacts: boolean | null;
  applicable_to_interactions: boolean | null;
  created_at: string;
  deleted_at?: string;
  /** Of a deleted tag; null when its records show nothing instead. */
  replacement_tag_id?: string | null;
} & Record<CountName, number>;

/** Whether it is a tag of the account still. */
export function stands(tag: Tag | undefined): tag is Tag {
  return tag !== undefined && tag.deleted_at === undefined;
}

const count = z.int().nullable();

/** docs/specification/records.md, "Tags". */
export const tagRecord = z
  .strictObject({
    id: uuid,
    name: z.string().meta({ example: 'Renewal' }),
    color: color.nullable(),
    description: z.string().nullable().meta({ example: 'Contracts that end soon' }),
    applicable_to_contacts: z.boolean().nullable(),
    applicable_to_interactions: z.boolean().nullable(),
    contact_count: count,
    organization_count: count,
    deal_count: count,
    thread_count: count,
    file_count: count,
    calendar_event_count: count,
  })
  .meta({ id: 'Tag' });

export type TagRecord = z.infer<typeof tagRecord>;

/** Characters: the list of tags is answered whole, and records carry theirs in every list. */
const MAX_DESCRIPTION = 1_000;

/** Stored as typed; compared by `foldName`. */
export const tagName = nameAsTyped(255).meta({ example: 'Renewal' });

const attributes = {
  name: tagName,
  color: color.nullable(),
  description: text(MAX_DESCRIPTION).nullable(),
  applicable_to_contacts: z.boolean().nullable(),
  applicable_to_interactions: z.boolean().nullable(),
};

export const tagDraft = z
  .object({
    name: tagName,
    color: attributes.color.default(null),
    description: attributes.description.default(null),
    applicable_to_contacts: attributes.applicable_to_contacts.default(false),
    applicable_to_interactions: attributes.applicable_to_interactions.default(false),
  })
  .meta({ id: 'TagDraft' });

export type TagDraft = z.infer<typeof tagDraft>;

/** What is not sent stays as it is. */
export const tagChanges = z.object(attributes).partial().meta({ id: 'TagChanges' });

export type TagChanges = z.infer<typeof tagChanges>;

const noCounts = Object.fromEntries(countNames.map((name) => [name, null])) as Record<CountName, null>;

/** Those from before there was a limit may be longer. */
function shownDescription(description: string | null = null): string | null {
  if (description === null || description.length <= MAX_DESCRIPTION) return description;
  return [...description].slice(0, MAX_DESCRIPTION).join('');
}

/** A tag without counts: everywhere but in the list of tags and in a retrieved tag. */
export function presentTag(tag: Tag): TagRecord {
  return {
    id: tag.id,
    name: tag.name,
    color: tag.color,
    description: shownDescription(tag.description),
    applicable_to_contacts: tag.applicable_to_contacts,
    applicable_to_interactions: tag.applicable_to_interactions,
    ...noCounts,
  };
}

export function presentTagWithCounts(tag: Tag): TagRecord {
  const counts = Object.fromEntries(countNames.map((name) => [name, tag[name]]));
  return { ...presentTag(tag), ...counts };
}
