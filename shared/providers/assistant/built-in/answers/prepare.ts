import type { EventView } from '#shared/domain/assistant/answering/views.ts';
import { lines, personLink, quote, threadLink } from '#shared/providers/assistant/built-in/say.ts';
import { timeIn } from '#shared/providers/assistant/built-in/times.ts';
import { cut, listed } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** A brief of a meeting: who comes, and what is open in the mail with each of them. */

/** People whose mail is looked up, and threads with each. */
const PEOPLE = 6;
const THREADS = 2;

type Person = EventView['people'][number];

const answerOf = ({ response }: Person) => (response === 'needs_action' ? 'no answer yet' : response);

async function mailWith(person: Person, workspace: Workspace): Promise<string | undefined> {
  const filters = { participant: person.email_address, unresolved: true, limit: THREADS };
  const { threads, total } = await workspace.threads(filters);
  if (threads.length === 0) return undefined;
  const rows = threads.map(
    (thread) =>
      `${threadLink(thread)}, ${timeIn(workspace.zone, thread.last_sent_at)}${thread.awaiting ? ', waiting for your side' : ''}`,
  );
  const more = total > threads.length ? `; ${total - threads.length} more` : '';
  return `- With ${personLink(person)}: ${rows.join('; ')}${more}`;
}

export async function prepare(event: EventView, workspace: Workspace): Promise<string> {
  const others = event.people.filter(({ own }) => !own);
  const open = await Promise.all(others.slice(0, PEOPLE).map((person) => mailWith(person, workspace)));
  const shown = others.slice(0, PEOPLE).map((person) => `${personLink(person)} (${answerOf(person)})`);
  const comment = event.comments.at(-1);
  const mail = open.filter((each) => each !== undefined);
  return lines(
    `${quote(event.name, 120)}, ${timeIn(workspace.zone, event.starts_at)}${event.location ? `, ${quote(event.location, 80)}` : ''}.`,
    shown.length > 0 ? `With ${listed(shown)}.` : 'Nobody else is invited.',
    others.length > PEOPLE && `${others.length - PEOPLE} more are invited.`,
    event.description && `It is about: ${quote(event.description, 300)}`,
    comment && `Last comment, by ${cut(comment.author, 100)}: ${quote(comment.text, 200)}`,
    mail.length > 0 ? 'Open in the mail:' : 'No mail with them is open.',
    ...mail,
  );
}
