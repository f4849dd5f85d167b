import { bytesOf } from '#shared/domain/collaboration/records/move.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, commit } from '#shared/domain/platform/jobs/commit.ts';
import { complete, newJob } from '#shared/domain/platform/jobs/job.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { keyOf } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type Table, TRANSACTION_LIMIT, type Write } from '#shared/table/table.ts';
import type { Conversation } from './conversation.ts';
import type { Message } from './message.ts';
import { requireConversation } from './policy.ts';
import { postingWrites, unchanged } from './posting.ts';
import { lastMessages, messageKey } from './store.ts';

/** The messages that a deleted conversation leaves to a job. */
export interface LeftMessages {
  conversation_id: string;
}

/** Messages of one transaction, beside the conversation and its posting. */
const AT_ONCE = TRANSACTION_LIMIT - 2;
/** Bytes of one transaction; DynamoDB allows 4 MB. */
const BYTES_AT_ONCE = 3_000_000;

/** Whether they can be deleted with their conversation. */
function fitTogether(messages: Message[]): boolean {
  const bytes = messages.reduce((sum, message) => sum + bytesOf(message), 0);
  return messages.length <= AT_ONCE && bytes <= BYTES_AT_ONCE;
}

/**
 * Removes everything in one transaction or, when there are too many messages, leaves them to a job: nobody finds them
 * any more.
 */
async function removal(ctx: CallerContext, id: string): Promise<Change> {
  const [conversation, messages] = await Promise.all([
    requireConversation(ctx, id),
    lastMessages(ctx.table, id, AT_ONCE + 1),
  ]);
  requireVersion(ctx, id, conversation);
  const postings = postingWrites(conversation, undefined);
  const deletion = (seen: Conversation): Write[] => [
    { delete: keyOf(conversation), when: unchanged(seen) },
    ...postings,
  ];
  if (fitTogether(messages)) {
    // Fails when it has new messages.
    const writes = deletion({ ...conversation, message_count: messages.length });
    return { writes: [...writes, ...messages.map((message) => ({ delete: keyOf(message) }))], jobs: [] };
  }
  const left: LeftMessages = { conversation_id: id };
  const job = newJob('remove-messages', { ...left }, ctx.now);
  return { writes: deletion(conversation), jobs: [job] };
}

/**
 * Deletes a conversation of the caller with its messages; 404 for any other. Pending answers find no reply to write to.
 */
export async function deleteConversation(ctx: CallerContext, id: string): Promise<void> {
  await retryOnConflict(async () => commit(ctx, await removal(ctx, id)));
}

/** Removes the messages of a deleted conversation. Idempotent. */
export async function removeMessages(
  table: Table,
  job_id: string,
  { conversation_id }: LeftMessages,
): Promise<void> {
  for await (const page of table.pages(messageKey(conversation_id, '').PK))
    await table.writeMany(page.map((message) => ({ delete: keyOf(message) })));
  await table.transact([complete(job_id)]);
}
