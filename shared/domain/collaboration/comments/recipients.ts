import type { Context } from '#shared/context.ts';
import { notificationsOf, type Occurrence } from '#shared/domain/collaboration/notifications/emit.ts';
import type { SeesRecords, VisibleRecord } from '#shared/domain/collaboration/records/kind.ts';
import { findVisible } from '#shared/domain/collaboration/records/registry.ts';
import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { findActiveUsers } from '#shared/domain/identity/users/store.ts';
import { htmlToText } from '#shared/domain/platform/html/text.ts';
import { type Change, noChange } from '#shared/domain/platform/jobs/commit.ts';
import type { Table } from '#shared/table/table.ts';
import type { Comment, StoredComment } from './comment.ts';
import { withParent } from './policy.ts';

/** The recipients of notifications about a comment (docs/specification/comments.md, "Who is told"). */

/** Users notified of a mention. */
const MAX_MENTIONED = 25;
const SNIPPET = 200;
/** Characters of HTML that suffice for a snippet. */
const SNIPPET_SOURCE = 20_000;

/** The mentioned ids that are active users of the account. */
export async function activeUserIds(table: Table, account_id: string, ids: string[]): Promise<string[]> {
  const active = new Set((await findActiveUsers(table, account_id, ids)).map((user) => user.id));
  return ids.filter((id) => active.has(id));
}

function snippetOf({ html_content, reply }: Pick<Comment, 'html_content' | 'reply'>): string {
  const source = reply ? (reply.text ?? '') : htmlToText((html_content ?? '').slice(0, SNIPPET_SOURCE));
  const text = source.replaceAll(/\s+/g, ' ');
  const characters = [...text.slice(0, 2 * SNIPPET + 2)];
  return characters.length > SNIPPET ? `${characters.slice(0, SNIPPET - 1).join('')}…` : text;
}

/** The event: this user wrote or changed this comment on this record. */
interface Occasion {
  record: VisibleRecord;
  comment: Comment;
}

/** The ids of the comment, and its snippet. */
function aboutComment(comment: Omit<Comment, 'json_content'>) {
  return {
    comment: {
      id: comment.id,
      parent_comment_id: comment.parent_comment_id,
      user_id: comment.user_id,
      snippet: snippetOf(comment),
      created_at: comment.created_at,
    },
  };
}

/**
 * The notifications of a new comment, at most `room` items: to mentioned users in document order, then to the record's
 * owner and assignee, the parent's author and earlier commenters.
 */
export function owedNotifications(
  ctx: CallerContext<SeesRecords>,
  { record, comment }: Occasion,
  involved: { parent_user_id: string | undefined; commenter_ids: string[]; room: number },
): Promise<Change> {
  const { parent_user_id, commenter_ids, room } = involved;
  const concerned = [...record.owner_ids, ...(parent_user_id ? [parent_user_id] : []), ...commenter_ids];
  const occurrence: Occurrence = {
    account_id: ctx.caller.account.id,
    record,
    about: aboutComment(comment),
    actor_id: ctx.caller.user.id,
    told: [
      { event: 'comment_mentioned', user_ids: comment.mentioned_user_ids, at_most: MAX_MENTIONED },
      { event: 'comment_added', user_ids: concerned },
    ],
  };
  return notificationsOf(ctx, occurrence, room);
}

/** The notifications of an edit, to active users whom it mentions for the first time, in document order. */
export function owedToMentioned(
  ctx: CallerContext<SeesRecords>,
  { record, showing }: Pick<Occasion, 'record'> & { showing: Promise<Comment> },
  { user_ids, room }: { user_ids: string[]; room: number },
): Promise<Change> {
  const occurrence: Occurrence = {
    account_id: ctx.caller.account.id,
    record,
    about: showing.then(aboutComment),
    actor_id: ctx.caller.user.id,
    told: [{ event: 'comment_mentioned', user_ids, at_most: MAX_MENTIONED }],
  };
  return notificationsOf(ctx, occurrence, room);
}

/** The notification of the user who asked about a finished reply; none when that user no longer sees the record. */
export async function owedToAsker(
  ctx: Context<SeesRecords>,
  asker: Caller | undefined,
  reply: StoredComment,
): Promise<Change> {
  const record =
    asker && (await findVisible({ ...ctx, caller: asker }, { type: reply.record_type, id: reply.record_id }));
  if (!record) return noChange;
  const occurrence: Occurrence = {
    account_id: reply.account_id,
    record,
    about: withParent(ctx.table, { html_content: null, ...reply }).then(aboutComment),
    actor_id: null,
    told: [{ event: 'comment_added', user_ids: [reply.user_id] }],
  };
  return notificationsOf(ctx, occurrence, 2);
}
