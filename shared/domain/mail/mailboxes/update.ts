import { sentAmong } from '#shared/domain/collaboration/records/sent.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { creationOf, type Mailbox, type MailboxChanges } from './mailbox.ts';
import { requireOwnMailbox } from './policy.ts';

const fields = ['name', 'contact_creation'] as const;

/** As in `requireOwnMailbox`. Nothing is written when nothing changes. */
export function updateMailbox(ctx: CallerContext, id: string, changes: MailboxChanges): Promise<Mailbox> {
  return retryOnConflict(async () => {
    const before = await requireOwnMailbox(ctx, id);
    requireVersion(ctx, id, before);
    const sent = sentAmong(fields, changes);
    const after = { ...before, contact_creation: creationOf(before), ...sent };
    if (after.name === before.name && after.contact_creation === creationOf(before)) return before;
    return ctx.table.update<Mailbox>(keys.mailbox(before.account_id, id), {
      set: { ...sent, updated_at: nextMoment(before, ctx.now) },
      when: { updated_at: before.updated_at },
    });
  });
}
