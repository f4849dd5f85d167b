import type { Context } from '#shared/context.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Draft } from '../draft.ts';
import { findDraft, maySend } from '../policy.ts';
import { cannotSend } from './failures.ts';
import { fail } from './transitions.ts';

/**
 * What waits to be sent from a mailbox that was deleted fails at once, so that its users learn of it before the time. What
 * is being sent already ends by itself, and unsent drafts stay: another mailbox may send them.
 */

interface Place {
  account_id: string;
  mailbox_id: string;
}

function failQueued(ctx: Context, { user_id, id }: Draft, mailbox_id: string): Promise<void> {
  return retryOnConflict(async () => {
    const draft = await findDraft(ctx.table, user_id, id);
    if (draft?.status !== 'queued' || draft.mailbox_id !== mailbox_id) return;
    const caller = await callerFor(ctx.table, draft);
    if (!caller || draft.sending_id === undefined) return;
    const own = { ...ctx, now: ctx.clock(), caller };
    const { failure } = cannotSend('The mailbox was deleted. Choose another one to send from.');
    await fail(own, draft, draft.sending_id, failure);
  });
}

/** Idempotent. */
export async function failDraftsOf(ctx: Context, { account_id, mailbox_id }: Place): Promise<void> {
  const { users } = await membersOf(ctx.table, account_id);
  for (const user of users.filter((each) => maySend(each, mailbox_id))) {
    const { PK, SK } = keys.draft(user.id, '');
    for await (const page of ctx.table.pages<Draft>(PK, SK))
      for (const draft of page)
        if (draft.status === 'queued' && draft.mailbox_id === mailbox_id)
          await failQueued(ctx, draft, mailbox_id);
  }
}
