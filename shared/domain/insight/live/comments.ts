import { commentSchema, type StoredComment } from '#shared/domain/collaboration/comments/comment.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import { type Key, keys, type RecordType } from '#shared/table/keys.ts';
import type { Change } from '#shared/table/stream.ts';
import { changedFields, sameNames } from './changed-fields.ts';
import { type LiveKind, type News, toAll } from './news.ts';

const content = ['html_content', 'json_content', 'plain_text'];

const shown = {
  ...sameNames(commentSchema.shape),
  html_content: ['html_content', 'plain_text'],
  mentioned_user_ids: ['mentions'],
  reply: ['text', 'plain_text', 'status', 'blocks', 'refs'],
  parts: content,
};

/** Large content is in items of its own, which are written with every change of the comment. */
const inParts = ({ before, after }: Change) => [before, after].some((item) => item?.parts !== undefined);

function fieldsOf(change: Change): string[] {
  const changed = changedFields(change, shown);
  return changed.includes('updated_at') && inParts(change) ? [...new Set([...changed, ...content])] : changed;
}

function placeOf({ PK, SK }: Key): { record: RecordRef; comment: string; part: string | undefined } {
  const [, type, id] = PK.split('#') as [string, RecordType, string];
  const [, comment = '', part] = SK.split('#');
  return { record: { type, id }, comment, part };
}

/** Comments on records and their reactions: for those who see the record. */
export const comments: LiveKind = {
  partition: 'RECORD#',
  sort: 'COMMENT#',
  news(change): News[] {
    const { record, comment, part } = placeOf(change.key);
    if (part === 'PART') return [];
    const item = (change.after ?? change.before) as StoredComment;
    const changed = part === undefined ? fieldsOf(change) : ['reactions'];
    return [
      {
        kind: 'shared',
        type: 'comment.changed',
        about: { id: comment, record_type: singular(record.type), record_id: record.id },
        account: part === undefined ? item.account_id : keys.comment(record.type, record.id, comment),
        told: async (audience) => toAll(await audience.seers(record), changed),
      },
    ];
  },
};
