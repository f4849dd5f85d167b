import type { ThreadView } from '#shared/domain/assistant/answering/views.ts';
import { findPerson, isBy, unanswered, whole } from '#shared/providers/assistant/built-in/people.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { lines } from '#shared/providers/assistant/built-in/say.ts';
import { isQuestion, isRequest, sentencesOf } from '#shared/providers/assistant/built-in/sentences.ts';
import { onlyBeginnings, openAll, saidBy, threadsFor } from '#shared/providers/assistant/built-in/sources.ts';
import { waitingThreads } from '#shared/providers/assistant/built-in/waiting.ts';
import { counted } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';
import { told } from './last-said.ts';
import { quoteLine } from './said.ts';

/** Unanswered questions and requests. */

const SHOWN = 8;

/** Those in messages since the asker's side wrote last; null when there are none. */
export function questionsIn(threads: readonly ThreadView[], workspace: Workspace): string | null {
  const found = threads.flatMap((thread) =>
    unanswered(thread, workspace.asked).flatMap((message) =>
      sentencesOf(message.text, message.from?.name ?? '')
        .filter(isQuestion)
        .map((sentence) => ({ said: { thread, message }, sentence })),
    ),
  );
  if (found.length === 0) return null;
  const where = workspace.asked.about?.type !== 'thread';
  return lines(
    `${counted(found.length, 'question')} without an answer:`,
    ...found.slice(0, SHOWN).map((each) => `- ${quoteLine(each, workspace, where)}`),
    found.length > SHOWN && `And ${found.length - SHOWN} more.`,
    onlyBeginnings([...new Set(found.map(({ said }) => said.message))], workspace.zone),
  );
}

async function askedBy(name: string, workspace: Workspace): Promise<string> {
  const person = await findPerson(name, workspace);
  const { said } = await saidBy(person, workspace);
  const wishes = said
    .filter(({ message }) => isBy(message, person))
    .flatMap((each) =>
      sentencesOf(each.message.text, each.message.from?.name ?? '')
        .filter(isRequest)
        .map((sentence) => ({ said: each, sentence })),
    );
  if (wishes.length === 0)
    return `I found no question or wish in the mail from ${whole(person)} that I read.`;
  const where = workspace.asked.about?.type !== 'thread';
  return lines(
    ...wishes.slice(0, 6).map((each) => quoteLine(each, workspace, where)),
    wishes.length < 2 && `The newest mail from ${whole(person)}: ${told(said[0]!)}`,
  );
}

export async function questions(question: Question, workspace: Workspace): Promise<string> {
  if (question.person) return askedBy(question.person, workspace);
  const own = await threadsFor(question, workspace);
  const searched = own.length === 0;
  const threads = searched ? await openAll((await waitingThreads({}, workspace)).threads, workspace) : own;
  const where = workspace.asked.about?.type === 'thread' ? 'on this thread' : 'in the threads that I read';
  const none = `I found no open question ${where}: none of the messages received since your side wrote last has one.`;
  return lines(
    questionsIn(threads, workspace) ?? none,
    searched && `I looked at the newest ${counted(threads.length, 'thread')} that wait for your side.`,
  );
}
