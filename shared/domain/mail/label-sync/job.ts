import type { User } from '#shared/domain/identity/users/user.ts';
import type { EntryState, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { type Job, type NewJob, newJob } from '#shared/domain/platform/jobs/job.ts';
import { idFrom } from '#shared/ids.ts';
import { update } from '#shared/table/table.ts';
import type { Labels } from './provider.ts';

/**
 * The labels of a thread to write to a user's mail servers. There is one job for each user and thread: a change
 * enqueues it in its own transaction, and later changes extend the waiting job. It names the labels but not their
 * values: those are read when it runs, so an older message cannot write an older value.
 */
export type LabelJob = Job & {
  body: LabelJobBody;
  /** Grows with every change. */
  version: number;
  labels: Set<keyof Labels>;
  /** The worker that holds it. */
  worker?: string;
};

export interface LabelJobBody extends Record<string, unknown> {
  user_id: string;
  account_id: string;
  thread_id: string;
}

export function owe(body: LabelJobBody, labels: (keyof Labels)[], now: Date): NewJob {
  const job = newJob('sync-labels', body, now, idFrom('label-sync', body.user_id, body.thread_id));
  const { PK, SK, ...attributes } = job;
  const change = { set: { ...attributes, body }, add: { version: 1, labels: new Set(labels) } };
  return { ...job, write: update<LabelJob>({ PK, SK }, change) };
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
  const labels: (keyof Labels)[] = [
    ...(before.unread === after.unread ? [] : (['read'] as const)),
    ...(before.flagged === after.flagged ? [] : (['flagged'] as const)),
  ];
  if (!synced || labels.length === 0) return undefined;
  return owe({ user_id: user.id, account_id: user.account_id, thread_id: before.thread_id }, labels, now);
}
