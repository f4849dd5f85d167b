import type { RecordRef, SeesRecords, VisibleRecord } from '#shared/domain/collaboration/records/kind.ts';
import { requireVisible } from '#shared/domain/collaboration/records/registry.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Item, type Table } from '#shared/table/table.ts';
import type { Comment, CommentPointer, StoredComment } from './comment.ts';
import { isComment } from './content.ts';
import type { Reaction } from './reaction.ts';

/**
 * Every user who sees a record sees its comments, and may reply and react to them. Only the author changes or deletes a
 * comment; a reply of the assistant is deleted by the user who asked, and changed by nobody.
 */

/** 404 when there is no such comment. */
async function requirePointer(table: Table, id: string): Promise<CommentPointer> {
  const pointer = await table.get<CommentPointer>(keys.commentPointer(id));
  if (!pointer) throw recordNotFound();
  return pointer;
}

const recordOf = ({ record_type, record_id }: CommentPointer): RecordRef => ({
  type: record_type,
  id: record_id,
});

/** The pointer of a comment whose record the caller sees; 404 for any other. */
export async function requireSeenComment(
  ctx: CallerContext<SeesRecords>,
  id: string,
): Promise<CommentPointer> {
  const pointer = await requirePointer(ctx.table, id);
  await requireVisible(ctx, recordOf(pointer));
  return pointer;
}

/** 404 when it is not a comment on the record. */
export async function requireParent(
  table: Table,
  record: VisibleRecord,
  id: string | undefined,
): Promise<StoredComment | undefined> {
  if (id === undefined) return undefined;
  const parent = await table.get<StoredComment>(keys.comment(record.type, record.id, id));
  if (!parent) throw recordNotFound();
  return parent;
}

/** The comment, without a parent that was deleted, or is on another record since a merge was taken back. */
export async function withParent<C extends Pick<Comment, 'record_id' | 'parent_comment_id'>>(
  table: Table,
  comment: C,
): Promise<C> {
  const parent = comment.parent_comment_id;
  if (parent === null) return comment;
  const pointer = await table.get<CommentPointer>(keys.commentPointer(parent));
  return pointer?.record_id === comment.record_id ? comment : { ...comment, parent_comment_id: null };
}

export interface FoundComment {
  pointer: CommentPointer;
  record: VisibleRecord;
  stored: StoredComment;
  /** With its parts and its reactions. */
  items: Item[];
}

/**
 * A comment of the caller, or the assistant's reply to the caller, with all its items; 404 for any other. Throws
 * ConditionFailed when it was deleted or moved meanwhile.
 */
export async function requireOwnComment(ctx: CallerContext<SeesRecords>, id: string): Promise<FoundComment> {
  const { table } = ctx;
  const pointer = await requirePointer(table, id);
  const { PK, SK } = keys.comment(pointer.record_type, pointer.record_id, id);
  const [record, items] = await Promise.all([requireVisible(ctx, recordOf(pointer)), table.all(PK, SK)]);
  const stored = items.find(isComment);
  if (!stored) throw new ConditionFailed(undefined);
  if (stored.user_id !== ctx.caller.user.id) throw recordNotFound();
  return { pointer, record, stored, items };
}

/** 404 for comments of the assistant and of other users. */
export async function requireEditable(ctx: CallerContext<SeesRecords>, id: string): Promise<FoundComment> {
  const found = await requireOwnComment(ctx, id);
  if (found.stored.reply) throw recordNotFound();
  return found;
}

export const reactionKey = (pointer: CommentPointer, comment_id: string, id: string): Key =>
  keys.reaction(pointer.record_type, pointer.record_id, comment_id, id);

interface FoundReaction {
  pointer: CommentPointer;
  reaction: Reaction;
}

/** A reaction of the caller to a comment that the caller sees; 404 for any other. */
export async function requireOwnReaction(
  ctx: CallerContext<SeesRecords>,
  comment_id: string,
  id: string,
): Promise<FoundReaction> {
  const { table } = ctx;
  const pointer = await requirePointer(table, comment_id);
  const [reaction] = await Promise.all([
    table.get<Reaction>(reactionKey(pointer, comment_id, id)),
    requireVisible(ctx, recordOf(pointer)),
  ]);
  if (reaction?.user_id !== ctx.caller.user.id) throw recordNotFound();
  return { pointer, reaction };
}
