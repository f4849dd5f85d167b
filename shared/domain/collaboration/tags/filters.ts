import * as z from 'zod';
import { recordNotFound } from '#shared/errors.ts';
import { refuse, uuid } from '#shared/values.ts';
import { type TagDictionary, tagAliases } from './store.ts';

/** The query parameters that keep the records with some tags, for all lists of records. */

const MAX_TAGS = 50;

function idsOf(sent: string): string[] {
  return [...new Set(sent.split(',').map((id) => id.trim().toLowerCase()))];
}

const tagIds = z.string().check((context) => {
  const ids = idsOf(context.value);
  if (ids.some((id) => !uuid.safeParse(id).success))
    refuse(context, 'invalid_format', 'must be tag ids, separated by commas');
  else if (ids.length > MAX_TAGS) refuse(context, 'too_long', `must be at most ${MAX_TAGS} tags`);
});

export const tagFilters = {
  tags: tagIds.optional().meta({
    description: `Tag ids, separated by commas, at most ${MAX_TAGS}`,
    example: '0198c0de-0000-7000-8000-000000000001,0198c0de-0000-7000-8000-000000000002',
  }),
  tag_operator: z
    .enum(['any', 'all'])
    .optional()
    .meta({ description: 'Whether one of the tags is enough; any when omitted' }),
};

/** Each tag of the filter without aliases: what nearly all have. */
export const tagsAlone = (sent: string): string[][] => idsOf(sent).map((id) => [id]);

/** Each tag of the filter with its aliases. 404 when the account does not have one of them. */
export function tagsNamed(sent: string, dictionary: TagDictionary): string[][] {
  const tags = idsOf(sent).map((id) => tagAliases(dictionary, id));
  if (tags.some((ids) => ids.length === 0)) throw recordNotFound();
  return tags;
}
