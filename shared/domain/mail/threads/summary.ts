import { createHash } from 'node:crypto';
import { openMailboxes, type Viewer } from './policy.ts';
import { mailboxesOf, type Thread, type ThreadSummary } from './thread.ts';

/**
 * Summaries of a thread are stored by the mailboxes whose messages they were made from: users who read the same
 * mailboxes share one, and nobody reads a summary of messages that are hidden from them.
 */

/** The mailboxes of the thread that the user reads. */
export function readMailboxes(viewer: Viewer, thread: Pick<Thread, 'shares' | 'mailbox_ids'>): string[] {
  const open = openMailboxes(viewer, thread);
  return [...mailboxesOf(thread)].filter((id) => open.has(id)).sort();
}

export function summaryKey(mailbox_ids: string[]): string {
  return createHash('sha256').update(mailbox_ids.join()).digest('hex').slice(0, 16);
}

/** Undefined until the thread is summarized for readers of these mailboxes. */
export function summaryFor(viewer: Viewer, thread: Thread): ThreadSummary | undefined {
  return thread.summaries?.[summaryKey(readMailboxes(viewer, thread))];
}
