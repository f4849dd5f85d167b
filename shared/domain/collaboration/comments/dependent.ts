import { type Dependent, inTransactions } from '#shared/domain/collaboration/life/dependent.ts';
import { cameBy, type Passing } from '#shared/domain/collaboration/records/came-by.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import {
  bytesOf,
  type Move,
  moved,
  type Place,
  returned,
  transactionsOf,
} from '#shared/domain/collaboration/records/move.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
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
import type { CommentPointer, StoredComment } from './comment.ts';
import { type ContentPart, isComment, isReaction, pointsTo, unchanged } from './content.ts';
import type { Reaction } from './reaction.ts';

/**
 * The comments of a merged or deleted record. A comment moves or is removed in one transaction with all its items,
 * except for reactions that do not fit: those follow.
 */

type CommentItem = StoredComment | ContentPart | Reaction;

const commentOf = (item: CommentItem): string => (isComment(item) ? item.id : item.comment_id);

/** The item is as it was read, so that no change of it is lost. */
function asRead(item: Item): Condition {
  if (isComment(item)) return unchanged(item);
  if (isReaction(item)) return when<Reaction>({ text: item.text });
  return mustExist;
}

interface Bundle {
  id: string;
  reactions: Reaction[];
  /** Moves in one transaction; empty when the comment itself is not among the items. */
  together: Item[];
  /** Follows in later transactions. */
  left: Reaction[];
}

function bundleOf(id: string, items: CommentItem[], mark: Item | undefined, room: number): Bundle {
  const reactions = items.filter(isReaction);
  if (!items.some(isComment)) return { id, reactions, together: [], left: reactions };
  const others = [...items.filter((item) => !isReaction(item)), ...(mark ? [mark] : [])];
  const more = room - others.length;
  return { id, reactions, together: [...others, ...reactions.slice(0, more)], left: reactions.slice(more) };
}

/** `items` are all items of some comments on the record; each comment comes with its author mark. */
async function bundlesOf(
  table: Table,
  { type, id }: RecordRef,
  items: CommentItem[],
  room: number,
): Promise<Bundle[]> {
  const markOf = ({ user_id, id: comment }: StoredComment) => keys.commenter(type, id, user_id, comment);
  const marks = await table.getMany(items.filter(isComment).map(markOf));
  const bySK = new Map(marks.map((mark) => [mark.SK, mark]));
  return [...Map.groupBy(items, commentOf)].map(([comment, own]) => {
    const stored = own.find(isComment);
    return bundleOf(comment, own, stored && bySK.get(markOf(stored).SK), room);
  });
}

/** The comments of a record with their items, some at a time. `room` is the number of items in one transaction. */
async function* bundlesUnder(table: Table, record: RecordRef, room: number): AsyncGenerator<Bundle[]> {
  const { PK, SK } = keys.comment(record.type, record.id, '');
  let rest: CommentItem[] = [];
  for await (const page of table.pages<CommentItem>(PK, SK)) {
    const items = [...rest, ...page];
    const last = items.at(-1);
    // The last comment may continue on the next page.
    rest = items.filter((item) => last && commentOf(item) === commentOf(last));
    yield await bundlesOf(table, record, items.slice(0, items.length - rest.length), room);
  }
  yield await bundlesOf(table, record, rest, room);
}

const isWhole = ({ together }: Bundle) => together.length > 0;

/** A put and a delete for each item; one write for the pointer, and a check that the other record is live. */
const MOVED_AT_ONCE = Math.floor((TRANSACTION_LIMIT - 2) / 2);

function moveOf({ id, reactions, together }: Bundle, from: Passing, into: RecordRef, place: Place): Move {
  const pointer = update<CommentPointer>(keys.commentPointer(id), {
    set: { record_id: into.id },
    when: pointsTo(from.id, reactions),
  });
  return {
    writes: [...together.flatMap((item) => writesOf(item, place(item, from, into))), pointer],
    bytes: together.reduce((sum, item) => sum + bytesOf(item), 0),
  };
}

function writesOf(item: Item, there: Item): Write[] {
  return [{ put: there }, { delete: keyOf(item), when: asRead(item) }];
}

/** Moves the remaining reactions to where their comment is now, or removes them when it was deleted. */
async function* following(
  table: Table,
  { id, left }: Bundle,
  from: Passing,
  place: Place,
): AsyncGenerator<Write[]> {
  if (left.length === 0) return;
  const pointer = await table.get<CommentPointer>(keys.commentPointer(id));
  for (let at = 0; at < left.length; at += MOVED_AT_ONCE) {
    const some = left.slice(at, at + MOVED_AT_ONCE);
    if (!pointer) yield some.map((reaction) => ({ delete: keyOf(reaction) }));
    else {
      const into = { type: pointer.record_type, id: pointer.record_id };
      const there = when<CommentPointer>({ record_id: into.id });
      const writes = some.flatMap((reaction) => writesOf(reaction, place(reaction, from, into)));
      yield [...writes, { check: keys.commentPointer(id), when: there }];
    }
  }
}

/** One write is for the pointer, and one for a check of the record. */
const REMOVED_AT_ONCE = TRANSACTION_LIMIT - 2;

function removalOf({ id, reactions, together }: Bundle, record: RecordRef): Write[] {
  const pointer = { delete: keys.commentPointer(id), when: when(pointsTo(record.id, reactions)) };
  return [...together.map((item) => ({ delete: keyOf(item), when: asRead(item) })), pointer];
}

/** Moves the comments that are `chosen`, and reactions whose comment is no longer under the record. */
async function* moving(
  table: Table,
  { from, into, place }: { from: Passing; into: RecordRef; place: Place },
  chosen: (comment: Item) => boolean,
): AsyncGenerator<Write[]> {
  for await (const all of bundlesUnder(table, from, MOVED_AT_ONCE)) {
    const bundles = all.filter(({ together }) => together.filter(isComment).every(chosen));
    const moves = bundles.filter(isWhole).map((bundle) => moveOf(bundle, from, into, place));
    yield* transactionsOf(moves, 1);
    for (const bundle of bundles) yield* following(table, bundle, from, place);
  }
}

export const commentsOfRecords: Dependent = {
  moving: ({ table }, from, into) => moving(table, { from, into, place: moved }, () => true),
  returning: ({ table }, from, into) =>
    moving(table, { from, into, place: returned }, (comment) => cameBy(comment, into.id)),
  async *removing({ table }, record) {
    for await (const bundles of bundlesUnder(table, record, REMOVED_AT_ONCE)) {
      const removals = bundles.filter(isWhole).map((bundle) => removalOf(bundle, record));
      yield* transactionsOf(
        removals.map((writes) => ({ writes, bytes: 0 })),
        1,
      );
      yield* inTransactions(
        bundles.flatMap(({ left }) => left.map((reaction) => ({ delete: keyOf(reaction) }))),
      );
    }
  },
};

/** Whether the record has comments. */
export async function hasComments(table: Table, { type, id }: RecordRef): Promise<boolean> {
  const { PK, SK } = keys.comment(type, id, '');
  const { items } = await table.query({ partition: PK, sort: { begins: SK }, limit: 1 });
  return items.length > 0;
}
