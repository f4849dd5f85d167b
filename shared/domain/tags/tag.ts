import * as z from 'zod';
import type { Item } from '../../table/table.ts';
import { color, requiredContent, text, uuid } from '../../values.ts';
import { singular, type TaggableType, taggableTypes } from '../records/types.ts';

/** How many records of a type carry a tag, as an attribute of the tag. */
export type CountName = `${ReturnType<typeof singular<TaggableType>>}_count`;

export function countName(type: TaggableType): CountName {
  return `${singular(type)}_count`;
}

const countNames = taggableTypes.map(countName);

/** A tag as stored, with its counters. Its name is held by an item of its own. */
export type Tag = Item & {
  id: string;
  account_id: string;
  name: string;
  color: string | null;
  description: string | null;
  applicable_to_contacts: boolean | null;
  applicable_to_interactions: boolean | null;
  created_at: string;
} & Record<CountName, number>;

const count = z.int().nullable();

/** Specification, "Tag". */
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

/** Stored as typed; compared by `foldName`. */
export const tagName = requiredContent(255).meta({ example: 'Renewal' });

const applicable = z.boolean().nullable().default(false);

export const tagDraft = z
  .object({
    name: tagName,
    color: color.nullable().default(null),
    description: text(20_000).nullable().default(null),
    applicable_to_contacts: applicable,
    applicable_to_interactions: applicable,
  })
  .meta({ id: 'TagDraft' });

export type TagDraft = z.infer<typeof tagDraft>;

/**
 * Names that are the same for people fold to the same text: trimmed, NFC, without case (decisions, section 4). Upper
 * case first, because some letters have more than one lower case (Greek sigma, the German sharp s).
 */
export function foldName(name: string): string {
  return name.trim().normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

const noCounts = Object.fromEntries(countNames.map((name) => [name, null])) as Record<CountName, null>;

/** A tag without counts: everywhere but in the list of tags and in a retrieved tag. */
export function presentTag(tag: Tag): TagRecord {
  return {
    id: tag.id,
    name: tag.name,
    color: tag.color,
    description: tag.description,
    applicable_to_contacts: tag.applicable_to_contacts,
    applicable_to_interactions: tag.applicable_to_interactions,
    ...noCounts,
  };
}

export function presentTagWithCounts(tag: Tag): TagRecord {
  const counts = Object.fromEntries(countNames.map((name) => [name, tag[name]]));
  return { ...presentTag(tag), ...counts };
}
