import { gunzipSync, gzipSync } from 'node:zlib';
import { type Key, keys } from '#shared/table/keys.ts';
import {
  type AllOf,
  type Condition,
  ConditionFailed,
  either,
  exactly,
  type Item,
  missing,
  type Write,
  when,
} from '#shared/table/table.ts';
import type { Comment, CommentContent, CommentPointer, StoredComment, WholeComment } from './comment.ts';
import type { Reaction } from './reaction.ts';

/**
 * An item may have 400 KB; 200,000 characters each of HTML and JSON may take three times as much. Content that is too
 * large for the comment's own item is compressed and split into parts after it, so that one query reads both.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
 */
export type ContentPart = Item & { comment_id: string; version: number; bytes: Uint8Array };

/** Bytes; leaves room for the ids of all mentioned users. */
const MAX_INLINE = 200_000;
const PART_SIZE = 350_000;

const keyOf = ({ record_type, record_id, id }: Comment): Key => keys.comment(record_type, record_id, id);

const partKey = ({ record_type, record_id, id }: Omit<Comment, keyof CommentContent>, part: number): Key =>
  keys.commentPart(record_type, record_id, id, part);

function partsOf(comment: Comment, content: CommentContent): ContentPart[] {
  const bytes = gzipSync(JSON.stringify(content));
  const parts: ContentPart[] = [];
  for (let start = 0; start < bytes.length; start += PART_SIZE)
    parts.push({
      ...partKey(comment, parts.length),
      comment_id: comment.id,
      version: comment.version,
      bytes: bytes.subarray(start, start + PART_SIZE),
    });
  return parts;
}

/** The items of a comment, its own first. */
export function commentItems(comment: Comment): [StoredComment, ...ContentPart[]] {
  const { html_content, json_content, ...rest } = comment;
  const size = Buffer.byteLength(html_content ?? '') + Buffer.byteLength(json_content ?? '');
  if (size <= MAX_INLINE) return [{ ...keyOf(comment), ...comment }];
  const parts = partsOf(comment, { html_content, json_content });
  return [{ ...keyOf(comment), ...rest, parts: parts.length }, ...parts];
}

/** Removes the parts of a comment, beginning with the given one. */
export function dropParts(stored: StoredComment, from: number): Write[] {
  const count = Math.max(0, (stored.parts ?? 0) - from);
  return Array.from({ length: count }, (_, i) => ({ delete: partKey(stored, from + i) }));
}

/** The comment has not changed since it was read. */
export function unchanged({ version }: StoredComment): Condition {
  return when<StoredComment>({ version });
}

/** On the pointer: the comment is on the record and has exactly these reactions. */
export function pointsTo(record_id: string, reactions: Reaction[]): AllOf<CommentPointer> {
  const none = either<number>(missing, exactly(0));
  return { record_id, reaction_count: reactions.length === 0 ? none : reactions.length };
}

/** Throws ConditionFailed when the comment changed while it was read: then parts are of another version. */
function joined(stored: StoredComment, parts: ContentPart[]): CommentContent {
  const current = parts.filter((part) => part.version === stored.version);
  if (current.length !== stored.parts) throw new ConditionFailed(undefined);
  return JSON.parse(gunzipSync(Buffer.concat(current.map((part) => part.bytes))).toString('utf8'));
}

function readComment(stored: StoredComment, parts: ContentPart[], reactions: Reaction[]): WholeComment {
  const { parts: count, ...comment } = stored;
  const content = count === undefined ? {} : joined(stored, parts);
  return { html_content: null, json_content: null, ...comment, ...content, reactions };
}

/** Comments from the items of a record, in key order. Throws ConditionFailed as in `joined`. */
export function readComments(items: Item[]): WholeComment[] {
  const parts = Map.groupBy(items.filter(isPart), (part) => part.comment_id);
  const reactions = Map.groupBy(items.filter(isReaction), (reaction) => reaction.comment_id);
  return items
    .filter(isComment)
    .map((stored) => readComment(stored, parts.get(stored.id) ?? [], reactions.get(stored.id) ?? []));
}

function isPart(item: Item): item is ContentPart {
  return 'bytes' in item;
}

export function isReaction(item: Item): item is Reaction {
  return 'comment_id' in item && 'text' in item;
}

export function isComment(item: Item): item is StoredComment {
  return 'mentioned_user_ids' in item;
}
