import { findConversation, messageKey } from '#shared/domain/assistant/conversations/store.ts';
import type { DailyBriefing } from '#shared/domain/assistant/daily-briefings/briefing.ts';
import type { StoredBrief } from '#shared/domain/calendar/calendar-events/event.ts';
import type { CommentPointer, StoredComment } from '#shared/domain/collaboration/comments/comment.ts';
import { owedToAsker } from '#shared/domain/collaboration/comments/recipients.ts';
import { isLive, isThere, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import type { AssistantReply } from '#shared/domain/collaboration/replies/block.ts';
import type { Question, QuestionJob, ReplyPlace } from '#shared/domain/collaboration/replies/question.ts';
import type { StoredEnrichment } from '#shared/domain/crm/contacts/enrichment.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';
import { type Change, commit, noChange, together } from '#shared/domain/platform/jobs/commit.ts';
import { complete } from '#shared/domain/platform/jobs/job.ts';
import { type Key, keys, nameOfKey } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { at, both, mustExist, present, type Table, update, type Write } from '#shared/table/table.ts';
import type { Conclusion, WorkContext } from './work.ts';

/** Writes a reply once: from pending to complete or failed. */

/** A comment, a message, an enrichment or a briefing that is a reply, or an event with one. */
type ReplyItem = RecordItem & {
  id?: string;
  reply_id?: string;
  reply?: AssistantReply;
  version?: number;
  brief?: StoredBrief;
};

/** Before the meeting, and after it. */
const isBrief = (place: ReplyPlace): place is Extract<ReplyPlace, { kind: 'brief' | 'meeting' }> =>
  place.kind === 'brief' || place.kind === 'meeting';

/** The key of a message; a deleted conversation may have messages that are still to be removed. */
async function keyOfMessage(
  table: Table,
  { reply_id, user_id }: Question,
  conversation_id: string,
): Promise<Key | undefined> {
  const conversation = await findConversation(table, user_id, conversation_id);
  return conversation && messageKey(conversation_id, reply_id);
}

/** The key of the reply; undefined when it was deleted. */
async function keyOfReply(table: Table, question: Question): Promise<Key | undefined> {
  const { reply_id, user_id, place } = question;
  if (isBrief(place)) return keys.record('calendar_events', place.calendar_event_id);
  if (place.kind === 'enrichment') return keys.enrichment(place.contact_id, user_id);
  if (place.kind === 'briefing') return keys.dailyBriefing(user_id, place.date);
  if (place.kind === 'message') return keyOfMessage(table, question, place.conversation_id);
  const pointer = await table.get<CommentPointer>(keys.commentPointer(reply_id));
  return pointer && keys.comment(pointer.record_type, pointer.record_id, reply_id);
}

function isAwaited(item: ReplyItem | undefined, { place, reply_id }: Question): boolean {
  if (isBrief(place)) return isThere(item) && item.brief?.id === reply_id && item.brief.status === 'pending';
  if (place.kind === 'enrichment' && item?.id !== reply_id) return false;
  if (place.kind === 'briefing' && item?.reply_id !== reply_id) return false;
  return item?.reply?.status === 'pending';
}

function briefWrite(key: Key, reply: AssistantReply, { reply_id, user_id }: Question, now: Date): Write {
  const brief = { ...reply, id: reply_id, asker_id: user_id, generated_at: now.toISOString() };
  return update<ReplyItem>(key, {
    set: { brief },
    when: { ...isLive, brief: both<StoredBrief>(at('id', reply_id), at('status', 'pending' as const)) },
  });
}

function enrichmentWrite(key: Key, reply: AssistantReply, { reply_id }: Question, now: Date): Write {
  return update<StoredEnrichment>(key, {
    set: { reply, finished_at: now.toISOString() },
    when: { id: reply_id, reply: at('status', 'pending' as const) },
  });
}

/** The sections stay, also when their text failed. */
function briefingWrite(key: Key, reply: AssistantReply, { reply_id }: Question, now: Date): Write {
  return update<DailyBriefing>(key, {
    set: { reply, updated_at: now.toISOString() },
    when: { reply_id, reply: at('status', 'pending' as const) },
  });
}

/** No answer, and none of its proposals, without the conversation. */
function whileAsked({ user_id, place }: Question): Write[] {
  if (place.kind !== 'message') return [];
  return [{ check: keys.conversation(user_id, place.conversation_id), when: mustExist }];
}

/**
 * What goes with the reply, without checks of the item that has it: the event of a brief, which may be proposed to
 * change, is written on the condition that it is there.
 */
function beside(key: Key, { writes, jobs }: Change): Change {
  const isOfReply = (write: Write) => 'check' in write && nameOfKey(write.check) === nameOfKey(key);
  return { writes: writes.filter((write) => !isOfReply(write)), jobs };
}

function replyWrite(key: Key, reply: AssistantReply, question: Question, now: Date): Write {
  const { place } = question;
  if (isBrief(place)) return briefWrite(key, reply, question, now);
  if (place.kind === 'enrichment') return enrichmentWrite(key, reply, question, now);
  if (place.kind === 'briefing') return briefingWrite(key, reply, question, now);
  return update<ReplyItem>(key, {
    set: { reply },
    // Edits and deletions of a comment depend on its version.
    add: { version: place.kind === 'comment' ? 1 : undefined },
    // It is neither deleted nor answered.
    when: { PK: present, reply: at('status', 'pending' as const) },
  });
}

/**
 * Writes the reply with what it proposes, notifies the user who asked, and completes the question, in one transaction.
 * When the reply was deleted or written meanwhile, only completes the question: the proposals are dropped.
 */
export async function finishReply(
  ctx: WorkContext,
  { id, question }: QuestionJob,
  conclude: Conclusion,
): Promise<void> {
  const { table } = ctx;
  await retryOnConflict(async () => {
    const key = await keyOfReply(table, question);
    const stored = key && (await table.get<ReplyItem>(key));
    if (!key || !isAwaited(stored, question)) return table.transact([complete(id)]);
    const { reply, ...change } = await conclude();
    const told =
      question.place.kind === 'comment'
        ? await owedToAsker(ctx, await callerFor(table, question), { ...(stored as StoredComment), reply })
        : noChange;
    const own = [replyWrite(key, reply, question, ctx.now), ...whileAsked(question), complete(id)];
    await commit(ctx, together(own, beside(key, change), told));
  });
}
