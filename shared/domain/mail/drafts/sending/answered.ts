import type { Context } from '#shared/context.ts';
import { answeredNote } from '#shared/domain/mail/label-sync/answered.ts';
import { owe } from '#shared/domain/mail/label-sync/job.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import type { IdRow } from '#shared/domain/mail/threads/message-ids.ts';
import { mailboxesOf } from '#shared/domain/mail/threads/thread.ts';
import type { NewJob } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import type { Draft } from '../draft.ts';

/**
 * What the server is to know of a message once it was answered or forwarded, as other mail programs show it. The labels of its
 * thread go there by the same job (docs/decisions/0015-label-sync.md). Nothing when the mailbox does not have the message,
 * or has no label_sync.
 */
export async function owedAnswer(
  { table, clock }: Context,
  { account_id, answered, kind }: Draft,
  { id, user_id, label_sync }: Mailbox,
): Promise<NewJob[]> {
  if (!answered || !label_sync) return [];
  const { message_id, id_hash } = answered;
  const row = await table.get<IdRow>(keys.messageId(account_id, id_hash, message_id));
  if (!row || !mailboxesOf(row).has(id)) return [];
  const deed = kind === 'forward' ? 'forwarded' : 'answered';
  const notes = new Set([answeredNote(id, message_id, deed)]);
  return [owe({ user_id, account_id, thread_id: row.thread_id }, { answered: notes }, clock())];
}
