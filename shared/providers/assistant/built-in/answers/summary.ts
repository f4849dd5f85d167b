import type { ContactView, ThreadView } from '#shared/domain/assistant/answering/views.ts';
import { unanswered } from '#shared/providers/assistant/built-in/people.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import {
  author,
  lines,
  personLink,
  plainName,
  quote,
  threadLink,
} from '#shared/providers/assistant/built-in/say.ts';
import { gist, isPromise, isRequest, sentencesOf } from '#shared/providers/assistant/built-in/sentences.ts';
import {
  findThread,
  messagesOf,
  onlyBeginnings,
  type Said,
  topicOf,
  unreadParts,
} from '#shared/providers/assistant/built-in/sources.ts';
import { dayIn, timeIn } from '#shared/providers/assistant/built-in/times.ts';
import { waits } from '#shared/providers/assistant/built-in/waiting.ts';
import { counted, cut, listed } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';
import { datedIn } from './dates.ts';
import { told } from './last-said.ts';
import { describe } from './who.ts';

/** A summary by extraction: the beginning, questions and promises, dates, and the current state. */

/** Requests of the first message that are quoted. */
const REQUESTS = 4;

function picked(said: readonly Said[], fits: (sentence: string) => boolean, most: number) {
  return said
    .flatMap((each) => {
      const fitting = sentencesOf(each.message.text, each.message.from?.name ?? '').filter(fits);
      const best = gist(fitting);
      return best ? [{ said: each, sentence: best }] : [];
    })
    .slice(0, most);
}

/** What the first message says, which may be known by its beginning only, and what it asks for besides. */
function beginning(thread: ThreadView, { message }: Said) {
  const [earliest] = thread.left_out === 0 ? thread.earlier : [];
  const by = earliest ? plainName({ name: earliest.from, email_address: '' }) : author(message);
  const sentences = earliest
    ? sentencesOf(earliest.snippet ?? '', earliest.from)
    : sentencesOf(message.text, message.from?.name ?? '');
  const best = gist(sentences);
  return {
    at: (earliest ?? message).sent_at,
    by,
    whole: thread.left_out === 0,
    gist: best,
    among_newest: !earliest,
    requests: sentences.filter((each) => each !== best && isRequest(each)).slice(0, REQUESTS),
  };
}

function summaryOf(thread: ThreadView, workspace: Workspace): string {
  const { zone } = workspace;
  const newest = messagesOf([thread]);
  const first = newest.at(-1);
  const last = newest[0];
  if (!first || !last) return `${threadLink(thread)} has no messages.`;
  const begun = beginning(thread, first);
  const people = thread.participants.slice(0, 6).map((each) => personLink(each));
  const more = thread.participants.length > 6 ? ` and ${thread.participants.length - 6} more` : '';
  const short = (each: { said: Said; sentence: string }) =>
    `${author(each.said.message)}, ${dayIn(zone, each.said.message.sent_at)}: ${quote(each.sentence, 150)}`;
  const between = begun.among_newest ? newest.slice(0, -1) : newest;
  const asked = picked(between, isRequest, 2);
  const promised = picked(newest, isPromise, 2);
  const named = [
    ...new Set(
      datedIn(newest)
        .filter((each) => /\d/.test(each.phrase))
        .map(({ phrase }) => phrase),
    ),
  ];
  return lines(
    `${threadLink(thread)}: ${counted(thread.message_count, 'message')} between ${people.length > 1 && !more ? listed(people) : `${people.join(', ')}${more}`}.`,
    `${begun.whole ? 'It began' : 'The oldest message that I read is'} on ${timeIn(zone, begun.at)}, ${begun.by}: ${begun.gist ? quote(begun.gist, 200) : 'without text.'}`,
    begun.requests.length > 0 && `It also asked: ${begun.requests.map((each) => quote(each, 150)).join(' ')}`,
    asked.length > 0 && `Asked: ${asked.map(short).join('; ')}`,
    promised.length > 0 && `Promised: ${promised.map(short).join('; ')}`,
    named.length > 0 && `Dates named: ${listed(named.slice(0, 5).map((phrase) => cut(phrase, 40)))}`,
    last !== first &&
      `Last, on ${timeIn(zone, last.message.sent_at)}, ${author(last.message)}: ${told(last, 260)}`,
    thread.resolved
      ? 'It is resolved.'
      : waits(thread, workspace.asked) && unanswered(thread, workspace.asked).length > 0
        ? 'It waits for an answer from your side.'
        : null,
    onlyBeginnings(
      newest.map(({ message }) => message),
      zone,
    ),
    unreadParts([thread]),
  );
}

async function aboutContact(contact: ContactView, workspace: Workspace): Promise<string> {
  const known = { ...contact, contact_id: contact.id, email_address: '', addresses: contact.email_addresses };
  const about = await describe(known, workspace);
  const [newest] = contact.threads;
  if (!newest) return about;
  const [last] = messagesOf([await workspace.thread(newest.id)]);
  const { zone } = workspace;
  return lines(
    about,
    last &&
      `Last said there, on ${timeIn(zone, last.message.sent_at)}, ${author(last.message)}: ${told(last, 300)}`,
    ...contact.threads.slice(1, 5).map((row) => `- ${threadLink(row)}, ${timeIn(zone, row.last_sent_at)}`),
  );
}

export async function summary(question: Question, workspace: Workspace): Promise<string> {
  const contact = await workspace.ownContact();
  if (contact) return aboutContact(contact, workspace);
  const thread = await findThread(topicOf(question), workspace);
  return thread
    ? summaryOf(thread, workspace)
    : 'Please ask that on a thread or a contact, or name the thread.';
}
