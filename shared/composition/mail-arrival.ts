import { workOnThreads } from '#shared/domain/assistant/agents/thread-work.ts';
import { followFiles } from '#shared/domain/mail/attachments/files.ts';
import type { FollowsMail } from '#shared/domain/mail/imports/run.ts';
import { linkable } from './visibility.ts';

/** What happens to threads with new mail. */
export const mailArrival: FollowsMail = {
  async mailArrived(ctx, account_id, thread_ids) {
    await followFiles({ table: ctx.table, now: ctx.clock(), records: linkable }, thread_ids);
    await workOnThreads(ctx, account_id, thread_ids);
  },
};
