import { sentAmong } from '#shared/domain/collaboration/records/sent.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { invalidField } from '#shared/errors.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { update } from '#shared/table/table.ts';
import { creationOf, type Mailbox, type MailboxChanges } from './mailbox.ts';
import { requireOwnMailbox } from './policy.ts';
import { syncJob } from './sync-job.ts';

const fields = ['name', 'contact_creation', 'calendar_sync'] as const;

/** With what was never chosen. */
const chosen = (mailbox: Mailbox) => ({
  ...{ ...mailbox, contact_creation: creationOf(mailbox) },
  calendar_sync: mailbox.calendar_sync ?? false,
});

/** As in `requireOwnMailbox`. Nothing is written when nothing changes. 400 for calendars without a server. */
export function updateMailbox(ctx: CallerContext, id: string, changes: MailboxChanges): Promise<Mailbox> {
  return retryOnConflict(async () => {
    const before = chosen(await requireOwnMailbox(ctx, id));
    requireVersion(ctx, id, before);
    const sent = sentAmong(fields, changes);
    if (sent.calendar_sync && !before.calendar_server)
      throw invalidField(
        'calendar_sync',
        'invalid',
        'cannot be true: the mailbox has no server of calendars',
      );
    const after = { ...before, ...sent };
    if (fields.every((field) => after[field] === before[field])) return before;
    const set = { ...sent, updated_at: nextMoment(before, ctx.now) };
    const write = update<Mailbox>(keys.mailbox(before.account_id, id), {
      set,
      when: { updated_at: before.updated_at },
    });
    const begins = after.calendar_sync && !before.calendar_sync && before.status !== 'locked';
    await commit(ctx, { writes: [write], jobs: begins ? [syncJob(before, ctx.now)] : [] });
    return { ...after, ...set };
  });
}
