import { findPerson, isBy } from '#shared/providers/assistant/built-in/people.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { author, lines, plainName, quote, threadLink } from '#shared/providers/assistant/built-in/say.ts';
import {
  messagesOf,
  openAll,
  saidBy,
  threadsFor,
  topicOf,
  unreadParts,
} from '#shared/providers/assistant/built-in/sources.ts';
import { timeIn } from '#shared/providers/assistant/built-in/times.ts';
import { counted, cut } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** Which files were sent, by whom and when. */

/** Pictures of signatures, as mail programs name them. */
const DECORATION = /^(?:image|img|logo|outlook|att)[-_]?\d{0,10}\.(?:png|gif|jpe?g)$/i;

async function read(question: Question, workspace: Workspace) {
  if (question.person) {
    const person = await findPerson(question.person, workspace);
    const { said, threads } = await saidBy(person, workspace);
    return { said: said.filter(({ message }) => isBy(message, person)), threads, searched: false };
  }
  const own = await threadsFor({ ...question, topic: topicOf(question) }, workspace);
  if (own.length > 0) return { said: messagesOf(own), threads: own, searched: false };
  const { threads: rows } = await workspace.threads({ limit: 5 });
  const threads = await openAll(rows, workspace);
  return { said: messagesOf(threads), threads, searched: true };
}

export async function files(question: Question, workspace: Workspace): Promise<string> {
  const { said, threads, searched } = await read(question, workspace);
  const found = said.flatMap(({ thread, message }) =>
    message.attachments
      .filter((name) => !DECORATION.test(name))
      .map((name) => ({
        at: message.sent_at,
        from: plainName(message.from),
        note: cut(name, 120),
        thread,
        message,
      })),
  );
  const where = searched ? `on the newest ${counted(threads.length, 'thread')}` : 'in the mail that I read';
  if (found.length === 0) return lines(`I found no files ${where}.`, unreadParts(threads));
  const shown = await workspace.showMoments('Files', found.slice(0, 20), 'File');
  const named = found.slice(0, shown ? 3 : 10);
  return lines(
    `${counted(found.length, 'file')} ${where}:`,
    ...named.map(
      ({ at, note, thread, message }) =>
        `- ${quote(note, 120)}, ${author(message)}, ${timeIn(workspace.zone, at)}${workspace.asked.about?.type === 'thread' ? '' : `, on ${threadLink(thread)}`}`,
    ),
    found.length > named.length && `The table lists ${found.length > 20 ? 'the newest 20' : 'all of them'}.`,
    unreadParts(threads),
  );
}
