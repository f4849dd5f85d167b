import type { Context } from '#shared/context.ts';
import { type DueWork, doneWrite, dueWrite } from '#shared/domain/collaboration/due/due.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { newJob } from '#shared/domain/platform/jobs/job.ts';
import type { Write } from '#shared/table/table.ts';
import type { Message } from './thread.ts';

/** When the messages of a thread are purged that left all of their mailboxes (docs/decisions/0075). */

export const threadRef = (id: string): RecordRef => ({ type: 'threads', id });

/** Milliseconds for which such a message comes back whole. */
const KEPT = 30 * 86_400_000;
/** Milliseconds: what leaves a thread in the same hour waits together. */
const TOGETHER = 3_600_000;

/** In no mailbox, with all that it has. */
export const isGone = (message: Message): message is Message & { left_at: number } =>
  message.mailbox_ids === undefined && message.left_at !== undefined && message.trace === undefined;

export const isOver = ({ left_at }: { left_at: number }, now: Date): boolean =>
  left_at + KEPT <= now.getTime();

/** Lets a thread wait until what left it at this moment is purged. */
export function discardWrite(thread_id: string, left_at: number, now: Date): Write {
  const at = Math.ceil((left_at + KEPT) / TOGETHER) * TOGETHER;
  return dueWrite('discard', threadRef(thread_id), at, now);
}

/** The same for the first of some messages; nothing when all of them are in mailboxes. */
export function discardOf(thread_id: string, messages: Message[], now: Date): Write[] {
  const gone = messages.filter(isGone).map(({ left_at }) => left_at);
  return gone.length === 0 ? [] : [discardWrite(thread_id, Math.min(...gone), now)];
}

/** The message of the job. */
export interface Discarding extends Record<string, unknown> {
  discarded_in: string;
}

/** What waited in a thread is due; a job purges it, unless it came back. */
export async function beginDiscarding(ctx: Context, due: DueWork): Promise<void> {
  const body: Discarding = { discarded_in: due.record_id };
  await commit(ctx, { writes: [doneWrite(due)], jobs: [newJob('index-threads', body, ctx.now)] });
}
