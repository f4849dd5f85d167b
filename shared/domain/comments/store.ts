import { keys, type RecordType } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { Caller } from '../caller.ts';
import { type CommentRecord, presentComment } from './comment.ts';
import { readComments } from './content.ts';

export interface RecordRef {
  type: RecordType;
  id: string;
}

/** The comments of a record the caller sees, oldest first. Ids begin with their time, so keys have that order. */
export async function listRecordComments(
  table: Table,
  caller: Caller,
  record: RecordRef,
): Promise<CommentRecord[]> {
  const { PK, SK } = keys.comment(record.type, record.id, '');
  const comments = readComments(await table.all(PK, SK));
  return comments.filter((comment) => comment.account_id === caller.account.id).map(presentComment);
}
