import type { CommentView } from '#shared/domain/assistant/answering/views.ts';
import { findPerson, isOurs, whole } from '#shared/providers/assistant/built-in/people.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { author, lines, quote, threadLink } from '#shared/providers/assistant/built-in/say.ts';
import { gist, sentencesOf } from '#shared/providers/assistant/built-in/sentences.ts';
import {
  messagesOf,
  onlyBeginnings,
  type Said,
  saidBy,
  threadsFor,
  unreadParts,
} from '#shared/providers/assistant/built-in/sources.ts';
import { since, timeIn } from '#shared/providers/assistant/built-in/times.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** What was said last, by anyone or by one person. */

/** A message in a few of its own sentences. */
export function told({ message }: Said, max = 600): string {
  const said = sentencesOf(message.text, message.from?.name ?? '');
  if (said.length === 0)
    return message.attachments.length > 0 ? 'without text, with files.' : 'without text.';
  const whole = said.join(' ');
  return quote(whole.length <= max ? whole : (gist(said) ?? whole), max);
}

function comment(comments: readonly CommentView[], after: string, zone: string): string | null {
  const last = comments.at(-1);
  if (!last || last.created_at < after) return null;
  return `Since then ${last.author} commented on ${timeIn(zone, last.created_at)}: ${quote(last.text, 300)}`;
}

/** Messages that are told of a stretch of time. */
const REPORTED = 5;

function report(said: Said, workspace: Workspace, max?: number): string {
  const { thread, message } = said;
  const where = workspace.asked.about?.type === 'thread' ? '' : ` on ${threadLink(thread)}`;
  return `${author(message)} wrote${where} on ${timeIn(workspace.zone, message.sent_at)}: ${told(said, max)}`;
}

async function byPerson(question: Question, workspace: Workspace): Promise<string> {
  const person = await findPerson(question.person, workspace);
  const { said, threads } = await saidBy(person, workspace);
  const [last] = said;
  if (!last) return lines(`I found no mail written by ${whole(person)}.`, unreadParts(threads));
  const stretch = since(question.text, workspace.asked.now, workspace.zone);
  const within = stretch ? said.filter(({ message }) => message.sent_at >= stretch.from) : [];
  if (within.length > 1)
    return lines(
      ...within.slice(0, REPORTED).map((each) => report(each, workspace, 300)),
      within.length > REPORTED && `And ${within.length - REPORTED} more ${stretch?.label}.`,
      unreadParts(threads),
    );
  const later = messagesOf([last.thread]).filter(({ message }) => message.sent_at > last.message.sent_at);
  const answered = later.find(({ message }) => isOurs(message, workspace.asked));
  return lines(
    stretch &&
      within.length === 0 &&
      `I found no mail written by ${whole(person)} ${stretch.label}; the last before that:`,
    report(last, workspace),
    answered
      ? `${author(answered.message)} wrote after that, on ${timeIn(workspace.zone, answered.message.sent_at)}.`
      : !isOurs(last.message, workspace.asked) && 'Nobody on your side has written on this thread since.',
    onlyBeginnings([last.message], workspace.zone),
  );
}

export async function lastSaid(question: Question, workspace: Workspace): Promise<string> {
  if (question.person) return byPerson(question, workspace);
  if (workspace.asked.about?.type === 'contact') return byPerson(question, workspace);
  const threads = await threadsFor(question, workspace);
  const [last] = messagesOf(threads);
  if (!last) {
    if (threads.length > 0) return 'There are no messages on this thread.';
    const { threads: newest } = await workspace.threads({ limit: 5 });
    const [row] = newest;
    if (!row) return 'You see no mail in this workspace yet.';
    const [message] = messagesOf([await workspace.thread(row.id)]);
    return message ? report(message, workspace) : `The newest thread is ${threadLink(row)}.`;
  }
  return lines(
    report(last, workspace),
    comment(last.thread.comments, last.message.sent_at, workspace.zone),
    onlyBeginnings([last.message], workspace.zone),
  );
}
