import type { User } from '#shared/domain/identity/users/user.ts';
import type { EntryState, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { type Job, type NewJob, sharedJob } from '#shared/domain/platform/jobs/job.ts';
import { idFrom } from '#shared/ids.ts';
import type { Labels } from './labels.ts';

/**
 * The labels of a thread to write to a user's mail servers. There is one job for each user and thread: a change
 * enqueues it in its own transaction, and later changes extend the waiting job. It names the labels but not their
 * values: those are read when it runs, so an older message cannot write an older value.
 */
export type LabelJob = Job & {
  body: LabelJobBody;
  /** Grows with every change. */
  version: number;
  labels?: Set<keyof Labels>;
  /** Messages that were answered or forwarded: a sent mail cannot be taken back, so this says all (answered.ts). */
  answered?: Set<string>;
  /** The worker that holds it. */
  worker?: string;
};

export interface LabelJobBody extends Record<string, unknown> {
  user_id: string;
  account_id: string;
  thread_id: string;
}

/** One for each user and thread. */
export const labelJobId = (user_id: string, thread_id: string) => idFrom('label-sync', user_id, thread_id);

/** What a job writes. */
type Owed = Pick<LabelJob, 'labels' | 'answered'>;

export function owe(body: LabelJobBody, { labels, answered }: Owed, now: Date): NewJob {
  const id = labelJobId(body.user_id, body.thread_id);
  const add = { version: 1, ...(labels ? { labels } : {}), ...(answered ? { answered } : {}) };
  return sharedJob<LabelJob>('sync-labels', body, { id, now, add });
}

type Marks = Pick<EntryState, 'unread' | 'flagged'>;

/**
 * The job for a user's change; undefined when neither flag nor read mark changed, or when the thread is in none of the
 * user's own mailboxes with label_sync on.
 */
export function owedLabels(
  user: User,
  before: Marks & Pick<ThreadEntry, 'thread_id' | 'mailbox_ids'>,
  after: Marks,
  now: Date,
): NewJob | undefined {
  const synced = before.mailbox_ids.some((id) => user.label_sync_mailbox_ids?.has(id));
  const labels = new Set<keyof Labels>([
    ...(before.unread === after.unread ? [] : (['read'] as const)),
    ...(before.flagged === after.flagged ? [] : (['flagged'] as const)),
  ]);
  if (!synced || labels.size === 0) return undefined;
  return owe({ user_id: user.id, account_id: user.account_id, thread_id: before.thread_id }, { labels }, now);
}
