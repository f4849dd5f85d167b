import type { ThreadRow } from '#shared/domain/assistant/answering/views.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { author, lines, threadLink } from '#shared/providers/assistant/built-in/say.ts';
import { messagesOf } from '#shared/providers/assistant/built-in/sources.ts';
import { since, timeIn } from '#shared/providers/assistant/built-in/times.ts';
import { waitingThreads } from '#shared/providers/assistant/built-in/waiting.ts';
import { counted } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';
import { lastSaid, told } from './last-said.ts';
import { listThreads } from './open.ts';
import { summary } from './summary.ts';

/** "What is new today?", "summarize my inbox": the last word on each of the newest threads. */

/** Threads that are quoted; more are shown as cards. */
const QUOTED = 5;

async function lastWord(row: ThreadRow, workspace: Workspace): Promise<string | undefined> {
  const [last] = messagesOf([await workspace.thread(row.id)]);
  if (!last) return undefined;
  const { message, thread } = last;
  return `- ${threadLink(thread)}, ${timeIn(workspace.zone, message.sent_at)}, ${author(message)}: ${told(last, 160)}`;
}

async function nothing(label: string, workspace: Workspace): Promise<string> {
  const [newest] = (await workspace.threads({ limit: 1 })).threads;
  return lines(
    `There is no mail ${label}.`,
    newest && `The newest is on ${threadLink(newest)}, of ${timeIn(workspace.zone, newest.last_sent_at)}.`,
  );
}

export async function overview(question: Question, workspace: Workspace): Promise<string> {
  const whole = /\b(?:inbox|mailbox|my|our)\b/i.test(question.text);
  if (workspace.asked.about && !whole)
    return (question.field === 'inbox' ? summary : lastSaid)(question, workspace);
  const stretch = since(question.text, workspace.asked.now, workspace.zone);
  const label = stretch?.label ?? 'on open threads';
  const filters = stretch ? { last_sent_after: stretch.from } : { unresolved: true };
  const { threads, total } = await workspace.threads({ ...filters, limit: 20 });
  if (threads.length === 0) return nothing(label, workspace);
  const [unread, waiting] = await Promise.all([
    workspace.threads({ ...filters, unread: true, limit: 1 }),
    waitingThreads(filters, workspace),
  ]);
  const words = await Promise.all(threads.slice(0, QUOTED).map((row) => lastWord(row, workspace)));
  const open = stretch ? `with mail ${label}` : 'open';
  const more = waiting.unseen > 0 ? ' or more' : '';
  return lines(
    `${total >= 1000 ? '1,000 or more threads' : counted(total, 'thread')} ${open}, ${unread.total.toLocaleString('en')} unread; ${waiting.threads.length}${more} waiting for an answer from your side.`,
    ...words,
    await listThreads(threads, stretch ? `Threads ${open}` : 'Open threads', workspace),
    total > threads.length && `Shown are the newest ${threads.length}.`,
  );
}
