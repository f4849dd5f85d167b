import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { type MailCopy, nameOfCopy } from '#shared/domain/mail/sync/copy.ts';
import { applyLabels, type Following } from './apply.ts';
import type { Labels } from './labels.ts';
import { labelsAtServers, threadsOf } from './thread-labels.ts';

/** Labels of threads that lose copies at the server: what is left may be read, and not flagged. */

/** What is otherwise than before. What copies say nothing about, such as mail from archives, stays as it is. */
const differing = (before: Labels, after: Labels): Labels => ({
  ...(before.read !== undefined && after.read !== undefined && before.read !== after.read
    ? { read: after.read }
    : {}),
  ...(before.flagged !== undefined && after.flagged !== undefined && before.flagged !== after.flagged
    ? { flagged: after.flagged }
    : {}),
});

/** To call before the copies, and messages of which none is left, are forgotten: then it is idempotent. Throws TryLater. */
export async function copiesLost(ctx: Following, mailbox: Mailbox, gone: MailCopy[]): Promise<void> {
  if (!mailbox.label_sync) return;
  const known = gone.filter(({ message_id }) => message_id !== null);
  const threads = new Set((await threadsOf(ctx.table, mailbox.account_id, known)).values());
  const names = new Set(known.map(nameOfCopy));
  const isLeft = (copy: MailCopy) => !names.has(nameOfCopy(copy));
  for (const thread_id of threads)
    await applyLabels(ctx, mailbox.user_id, thread_id, async () => {
      const [before = {}, after = {}] = await labelsAtServers(ctx, mailbox, thread_id, (all) => [
        all,
        all.filter(isLeft),
      ]);
      return differing(before, after);
    });
}
