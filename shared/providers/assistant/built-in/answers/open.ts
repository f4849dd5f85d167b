import type { ThreadRow, ThreadView } from '#shared/domain/assistant/answering/views.ts';
import { unanswered } from '#shared/providers/assistant/built-in/people.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { author, lines, threadLink } from '#shared/providers/assistant/built-in/say.ts';
import { since, timeIn } from '#shared/providers/assistant/built-in/times.ts';
import { waitingThreads, waits } from '#shared/providers/assistant/built-in/waiting.ts';
import { counted } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';
import { questionsIn } from './questions.ts';

/** What is open, unread, unanswered or flagged; and how many. */

interface Wanted {
  filter: { unread?: true; unresolved?: true; flagged?: true; awaiting?: true };
  is: string;
  are: string;
}

const STATES: [RegExp, Wanted][] = [
  [
    /\bunread\b|\bnot (?:been )?read\b|\bnew\b/i,
    { filter: { unread: true }, is: 'is unread', are: 'are unread' },
  ],
  [/\bflagged\b/i, { filter: { flagged: true }, is: 'is flagged', are: 'are flagged' }],
  [
    /\bunanswered|unreplied|await|wait|\banswer|\breply|\brespon|\battention|\battend\b/i,
    {
      filter: { awaiting: true },
      is: 'waits for an answer from your side',
      are: 'wait for an answer from your side',
    },
  ],
  [/./, { filter: { unresolved: true }, is: 'is open', are: 'are open' }],
];

function stateAsked(text: string): Wanted {
  return STATES.find(([words]) => words.test(text))![1];
}

const MANY =
  /\b(?:threads|mails|e-?mails|messages|conversations|inbox|mailbox|everything|everywhere|my|all)\b/i;

function state(thread: ThreadView, workspace: Workspace): string {
  const waiting = unanswered(thread, workspace.asked).at(-1);
  return lines(
    `${threadLink(thread)} is ${thread.resolved ? 'resolved' : 'open'}, ${thread.unread ? 'unread' : 'read'}${thread.flagged ? ', flagged' : ''}.`,
    waits(thread, workspace.asked)
      ? `It waits for an answer from your side${waiting ? `: ${author(waiting)} wrote last, on ${timeIn(workspace.zone, waiting.sent_at)}` : ''}.`
      : 'It does not wait for an answer from your side.',
    thread.snooze_until && `It is snoozed until ${timeIn(workspace.zone, thread.snooze_until)}.`,
    questionsIn([thread], workspace),
  );
}

export async function listThreads(
  rows: readonly ThreadRow[],
  title: string,
  workspace: Workspace,
): Promise<string | null> {
  const line = (row: ThreadRow) => `- ${threadLink(row)}, ${timeIn(workspace.zone, row.last_sent_at)}`;
  if (await workspace.showThreads([...rows], title)) return null;
  return lines(...rows.slice(0, 10).map(line));
}

function about(wanted: Wanted, question: Question, workspace: Workspace) {
  const stretch = since(question.text, workspace.asked.now, workspace.zone);
  const { about: record } = workspace.asked;
  const contact = record?.type === 'contact' ? { contact_id: record.id } : {};
  return {
    input: { ...wanted.filter, ...contact, ...(stretch ? { last_sent_after: stretch.from } : {}) },
    stretch,
  };
}

/** `unseen` are threads that may be in the state. */
async function inState({ filter }: Wanted, input: object, workspace: Workspace) {
  if (!filter.awaiting) return { ...(await workspace.threads({ ...input, limit: 20 })), unseen: 0 };
  const { threads, unseen } = await waitingThreads(input, workspace);
  return { threads, total: threads.length, unseen };
}

const notSeen = (unseen: number) =>
  unseen > 0 && `I did not look at ${counted(unseen, 'older thread')} without a mail of yours.`;

export async function open(question: Question, workspace: Workspace): Promise<string> {
  const thread = await workspace.ownThread();
  if (thread && !MANY.test(question.text)) return state(thread, workspace);
  const wanted = stateAsked(question.text);
  const { input, stretch } = about(wanted, question, workspace);
  const { threads, total, unseen } = await inState(wanted, input, workspace);
  const when = stretch ? `, counting mail ${stretch.label}` : '';
  const label = workspace.asked.about?.type === 'contact' ? ' with this contact' : '';
  const older = notSeen(unseen);
  if (threads.length === 0) return lines(`No thread${label} ${wanted.is}${when}.`, older);
  const [newest] = threads;
  const many = total >= 1000 ? '1,000 or more threads' : counted(total, 'thread');
  return lines(
    `${many}${label} ${total === 1 ? wanted.is : wanted.are}${when}. The newest is ${threadLink(newest!)}, of ${timeIn(workspace.zone, newest!.last_sent_at)}.`,
    await listThreads(threads, `Threads that ${wanted.are}`, workspace),
    total > threads.length && `Shown are the newest ${threads.length}.`,
    older,
  );
}

export async function count(question: Question, workspace: Workspace): Promise<string> {
  const thread = await workspace.ownThread();
  if (thread && !MANY.test(question.text.replace(/^how many (?:messages|mails|e-?mails)/i, '')))
    return `${threadLink(thread)} has ${counted(thread.message_count, 'message')}.`;
  const named = /\b(?:unread|new|open|unanswered|unresolved|flagged|wait|awaiting)/i.test(question.text);
  const wanted = named ? stateAsked(question.text) : null;
  const whole = wanted ?? {
    filter: {},
    is: 'is in the mail that you see',
    are: 'are in the mail that you see',
  };
  const { input, stretch } = about(whole, question, workspace);
  const topic = named
    ? undefined
    : /\b(?:from|with|to|about|on) (?<topic>.{1,100})$/i.exec(question.text)?.groups?.topic;
  const query = topic && !stretch ? { query: topic } : {};
  const { total, unseen } = await inState(whole, { ...input, ...query }, workspace);
  const many =
    total === 0 ? 'No threads' : total >= 1000 ? '1,000 or more threads' : counted(total, 'thread');
  const found = 'query' in query ? ` that ${total === 1 ? 'fits' : 'fit'} “${topic}”` : '';
  return lines(
    `${many}${found} ${total === 1 ? whole.is : whole.are}${stretch ? `, counting mail ${stretch.label}` : ''}.`,
    notSeen(unseen),
  );
}
