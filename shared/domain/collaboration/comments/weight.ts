import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { weightOfReply } from '#shared/domain/collaboration/replies/weight.ts';
import { invalidField } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import type { Comment, WholeComment } from './comment.ts';

/**
 * The size of comments in responses with all comments of a record: bytes as JSON. Each user has a share of such a
 * response, so nobody can crowd out the comments of others (docs/decisions/0022-large-responses.md).
 */

/** Of one user's comments on a record. */
const SHARE = 4 * 1024 * 1024;

/** A comment without content: ids, times and field names. */
const FRAME = 1_000;
const MENTION = 100;

/** What a reply of the assistant counts for the user who asked: few are longer. */
const REPLY = 20_000;

const json = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** The author mark of a comment: who wrote it, or asked for it, and its size; it is removed with the comment. */
export type Commenter = Item & { user_id: string; bytes?: number; reply?: true };

function weightOf(comment: Comment): number {
  const { html_content, json_content, mentioned_user_ids } = comment;
  return FRAME + json(html_content) + json(json_content) + MENTION * mentioned_user_ids.length;
}

export function commenterOf(comment: Comment): Commenter {
  const { record_type, record_id, user_id, id, reply } = comment;
  const key = keys.commenter(record_type, record_id, user_id, id);
  return { ...key, user_id, ...(reply ? { bytes: REPLY, reply: true } : { bytes: weightOf(comment) }) };
}

/** As returned, with its reactions and the assistant's text. */
export function wholeWeightOf(comment: WholeComment): number {
  const { reply, reactions } = comment;
  return (
    weightOf(comment) + (reply ? weightOfReply(reply) : 0) + (reactions.length === 0 ? 0 : json(reactions))
  );
}

/** The author marks of a record, or of one user on it. */
export function commentersOf(table: Table, { type, id }: RecordRef, user_id = ''): Promise<Commenter[]> {
  const { PK, SK } = keys.commenter(type, id, user_id, '');
  return table.all<Commenter>(PK, user_id === '' ? SK.slice(0, SK.indexOf('#') + 1) : SK);
}

/** 400 when the comment, new or longer than before, exceeds the author's share. `marks` include the author's. */
export function requireRoom(marks: Commenter[], comment: Comment): void {
  const { SK } = commenterOf(comment);
  const own = Map.groupBy(
    marks.filter(({ user_id }) => user_id === comment.user_id),
    (mark) => (mark.SK === SK ? 'before' : 'others'),
  );
  const bytes = (some: Commenter[] = []) => some.reduce((sum, mark) => sum + (mark.bytes ?? FRAME), 0);
  const weight = weightOf(comment);
  if (weight > bytes(own.get('before')) && weight + bytes(own.get('others')) > SHARE)
    throw invalidField(
      'html_content',
      'too_long',
      'is more than is left of the 4 MB you may write on a record',
    );
}
