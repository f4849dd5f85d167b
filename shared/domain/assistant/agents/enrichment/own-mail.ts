import type { ThreadText } from '#shared/domain/assistant/answering/assistant.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { readBodies, type StoredBody } from '#shared/domain/mail/threads/body.ts';
import type { Row } from '#shared/domain/mail/threads/lists/criteria.ts';
import { withParticipant } from '#shared/domain/mail/threads/lists/criteria.ts';
import { findThreads } from '#shared/domain/mail/threads/lists/find.ts';
import { planOf } from '#shared/domain/mail/threads/lists/plan.ts';
import { newestMessages } from '#shared/domain/mail/threads/newest.ts';
import type { Message } from '#shared/domain/mail/threads/thread.ts';
import { visibleBody } from '#shared/domain/platform/html/visible.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';

/** Threads and messages that are read: who somebody is now stands in the newest ones. */
const THREADS = 10;
const MESSAGES = 12;
/** Of a thread, without bodies. */
const READ = { messages: 200, bytes: 1024 * 1024 };

/** Characters of a message: its end, where the signature is. */
const END = 1_500;

export interface OwnMail extends ThreadText {
  /** The thread with the newest message; undefined without mail. */
  thread_id: string | undefined;
  email_addresses: string[];
}

async function newestFrom(ctx: CallerContext, addresses: string[]) {
  const plan = planOf([withParticipant(addresses)]);
  const { rows } = await findThreads(ctx, plan, { after: undefined, limit: THREADS });
  const writers = new Set(addresses);
  const written = rows.map(async ({ thread }: Row) => {
    const shown = await newestMessages(ctx.table, ctx.caller.user, thread, READ);
    return shown
      .filter(({ message: { from } }) => from !== null && writers.has(from.email_address))
      .map(({ message }) => ({ thread, message }));
  });
  const all = (await Promise.all(written)).flat();
  return all.sort((a, b) => b.message.sent - a.message.sent).slice(0, MESSAGES);
}

function told({ from, sent }: Message, text: string): ThreadText['messages'][number] {
  return {
    from: from?.name ?? from?.email_address ?? 'unknown',
    sent_at: new Date(sent).toISOString(),
    text: text.slice(-END).toWellFormed(),
  };
}

/** The newest messages that the caller sees from one of these addresses, oldest first, without quotes. */
export async function ownMail(ctx: CallerContext, email_addresses: string[]): Promise<OwnMail> {
  const newest = email_addresses.length === 0 ? [] : await newestFrom(ctx, email_addresses);
  const wanted = newest.map(({ thread, message }) => keys.body(thread.id, message.id));
  const items = await ctx.table.getMany<StoredBody>(wanted);
  const bodies = await readBodies(() => bucketOf(ctx), ctx.caller.account.id, items);
  return {
    subject: null,
    messages: newest.map(({ message }) => told(message, visibleBody(bodies.get(message.id)))).reverse(),
    thread_id: newest[0]?.thread.id,
    email_addresses,
  };
}
