import { findPerson, isPronoun } from '#shared/providers/assistant/built-in/people.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { contactLink, lines, quote, threadLink } from '#shared/providers/assistant/built-in/say.ts';
import { topicIn, withPerson } from '#shared/providers/assistant/built-in/sources.ts';
import { since, timeIn } from '#shared/providers/assistant/built-in/times.ts';
import { counted, cut, stems } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';
import { listThreads } from './open.ts';

/** Finding threads and contacts. */

export async function findThreads(question: Question, workspace: Workspace): Promise<string> {
  const topic = question.topic ?? '';
  const stretch = since(question.text, workspace.asked.now, workspace.zone);
  const after = stretch ? { last_sent_after: stretch.from } : {};
  const query = topicIn(
    topic.replace(/\b(?:since )?(?:today|yesterday|(?:this|last|past) (?:week|month))$/i, ''),
  );
  if (query === '') return 'Tell me what to look for, for example: find threads about the invoice.';
  const person = isPronoun(query) ? await findPerson(query, workspace) : null;
  const what = person ? withPerson(person) : { query };
  const asWritten = await workspace.threads({ ...what, ...after, limit: 10 });
  // "patches" is found as "patch".
  const bare = stems(query).join(' ').slice(0, 200);
  const again = asWritten.total === 0 && !person && bare !== '' && bare !== query;
  const { threads, total } = again
    ? await workspace.threads({ query: bare, ...after, limit: 10 })
    : asWritten;
  const about = quote(person?.name ?? query, 80);
  if (threads.length === 0)
    return `I found no thread for ${about}${stretch ? ` with mail ${stretch.label}` : ''}.`;
  const many = total >= 1000 ? '1,000 or more threads' : counted(total, 'thread');
  const [newest] = threads;
  return lines(
    `${many} for ${about}. The newest is ${threadLink(newest!)}, of ${timeIn(workspace.zone, newest!.last_sent_at)}.`,
    await listThreads(threads, `Threads for ${cut(query, 60)}`, workspace),
    total > threads.length && `Shown are the newest ${threads.length}.`,
  );
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
