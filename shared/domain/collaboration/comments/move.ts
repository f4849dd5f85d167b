import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { bytesOf, keyOf, type Move, moved } from '#shared/domain/collaboration/records/move.ts';
import { keys } from '#shared/table/keys.ts';
import {
  type Condition,
  type Item,
  mustExist,
  type Table,
  TRANSACTION_LIMIT,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';
import type { CommentPointer } from './comment.ts';
import { isComment, isReaction, standsWith, unchanged } from './content.ts';
import type { Reaction } from './reaction.ts';

/**
 * Comments on their way to another record, when two records become one. A comment moves in one transaction with all
 * that is behind it, except for reactions that do not fit: they follow.
 */

/** The comment that an item belongs to; undefined for anything else that is kept under a record. */
export function commentOf(item: Item): string | undefined {
  return /^(?:COMMENT|COMMENTER#[^#]+)#([^#]+)/.exec(item.SK)?.[1];
}

/** What an item must be like still, so that no change of it is lost. */
function asRead(item: Item): Condition {
  if (isComment(item)) return unchanged(item);
  if (isReaction(item)) return when<Reaction>({ text: item.text });
  return mustExist;
}

function writesOf(item: Item, from: RecordRef, into: RecordRef): Write[] {
  return [{ put: moved(item, from, into) }, { delete: keyOf(item), when: asRead(item) }];
}

/** The pointer follows its comment, if the comment has the reactions that were read and no other. */
function pointerMove(id: string, from: RecordRef, into: RecordRef, reactions: Reaction[]): Write {
  return update<CommentPointer>(keys.commentPointer(id), {
    set: { record_id: into.id },
    when: standsWith(from.id, reactions),
  });
}

/** A put and a delete each, and one write for the pointer. */
const ITEMS_AT_ONCE = Math.floor((TRANSACTION_LIMIT - 1) / 2);

interface Bundle {
  id: string;
  reactions: Reaction[];
  /** What moves at once: nothing when the comment itself is not among the items. */
  together: Item[];
  /** What follows. */
  left: Reaction[];
}

function bundlesOf(items: Item[]): Bundle[] {
  const byComment = Map.groupBy(items, (item) => commentOf(item) ?? '');
  return [...byComment].map(([id, bundle]) => {
    const reactions = bundle.filter(isReaction);
    if (!bundle.some(isComment)) return { id, reactions, together: [], left: reactions };
    const others = bundle.filter((item) => !isReaction(item));
    const room = ITEMS_AT_ONCE - others.length;
    return { id, reactions, together: [...others, ...reactions.slice(0, room)], left: reactions.slice(room) };
  });
}

/** A move for each comment among the items. */
export function commentMoves(items: Item[], from: RecordRef, into: RecordRef): Move[] {
  const whole = bundlesOf(items).filter(({ together }) => together.length > 0);
  return whole.map(({ id, reactions, together }) => ({
    writes: [
      ...together.flatMap((item) => writesOf(item, from, into)),
      pointerMove(id, from, into, reactions),
    ],
    bytes: together.reduce((sum, item) => sum + bytesOf(item), 0),
  }));
}

/** Moves reactions to where their comment is now, or removes them when it was deleted. */
async function follow(table: Table, id: string, reactions: Reaction[], from: RecordRef): Promise<void> {
  const pointer = await table.get<CommentPointer>(keys.commentPointer(id));
  for (let at = 0; at < reactions.length; at += ITEMS_AT_ONCE) {
    const some = reactions.slice(at, at + ITEMS_AT_ONCE);
    if (!pointer) {
      await table.transact(some.map((reaction) => ({ delete: keyOf(reaction) })));
      continue;
    }
    const into = { type: pointer.record_type, id: pointer.record_id };
    const there = when<CommentPointer>({ record_id: into.id });
    const writes = some.flatMap((reaction) => writesOf(reaction, from, into));
    await table.transact([...writes, { check: keys.commentPointer(id), when: there }]);
  }
}

/** The reactions that did not fit the move of their comment. */
export async function moveLeftReactions(table: Table, items: Item[], from: RecordRef): Promise<void> {
  for (const { id, left } of bundlesOf(items)) if (left.length > 0) await follow(table, id, left, from);
}
