import { lastMessages } from '#shared/domain/assistant/conversations/store.ts';
import { findVisible } from '#shared/domain/collaboration/records/registry.ts';
import { survivorOf } from '#shared/domain/collaboration/records/survivor.ts';
import { singular } from '#shared/domain/collaboration/records/types.ts';
import { refKey } from '#shared/domain/collaboration/replies/block.ts';
import type { Question } from '#shared/domain/collaboration/replies/question.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Table } from '#shared/table/table.ts';
import type { Asked, PastTurn } from './assistant.ts';
import { ReplyDraft } from './draft.ts';
import type { AnsweringPorts, ToolContext } from './tools/context.ts';
import { toolbox } from './tools/toolbox.ts';
import { counted } from './usage.ts';
import { Unanswered, type Work } from './work.ts';

/** Answers in words, with the tools of the assistant. */

/** Messages of a conversation that an answer takes into account. */
const PAST = 30;

/** The conversation before the question, without pending and failed replies. */
async function pastTurns(table: Table, conversation_id: string, reply_id: string): Promise<PastTurn[]> {
  const before = await lastMessages(table, conversation_id, PAST, reply_id);
  // The last one is the question.
  return before.slice(0, -1).flatMap(({ text, reply }): PastTurn[] => {
    if (!reply) return [{ role: 'user', text: text ?? '' }];
    return reply.status === 'complete' ? [{ role: 'assistant', text: reply.text ?? '' }] : [];
  });
}

async function askedOf(ctx: CallerContext<AnsweringPorts>, question: Question): Promise<Asked> {
  const { table, now } = ctx;
  const { place, reply_id } = question;
  // What was asked about may have become part of another one.
  const record = question.record && (await survivorOf(table, question.record));
  const [seen, past] = await Promise.all([
    record && findVisible(ctx, record),
    place.kind === 'message' ? pastTurns(table, place.conversation_id, reply_id) : [],
  ]);
  if (record && !seen) throw new Unanswered('hidden');
  const { name, email_address, time_zone } = ctx.caller.user;
  return {
    text: question.text,
    asker: { name, email_address, time_zone },
    now,
    about: seen
      ? {
          type: singular(seen.type) as NonNullable<Asked['about']>['type'],
          id: seen.id,
          label: Object.values(seen.label)[0] ?? null,
        }
      : null,
    past,
  };
}

export const answerInWords: Work = async (ctx, question, deadline) => {
  const { account_id, source } = question;
  const asked = await askedOf(ctx, question);
  const assistant = ctx.ports.assistantOf(ctx.config);
  const draft = new ReplyDraft();
  const context: ToolContext = { ...ctx, draft, source, given: new Set() };
  const { text } = await counted(ctx, { account_id, purpose: 'reply', assistant }, () =>
    assistant.answer(asked, toolbox(context), deadline),
  );
  if (text.trim() === '' && draft.isEmpty) throw new Unanswered('malformed');
  const reply = draft.finish(text, (ref) => context.given.has(refKey(ref)));
  return async () => ({ reply, ...draft.change });
};
