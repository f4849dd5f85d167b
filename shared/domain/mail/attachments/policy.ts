import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { IdRow } from '#shared/domain/mail/threads/message-ids.ts';
import { openMailboxes } from '#shared/domain/mail/threads/policy.ts';
import { mailboxesOf, type Thread } from '#shared/domain/mail/threads/thread.ts';
import { recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Attachment } from './attachment.ts';

/**
 * Who may read an attachment: whoever sees one message that has it, at the moment of the request. The user's item and
 * the thread's item decide, as for threads, so access that ended is gone at once.
 */

/** Those whose message the caller sees, in the same order. */
async function visible({ table, caller }: CallerContext, attachments: Attachment[]): Promise<Attachment[]> {
  const own = attachments.filter(({ account_id }) => account_id === caller.account.id);
  const rows = await table.getMany<IdRow>(
    own.map(({ account_id, id_hash, message_id }) => keys.messageId(account_id, id_hash, message_id)),
  );
  const reached = (row: IdRow, open: ReadonlySet<string>) => [...mailboxesOf(row)].some((id) => open.has(id));
  const mailboxes = new Set(Object.keys(caller.user.mailboxes));
  const others = rows.filter((row) => !reached(row, mailboxes));
  // A share of a thread opens the messages that its mailboxes received.
  const threads = await table.getMany<Thread>(
    others.map(({ thread_id }) => keys.record('threads', thread_id)),
  );
  const threadById = new Map(threads.map((thread) => [thread.id, thread]));
  const seen = rows.filter((row) => {
    const thread = threadById.get(row.thread_id);
    return reached(row, thread ? openMailboxes(caller.user, thread) : mailboxes);
  });
  const messages = new Set(seen.map(({ message_id }) => message_id));
  return own.filter(({ message_id }) => messages.has(message_id));
}

/** 404 `record_not_found` for an attachment that does not exist, or of a message that the caller does not see. */
export async function requireAttachment(ctx: CallerContext, id: string): Promise<Attachment> {
  const found = await ctx.table.get<Attachment>(keys.attachment(id));
  const [attachment] = found ? await visible(ctx, [found]) : [];
  if (!attachment) throw recordNotFound();
  return attachment;
}

/** An attachment that the caller sees and that has the file; 404 for any other. */
export async function requireCarrier(
  ctx: CallerContext,
  file_id: string,
  attachment_id: string,
): Promise<Attachment> {
  const attachment = await requireAttachment(ctx, attachment_id);
  if (attachment.file_id !== file_id) throw recordNotFound();
  return attachment;
}
