import type { MessageView, ThreadRow, ThreadView } from '#shared/domain/assistant/answering/views.ts';
import { Cannot } from './cannot.ts';
import { isBy, type Person } from './people.ts';
import type { Question } from './question.ts';
import { author, quote, threadLink } from './say.ts';
import { timeIn } from './times.ts';
import { contentStems, counted, shared } from './words.ts';
import type { Workspace } from './workspace.ts';

/** The mail that an answer is made from. */

export interface Said {
  thread: ThreadView;
  message: MessageView;
}

/** So many threads are opened for one answer. */
const OPENED = 5;

const THREAD = /\[[^[\]\n]{1,120}\]\(thread:([\w-]{1,64})\)/;
const ABOUT = [
  /\b(?:threads?|mails?|e-?mails?|conversations?|messages?|correspondence) (?:about|on|called|named|with|from|to|regarding|concerning) (?<topic>.{1,200})$/i,
  /\b(?:in|on|of|for|from|about) (?:the )?(?<topic>.{2,100}?) (?:thread|conversation|mail|e-?mail)$/i,
  /\b(?:summari[sz]e|summary of|recap of|overview of|sum up) (?:the )?(?<topic>.{2,200})$/i,
];
const THIS =
  /^(?:this|it|that|the|here|everything|all)(?: (?:thread|mail|conversation|contact|e-?mail|message))?$/i;

/** The search terms, without function words. */
export function topicIn(text: string): string {
  return text
    .replace(/^(?:(?:the|an?|our|my|all|any|this|that)\s)+/i, '')
    .replace(/\s(?:thread|conversation|mail)$/i, '')
    .replace(/^["“']|["”']$/gu, '')
    .slice(0, 200)
    .trim();
}

/** What the question names as its thread. */
export function topicOf(question: Question): string | null {
  const named = ABOUT.map((pattern) => pattern.exec(question.text)?.groups?.topic).find(Boolean);
  const found = question.topic ?? named;
  return found && !THIS.test(found) ? topicIn(found) : null;
}

/** How a search is held to the threads with a person. */
export function withPerson(person: Person): { contact_id: string } | { participant: string } {
  return person.contact_id ? { contact_id: person.contact_id } : { participant: person.email_address };
}

/** The thread that was asked on, or is named, or was last spoken of. */
export async function findThread(topic: string | null, workspace: Workspace): Promise<ThreadView | null> {
  const own = await workspace.ownThread();
  if (own) return own;
  if (topic) {
    const { threads } = await workspace.threads({ query: topic, limit: 10 });
    const wanted = contentStems(topic);
    const fitting = threads.map((row) => ({ row, words: shared(wanted, contentStems(row.subject ?? '')) }));
    const first = fitting.sort((a, b) => b.words - a.words)[0]?.row;
    if (!first) throw new Cannot(`I found no thread about ${quote(topic, 80)}.`);
    return workspace.thread(first.id);
  }
  for (const { role, text } of workspace.asked.past.slice(-8).reverse()) {
    const id = role === 'assistant' && THREAD.exec(text.slice(0, 4000))?.[1];
    if (id) return workspace.thread(id);
  }
  return null;
}

export function openAll(rows: readonly Pick<ThreadRow, 'id'>[], workspace: Workspace): Promise<ThreadView[]> {
  return Promise.all(rows.slice(0, OPENED).map(({ id }) => workspace.thread(id)));
}

/** The newest threads with a person, and how many there are. */
export async function rowsWith(
  person: Person,
  workspace: Workspace,
  limit = OPENED,
): Promise<{ threads: ThreadRow[]; total: number }> {
  const contact = await workspace.ownContact();
  if (contact && contact.id === person.contact_id && !workspace.has('search_threads'))
    return { threads: contact.threads.slice(0, limit), total: contact.threads.length };
  return workspace.threads({ ...withPerson(person), limit });
}

/** Newest first. */
export function messagesOf(threads: readonly ThreadView[]): Said[] {
  const seen = new Map(threads.map((thread) => [thread.id, thread]));
  const all = [...seen.values()].flatMap((thread) => thread.messages.map((message) => ({ thread, message })));
  return all.sort((a, b) => b.message.sent_at.localeCompare(a.message.sent_at));
}

/** The threads that a question is about: the one it was asked on, one that it names, those with a person. */
export async function threadsFor(question: Question, workspace: Workspace): Promise<ThreadView[]> {
  const topic = topicOf(question);
  const thread = await workspace.ownThread();
  if (thread) return [thread];
  const contact = await workspace.ownContact();
  if (contact) return openAll(contact.threads, workspace);
  const named = await findThread(topic, workspace);
  return named ? [named] : [];
}

/** Sentences of persons on the thread of the question; elsewhere when there are none. */
export async function saidBy(
  person: Person,
  workspace: Workspace,
): Promise<{ said: Said[]; threads: ThreadView[] }> {
  const own = await workspace.ownThread();
  const here = own ? messagesOf([own]).filter(({ message }) => isBy(message, person)) : [];
  if (own && here.length > 0) return { said: here, threads: [own] };
  const { threads: rows } = await rowsWith(person, workspace);
  const threads = await openAll(rows, workspace);
  return { said: messagesOf(threads).filter(({ message }) => isBy(message, person)), threads };
}

/** Says which parts of these threads were not read. */
export function unreadParts(threads: readonly ThreadView[]): string | null {
  const parts = threads.flatMap((thread) => {
    const older = thread.earlier.length + thread.left_out;
    return older > 0 ? [`${counted(older, 'older message')} on ${threadLink(thread)}`] : [];
  });
  return parts.length > 0 ? `Not read in full: ${parts.slice(0, 3).join('; ')}.` : null;
}

/** Honest about a long mail. */
export function onlyBeginnings(messages: readonly MessageView[], zone: string): string | null {
  const [first, ...more] = messages.filter((message) => message.shortened);
  if (!first) return null;
  if (more.length > 0) return `Of ${more.length + 1} long mails I read only the beginning.`;
  const whose = first.own ? 'your mail' : `the mail from ${author(first)}`;
  return `I read only the beginning of ${whose} of ${timeIn(zone, first.sent_at)}.`;
}
