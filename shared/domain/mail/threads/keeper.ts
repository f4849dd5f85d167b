import { dispatchAgain, type Job } from '#shared/domain/platform/jobs/job.ts';
import type { ListChange, ListKeeper } from '#shared/domain/platform/lists/keeper.ts';
import { newReindexing, type Reindexing, reindexNow } from './reindex.ts';

/** The reindexing of users' thread lists that a change requires. */
function reindexingAfter(change: ListChange): Reindexing | undefined {
  if ('group_id' in change) return change;
  const { account_id } = change;
  if ('tag_ids' in change) {
    const { type, record_ids: thread_ids, tag_ids } = change;
    return type === 'threads' ? { account_id, thread_ids, tag_ids } : undefined;
  }
  const { record, user_ids } = change;
  if (record.type === 'threads') return { account_id, thread_id: record.id };
  return record.type === 'mailboxes' ? { account_id, mailbox_id: record.id, user_ids } : undefined;
}

/** Keeps users' lists of threads up to date. The id of a cause is that of its job. */
export const threadLists: ListKeeper = {
  jobAfter(change, now, cause): Job | undefined {
    const reindexing = reindexingAfter(change);
    return reindexing && newReindexing(reindexing, now, cause);
  },
  runNow: reindexNow,
  resume: dispatchAgain,
};
