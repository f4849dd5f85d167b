import type { Context } from '#shared/context.ts';
import type { ThreadText } from '#shared/domain/assistant/answering/assistant.ts';
import { readBodies, type StoredBody } from '#shared/domain/mail/threads/body.ts';
import type { Message, Thread } from '#shared/domain/mail/threads/thread.ts';
import { visibleBody } from '#shared/domain/platform/html/visible.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';

/** Messages of a long thread that agents read: the first, which introduces the subject, and the newest. */
const NEWEST = 15;

/** The text of these messages (oldest first) for a reader of all of them. */
export async function threadText(ctx: Context, thread: Thread, messages: Message[]): Promise<ThreadText> {
  const read =
    messages.length > NEWEST + 1 ? [...messages.slice(0, 1), ...messages.slice(-NEWEST)] : messages;
  const wanted = read.map((message) => keys.body(thread.id, message.id));
  const items = await ctx.table.getMany<StoredBody>(wanted);
  const bodies = await readBodies(() => bucketOf(ctx), thread.account_id, items);
  return {
    subject: messages[0]?.subject ?? null,
    messages: read.map(({ id, from, sent }) => ({
      from: from?.name ?? from?.email_address ?? 'unknown',
      sent_at: new Date(sent).toISOString(),
      text: visibleBody(bodies.get(id)),
    })),
  };
}
