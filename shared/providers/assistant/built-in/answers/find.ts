import { findPerson, isPronoun, type Person } from '#shared/providers/assistant/built-in/people.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { contactLink, lines, quote, threadLink } from '#shared/providers/assistant/built-in/say.ts';
import { topicIn, withPerson } from '#shared/providers/assistant/built-in/sources.ts';
import { since, timeIn } from '#shared/providers/assistant/built-in/times.ts';
import { counted, cut, stems } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';
import { listThreads } from './open.ts';

/** Finding threads and contacts. */

function searchIn(question: Question, { asked, zone }: Workspace) {
  const query = topicIn(
    (question.topic ?? '').replace(
      /\b(?:since )?(?:today|yesterday|(?:this|last|past) (?:week|month))$/i,
      '',
    ),
  );
  return { query, stretch: since(question.text, asked.now, zone) };
}

async function search(
  { query, stretch }: ReturnType<typeof searchIn>,
  person: Person | null,
  workspace: Workspace,
) {
  const after = stretch ? { last_sent_after: stretch.from } : {};
  const what = person ? withPerson(person) : { query };
  const asWritten = await workspace.threads({ ...what, ...after, limit: 10 });
  // "patches" is found as "patch".
  const bare = stems(query).join(' ').slice(0, 200);
  const again = asWritten.total === 0 && !person && bare !== '' && bare !== query;
  return again ? workspace.threads({ query: bare, ...after, limit: 10 }) : asWritten;
}

/** Null when there are none. */
export async function threadsFound(question: Question, workspace: Workspace): Promise<string | null> {
  const wanted = searchIn(question, workspace);
  if (wanted.query === '') return null;
  const person = isPronoun(wanted.query) ? await findPerson(wanted.query, workspace) : null;
  const { threads, total } = await search(wanted, person, workspace);
  const [newest] = threads;
  if (!newest) return null;
  const many = total >= 1000 ? '1,000 or more threads' : counted(total, 'thread');
  return lines(
    `${many} for ${quote(person?.name ?? wanted.query, 80)}. The newest is ${threadLink(newest)}, of ${timeIn(workspace.zone, newest.last_sent_at)}.`,
    await listThreads(threads, `Threads for ${cut(wanted.query, 60)}`, workspace),
    total > threads.length && `Shown are the newest ${threads.length}.`,
  );
}

export async function findThreads(question: Question, workspace: Workspace): Promise<string> {
  const { query, stretch } = searchIn(question, workspace);
  if (query === '') return 'Tell me what to look for, for example: find threads about the invoice.';
  const found = await threadsFound(question, workspace);
  if (found) return found;
  const person = isPronoun(query) ? await findPerson(query, workspace) : null;
  return `I found no thread for ${quote(person?.name ?? query, 80)}${stretch ? ` with mail ${stretch.label}` : ''}.`;
}

export async function findContact(question: Question, workspace: Workspace): Promise<string> {
  const name = question.person ?? '';
  const { contacts, more } = await workspace.contacts(name);
  if (contacts.length === 0) return `I found no contact for ${quote(name, 80)}.`;
  const shown = contacts.slice(0, 20);
  await workspace.showContacts(shown.map(({ id }) => id));
  return lines(
    contacts.length === 1 ? 'I found this contact:' : `I found ${counted(contacts.length, 'contact')}:`,
    ...shown.slice(0, 8).map((each) => {
      const facts = [each.headline, each.email_addresses[0]].filter(Boolean).join(', ');
      return `- ${contactLink(each)}${facts ? `: ${cut(facts, 200)}` : ''}`;
    }),
    more && 'There are more; a longer name finds fewer.',
  );
}
