import { counted } from '#shared/domain/assistant/answering/usage.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { messagesOfMailboxes } from '#shared/domain/mail/threads/entry.ts';
import { seesThread } from '#shared/domain/mail/threads/policy.ts';
import type { Members } from '#shared/domain/mail/threads/refresh.ts';
import { readMailboxes, summaryKey } from '#shared/domain/mail/threads/summary.ts';
import type { Thread, ThreadSummary } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import { at, ConditionFailed, type Table, unlessThere } from '#shared/table/table.ts';
import type { AgentRun } from './agent-run.ts';
import { threadText } from './thread-text.ts';

/** The number of mailbox sets for which one thread is summarized: its item has room for this many summaries. */
const MAX_SUMMARIES = 8;

/** Users may read different mailboxes of the thread: each distinct set of mailboxes. */
function audiences(thread: Thread, { users }: Members): string[][] {
  const sets = users.filter((user) => seesThread(user, thread)).map((user) => readMailboxes(user, thread));
  return [...new Map(sets.map((set) => [summaryKey(set), set])).values()].slice(0, MAX_SUMMARIES);
}

async function storeSummary(table: Table, id: string, key: string, summary: ThreadSummary): Promise<void> {
  const thread = keys.record('threads', id);
  const unchanged = { ...isLive, version: summary.version };
  try {
    await table.update<Thread>(thread, { set: { summaries: unlessThere({}) }, when: unchanged }, 'NONE');
    await table.update<Thread>(thread, { set: { summaries: at(key, summary) }, when: unchanged }, 'NONE');
  } catch (error) {
    // New mail has its own run, as has the thread that this one was merged into; a message that left is not told of.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** Agent `auto_summarize`: headline and summary for every user who sees the thread. Skips those that are up to date. */
export async function summarizeThread(run: AgentRun): Promise<void> {
  const { ctx, assistant, configuration, thread, messages, members, deadline } = run;
  const work = { account_id: thread.account_id, purpose: configuration.agent_slug, assistant };
  for (const mailbox_ids of audiences(thread, members)) {
    const key = summaryKey(mailbox_ids);
    if ((thread.summaries?.[key]?.version ?? 0) >= thread.version) continue;
    const text = await threadText(ctx, thread, messagesOfMailboxes(messages, new Set(mailbox_ids)));
    const { headline, summary } = await counted(ctx, work, () =>
      assistant.summarize(text, configuration.instructions, deadline),
    );
    const { version } = thread;
    await storeSummary(ctx.table, thread.id, key, { headline, summary, version });
  }
}
