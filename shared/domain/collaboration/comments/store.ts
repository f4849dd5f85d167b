import type { RecordRef, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { ShowsReplies } from '#shared/domain/collaboration/replies/present.ts';
import { RESPONSE_BYTES } from '#shared/domain/collaboration/replies/weight.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { type CommentRecord, presentComment, type WholeComment, withParents } from './comment.ts';
import { isComment, readComments } from './content.ts';
import { wholeWeightOf } from './weight.ts';

/** Comments and bytes of one response: one user may write a tenth of the bytes on a record. */
const RESPONSE = { comments: 10_000, bytes: RESPONSE_BYTES };

/** The newest comments of a partition that fit into a response, oldest first. */
async function readNewest(table: Table, PK: string, SK: string): Promise<WholeComment[]> {
  const found: WholeComment[] = [];
  let bytes = 0;
  let items: Item[] = [];
  for await (const page of table.pages(PK, SK, { newest_first: true }))
    for (const item of page) {
      items.push(item);
      // In descending order a comment comes after its parts and reactions.
      if (!isComment(item)) continue;
      const [comment] = readComments(items.reverse()) as [WholeComment];
      items = [];
      bytes += wholeWeightOf(comment);
      if (found.length > 0 && (bytes > RESPONSE.bytes || found.length === RESPONSE.comments))
        return found.reverse();
      found.push(comment);
    }
  return found.reverse();
}

/** Bytes of `plain_text` in one response: it repeats what the HTML and the text of replies say. */
const TEXT_BYTES = 5 * 1024 * 1024;

/** Without the plain text of the oldest comments, when there is too much of it. */
function withinText(comments: CommentRecord[]): CommentRecord[] {
  let left = TEXT_BYTES;
  const newest = comments.toReversed().map((comment) => {
    left -= Buffer.byteLength(JSON.stringify(comment.plain_text));
    return left < 0 ? { ...comment, plain_text: null } : comment;
  });
  return newest.reverse();
}

/**
 * The comments of a record the caller sees, oldest first; only the newest when not all fit into a response. Ids begin
 * with their time, so keys sort by it.
 */
export async function listRecordComments(
  ctx: CallerContext<SeesRecords & ShowsReplies>,
  record: RecordRef,
): Promise<CommentRecord[]> {
  const { PK, SK } = keys.comment(record.type, record.id, '');
  const all = await retryOnConflict(() => readNewest(ctx.table, PK, SK));
  const comments = withParents(all.filter((comment) => comment.account_id === ctx.caller.account.id));
  const replies = comments.flatMap((comment) => comment.reply ?? []);
  const around = await ctx.ports.readSurroundings(ctx, replies);
  return withinText(comments.map((comment) => presentComment(comment, around)));
}
