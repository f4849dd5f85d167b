import { findPerson, isBy, isOurs, type Person, whole } from '#shared/providers/assistant/built-in/people.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import {
  author,
  lines,
  plainName,
  threadLink,
  threadName,
} from '#shared/providers/assistant/built-in/say.ts';
import {
  messagesOf,
  openAll,
  rowsWith,
  type Said,
  threadsFor,
  unreadParts,
} from '#shared/providers/assistant/built-in/sources.ts';
import { timeIn } from '#shared/providers/assistant/built-in/times.ts';
import { counted } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** When somebody was last mailed, or wrote: the answer in a sentence, the moments in a table. */

const ROWS = 20;

async function table(title: string, said: readonly Said[], workspace: Workspace): Promise<string | null> {
  const shown = said.slice(0, ROWS);
  const moments = shown.map(({ thread, message }) => ({
    at: message.sent_at,
    from: plainName(message.from),
    note: threadName(thread),
    thread,
  }));
  if (await workspace.showMoments(title, moments)) return null;
  return lines(
    ...shown
      .slice(0, 8)
      .map(
        ({ thread, message }) =>
          `- ${timeIn(workspace.zone, message.sent_at)}: ${author(message)}, ${threadLink(thread)}`,
      ),
  );
}

function last(said: Said | undefined, zone: string, never: string): string {
  if (!said) return never;
  const { thread, message } = said;
  return `${timeIn(zone, message.sent_at)}, by ${message.own ? 'you' : author(message)}, on ${threadLink(thread)}.`;
}

async function withPerson(person: Person, direction: string | null, workspace: Workspace): Promise<string> {
  const { threads: rows, total } = await rowsWith(person, workspace);
  const own = await workspace.ownThread();
  const threads = await openAll(own ? [own, ...rows] : rows, workspace);
  const exchanged = messagesOf(threads).filter(
    ({ message }) => isBy(message, person) || isTo(message.to, person),
  );
  if (exchanged.length === 0)
    return lines(`I found no mail from or to ${whole(person)}.`, unreadParts(threads));
  const from = exchanged.find(({ message }) => isBy(message, person));
  const to = exchanged.find(({ message }) => !isBy(message, person) && isOurs(message, workspace.asked));
  const { zone } = workspace;
  const toThem = `Last mail to ${whole(person)}: ${last(to, zone, 'none that I found.')}`;
  const fromThem = `Last mail from ${whole(person)}: ${last(from, zone, 'none that I found.')}`;
  const listed = await table(`Mail with ${plainName(person)}`, exchanged, workspace);
  return lines(
    ...(direction === 'from' ? [fromThem, toThem] : [toThem, fromThem]),
    listed,
    total > rows.length && `I looked at the newest ${rows.length} of ${counted(total, 'thread')}.`,
    unreadParts(threads),
  );
}

function isTo(to: readonly { contact_id: string | null; email_address: string }[], person: Person): boolean {
  return to.some(
    (each) =>
      (person.contact_id !== null && each.contact_id === person.contact_id) ||
      person.addresses.includes(each.email_address.toLowerCase()),
  );
}

export async function lastMailed(question: Question, workspace: Workspace): Promise<string> {
  const onThread = workspace.asked.about?.type === 'thread' && workspace.asked.past.length === 0;
  if (question.person || !onThread)
    return withPerson(await findPerson(question.person, workspace), question.field, workspace);
  const threads = await threadsFor(question, workspace);
  const said = messagesOf(threads);
  if (said.length === 0) return 'There are no messages on this thread.';
  return lines(
    `The last message: ${last(said[0], workspace.zone, '')}`,
    await table('Messages on this thread', said, workspace),
    unreadParts(threads),
  );
}
