import { clockIn } from '#shared/days.ts';
import type { TaskRow } from '#shared/domain/assistant/answering/views.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { lines, recordLink, threadLink } from '#shared/providers/assistant/built-in/say.ts';
import { dayIn, timeIn } from '#shared/providers/assistant/built-in/times.ts';
import { waitingThreads } from '#shared/providers/assistant/built-in/waiting.ts';
import { counted, cut } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';
import { deadlines } from './dates.ts';

/** "Which tasks are due this week?": tasks, mail that waits for an answer, and deadlines that the mail names. */

/** Tasks that are named; more are shown as cards. */
const NAMED = 10;

const SLICES: [RegExp, string, string][] = [
  [/\b(?:overdue|late|missed)\b/i, 'overdue', 'overdue'],
  [/\btoday\b/i, 'today', 'due today'],
  [/\b(?:completed|done|finished)\b/i, 'completed', 'completed'],
  [/./, 'open', 'open'],
];

/** Of the record that it was asked on. */
const ABOUT = {
  contact: 'contact_id',
  organization: 'organization_id',
  deal: 'deal_id',
  thread: 'thread_id',
  calendar_event: 'calendar_event_id',
} as const;

/** A day is as long as its name: 2026-11-27. */
const isDay = (due_at: string) => due_at.length === 10;

function dueBy(task: TaskRow, end: string, { zone }: Workspace): boolean {
  if (task.due_at === null) return false;
  const day = isDay(task.due_at)
    ? task.due_at
    : clockIn(zone, new Date(task.due_at)).toPlainDate().toString();
  return day <= end;
}

function line(task: TaskRow, { zone }: Workspace): string {
  const { due_at, assignee } = task;
  const due = due_at === null ? '' : `, due ${isDay(due_at) ? dayIn('UTC', due_at) : timeIn(zone, due_at)}`;
  return `- ${recordLink('task', task)}${due}${assignee === null ? '' : `, ${cut(assignee, 100)}`}`;
}

async function found({ text }: Question, workspace: Workspace) {
  const { about, now } = workspace.asked;
  const [, slice, is] = SLICES.find(([words]) => words.test(text)) as [RegExp, string, string];
  const mine = /\b(?:i|me|my|mine)\b/i.test(text);
  const here = about && !mine ? { [ABOUT[about.type]]: about.id } : {};
  const { tasks, total } = await workspace.use('search_tasks', { slice, ...(mine ? { mine } : {}), ...here });
  if (!/\bthis week\b/i.test(text)) return { tasks, total, is };
  const today = clockIn(workspace.zone, now).toPlainDate();
  const end = today.add({ days: 7 - today.dayOfWeek }).toString();
  const due = tasks.filter((task) => dueBy(task, end, workspace));
  return { tasks: due, total: due.length, is: `${is}, due by the end of this week` };
}

async function listTasks(question: Question, workspace: Workspace): Promise<string> {
  const { tasks, total, is } = await found(question, workspace);
  if (tasks.length === 0) return `No task is ${is}.`;
  const ids = tasks.map(({ id }) => id);
  await workspace.showTasks(ids, 'Tasks');
  return lines(
    `${counted(total, 'task is', 'tasks are')} ${is}:`,
    ...tasks.slice(0, NAMED).map((task) => line(task, workspace)),
  );
}

/** What there is to do in a conversation: mail to answer. */
async function waitingFor(workspace: Workspace): Promise<string | null> {
  if (workspace.asked.about || !workspace.has('search_threads')) return null;
  const { threads } = await waitingThreads({}, workspace);
  if (threads.length === 0) return 'No thread waits for an answer from your side.';
  const [newest] = threads;
  const many = counted(threads.length, 'thread waits', 'threads wait');
  return `${many} for an answer from your side; the newest is ${threadLink(newest!)}.`;
}

export async function tasks(question: Question, workspace: Workspace): Promise<string> {
  const own = workspace.has('search_tasks') ? await listTasks(question, workspace) : null;
  const named = await deadlines(question, workspace);
  return lines(
    own,
    await waitingFor(workspace),
    named ? 'The mail names these deadlines:' : 'I found no deadline in the mail that I read.',
    named,
  );
}
