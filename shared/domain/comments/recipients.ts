import { keys } from '../../table/keys.ts';
import type { Item, Table, Write } from '../../table/table.ts';
import type { Caller } from '../caller.ts';
import { htmlToText } from '../html/text.ts';
import { type NotificationDraft, notify } from '../notifications/notification.ts';
import type { VisibleRecord } from '../records/kind.ts';
import { whoSees } from '../records/registry.ts';
import { singular } from '../records/types.ts';
import { findUsers } from '../users/store.ts';
import type { Comment } from './comment.ts';

/** Who is told about a comment (specification, "Comments" rule 1; decisions, section 7). */

/** Users told that a comment mentions them. */
const MAX_MENTIONED = 25;
const SNIPPET = 200;
/** Characters of HTML that are enough for a snippet. */
const SNIPPET_SOURCE = 20_000;

/** Says that somebody has commented on a record. */
export type Commenter = Item & { user_id: string };

export async function listCommenters(table: Table, record: VisibleRecord): Promise<string[]> {
  const { PK, SK } = keys.commenter(record.type, record.id, '');
  return (await table.all<Commenter>(PK, SK)).map((commenter) => commenter.user_id);
}

/** The mentioned ids that are active users of the account. */
export async function activeUserIds(table: Table, account_id: string, ids: string[]): Promise<string[]> {
  const users = await findUsers(table, account_id, ids);
  const active = new Set(users.filter((user) => user.status === 'active').map((user) => user.id));
  return ids.filter((id) => active.has(id));
}

/** Those of the ids who are told: active users who see the record, without the author; each once, in their order. */
async function audience(
  table: Table,
  caller: Caller,
  record: VisibleRecord,
  ids: string[],
): Promise<string[]> {
  const others = [...new Set(ids)].filter((id) => id !== caller.user.id);
  const users = await findUsers(table, caller.account.id, others);
  const active = users.filter((user) => user.status === 'active');
  const seeing = new Set((await whoSees(table, record, active)).map((user) => user.id));
  return others.filter((id) => seeing.has(id));
}

function snippetOf(html: string): string {
  const text = htmlToText(html.slice(0, SNIPPET_SOURCE)).replaceAll(/\s+/g, ' ');
  const characters = [...text.slice(0, 2 * SNIPPET + 2)];
  return characters.length > SNIPPET ? `${characters.slice(0, SNIPPET - 1).join('')}…` : text;
}

/** The record as it is now, with what identifies the comment and its beginning. */
function payloadOf(record: VisibleRecord, comment: Comment): NotificationDraft['payload'] {
  return {
    id: record.id,
    record_type: singular(record.type),
    ...record.label,
    comment: {
      id: comment.id,
      parent_comment_id: comment.parent_comment_id,
      user_id: comment.user_id,
      snippet: snippetOf(comment.html_content),
      created_at: comment.created_at,
    },
  };
}

/**
 * The notifications that a new comment owes, `room` at most: first those of mentioned users in the order of the
 * document, then the record's owner and assignee, the parent's author and earlier commenters.
 */
export async function owedNotifications(
  table: Table,
  caller: Caller,
  record: VisibleRecord,
  comment: Comment,
  involved: { parent_user_id: string | undefined; commenter_ids: string[]; room: number },
): Promise<Write[]> {
  const { parent_user_id, commenter_ids, room } = involved;
  const concerned = [...record.owner_ids, ...(parent_user_id ? [parent_user_id] : []), ...commenter_ids];
  const told = await audience(table, caller, record, [...comment.mentioned_user_ids, ...concerned]);
  if (told.length === 0) return [];
  const mentioned = new Set(comment.mentioned_user_ids);
  const mentions = told.filter((id) => mentioned.has(id)).slice(0, MAX_MENTIONED);
  const others = concerned.filter((id) => told.includes(id) && !mentions.includes(id));
  const payload = payloadOf(record, comment);
  const write = (event: NotificationDraft['event']) => (user_id: string) =>
    notify({ user_id, event, payload, prompting_user_id: caller.user.id }, new Date(comment.created_at));
  return [
    ...mentions.map(write('comment_mentioned')),
    ...[...new Set(others)].map(write('comment_added')),
  ].slice(0, room);
}
