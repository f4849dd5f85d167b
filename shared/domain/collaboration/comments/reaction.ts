import * as z from 'zod';
import type { Item } from '#shared/table/table.ts';
import { requiredText, timestamp, uuid } from '#shared/values.ts';

/** A reaction as stored, right behind its comment. Only its text ever changes. */
export type Reaction = Item & {
  id: string;
  comment_id: string;
  user_id: string;
  text: string;
  created_at: string;
};

/** Room for whatever emoji are put together, and for a few words. */
const MAX_TEXT = 255;

/** What a reaction is written with. */
export const reactionDraft = z
  .object({ text: requiredText(MAX_TEXT).meta({ example: '👍' }) })
  .meta({ id: 'ReactionDraft' });

/** A reaction as comments show it. */
export const shownReaction = z.strictObject({
  id: uuid,
  text: z.string().nullable(),
  user_id: uuid.nullable(),
});

/** docs/specification/comments.md, "Reaction". */
export const reactionRecord = shownReaction
  .extend({ text: z.string().nullable().meta({ example: '👍' }), created_at: timestamp.nullable() })
  .meta({ id: 'Reaction' });

export function showReaction({ id, text, user_id }: Reaction): z.infer<typeof shownReaction> {
  return { id, text, user_id };
}

export function presentReaction(reaction: Reaction): z.infer<typeof reactionRecord> {
  return { ...showReaction(reaction), created_at: reaction.created_at };
}
