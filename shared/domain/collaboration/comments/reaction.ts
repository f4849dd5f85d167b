import * as z from 'zod';
import { given, narrower, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { requiredText, timestamp, uuid } from '#shared/values.ts';

/** Enough for any combined emoji, and for a few words. */
const MAX_TEXT = 255;

/** The request body of reactions. */
export const reactionDraft = z
  .object({ text: requiredText(MAX_TEXT).meta({ example: '👍' }) })
  .meta({ id: 'ReactionDraft' });

const reactions = resource('Reaction', {
  id: given(uuid),
  text: narrower(z.string().nullable().meta({ example: '👍' }), z.string()),
  user_id: narrower(uuid.nullable(), uuid),
  created_at: narrower(timestamp.nullable(), timestamp),
});

/** A reaction as stored, right after its comment. Only its text can change. */
export type Reaction = Item & StoredFields<typeof reactions.fields> & { comment_id: string };

/** docs/specification/comments.md, "Reaction". */
export const reactionSchema = reactions.response;

/** A reaction as comments show it. */
export const shownReaction = reactions.response
  .omit({ created_at: true })
  .extend({ text: z.string().nullable() });

export function showReaction({ id, text, user_id }: Reaction): z.infer<typeof shownReaction> {
  return { id, text, user_id };
}

export function presentReaction(reaction: Reaction): z.infer<typeof reactionSchema> {
  return reactions.present(reaction, {});
}
