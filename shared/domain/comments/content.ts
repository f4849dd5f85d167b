import { gunzipSync, gzipSync } from 'node:zlib';
import { type Key, keys } from '../../table/keys.ts';
import type { Item, Write } from '../../table/table.ts';
import type { Comment, CommentContent, StoredComment } from './comment.ts';

/**
 * An item may have 400 KB, and 200,000 characters of HTML and of JSON may be three times as much. Content that is
 * too large for the comment's own item is compressed and cut into parts behind it, so that one query reads both.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html
 */
type ContentPart = Item & { comment_id: string; bytes: Uint8Array };

/** Bytes; the ids of all mentioned users must fit beside them. */
const MAX_INLINE = 200_000;
const PART_SIZE = 350_000;

const keyOf = ({ record_type, record_id, id }: Comment): Key => keys.comment(record_type, record_id, id);

function partsOf(comment: Comment, content: CommentContent): Write[] {
  const bytes = gzipSync(JSON.stringify(content));
  const writes: Write[] = [];
  for (let start = 0; start < bytes.length; start += PART_SIZE) {
    const key = keys.commentPart(comment.record_type, comment.record_id, comment.id, writes.length);
    const part: ContentPart = {
      ...key,
      comment_id: comment.id,
      bytes: bytes.subarray(start, start + PART_SIZE),
    };
    writes.push({ put: part });
  }
  return writes;
}

/** The items of a new comment, its own first. */
export function commentWrites(comment: Comment): [StoredComment, ...Write[]] {
  const { html_content, json_content, ...rest } = comment;
  const size = Buffer.byteLength(html_content) + Buffer.byteLength(json_content ?? '');
  if (size <= MAX_INLINE) return [{ ...keyOf(comment), ...comment }];
  return [{ ...keyOf(comment), ...rest }, ...partsOf(comment, { html_content, json_content })];
}

/** Comments from the items of a record, in the order of their keys. */
export function readComments(items: Item[]): Comment[] {
  const parts = Map.groupBy(items.filter(isPart), (part) => part.comment_id);
  return items.filter(isComment).map((comment) => {
    const bytes = parts.get(comment.id)?.map((part) => part.bytes);
    const content = bytes ? JSON.parse(gunzipSync(Buffer.concat(bytes)).toString('utf8')) : {};
    return { ...comment, ...content };
  });
}

function isPart(item: Item): item is ContentPart {
  return 'comment_id' in item;
}

function isComment(item: Item): item is StoredComment {
  return 'mentioned_user_ids' in item;
}
