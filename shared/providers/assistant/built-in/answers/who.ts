import type { ContactView, ThreadRow } from '#shared/domain/assistant/answering/views.ts';
import { findPerson, type Person, whole } from '#shared/providers/assistant/built-in/people.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import {
  contactLink,
  lines,
  plainName,
  quote,
  threadLink,
} from '#shared/providers/assistant/built-in/say.ts';
import { rowsWith } from '#shared/providers/assistant/built-in/sources.ts';
import { dayIn, knownZone, timeIn } from '#shared/providers/assistant/built-in/times.ts';
import { counted, listed } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** "Who is X?", and single facts about X. */

function work(contact: ContactView): string | null {
  const jobs = contact.employments.filter((each) => each.current && (each.title || each.organization));
  if (jobs.length === 0) return null;
  return listed(
    jobs.slice(0, 3).map(({ title, organization }) => [title, organization].filter(Boolean).join(' at ')),
  );
}

function mailed(total: number, newest: ThreadRow | undefined, zone: string): string {
  if (!newest) return 'You see no mail with this person.';
  const count = total >= 1000 ? '1,000 or more threads' : counted(total, 'thread');
  return `${count} with this person; the newest is ${threadLink(newest)}, last written to on ${timeIn(zone, newest.last_sent_at)}.`;
}

async function newestMail(person: Person, workspace: Workspace): Promise<string | null> {
  if (!workspace.has('search_threads')) return null;
  const { threads, total } = await rowsWith(person, workspace, 1);
  return mailed(total, threads[0], workspace.zone);
}

function clockOf(contact: ContactView, now: Date): string | null {
  if (!contact.time_zone || knownZone(contact.time_zone) !== contact.time_zone) return null;
  return timeIn(contact.time_zone, now.toISOString());
}

export async function describe(person: Person, workspace: Workspace): Promise<string> {
  if (person.contact_id === null)
    return lines(
      person.email_address === workspace.asked.asker.email_address
        ? `You are ${plainName(person)} (${person.email_address}).`
        : `${whole(person)} is known from mail and is no contact of yours.`,
      await newestMail(person, workspace),
    );
  const contact = await workspace.contact(person.contact_id);
  await workspace.showContacts([contact.id]);
  const job = work(contact);
  const called = contact.nickname && `, called ${quote(contact.nickname, 60)}`;
  const clock = clockOf(contact, workspace.asked.now);
  return lines(
    `${contactLink(contact)}${called || ''}${contact.headline ? `: ${contact.headline}` : ''}.`,
    job && job !== contact.headline && `Works as: ${job}.`,
    contact.email_addresses.length > 0 && `Mail: ${contact.email_addresses.slice(0, 5).join(', ')}.`,
    contact.phone_numbers.length > 0 && `Phone: ${contact.phone_numbers.slice(0, 5).join(', ')}.`,
    contact.birthday && `Birthday: ${contact.birthday}.`,
    clock && `Time zone: ${contact.time_zone}, where it is ${clock}.`,
    contact.description && `Noted: ${quote(contact.description, 300)}`,
    contact.tags.length > 0 && `Tags: ${contact.tags.slice(0, 20).join(', ')}.`,
    workspace.has('search_threads')
      ? await newestMail(person, workspace)
      : contact.threads[0] && `The newest thread is ${threadLink(contact.threads[0])}.`,
  );
}

export async function who(question: Question, workspace: Workspace): Promise<string> {
  return describe(await findPerson(question.person, workspace), workspace);
}

/** The facts by the words that ask for them. */
const FACTS: [RegExp, string, (contact: ContactView, now: Date) => string | null][] = [
  [/mail|^address/, 'email address', (contact) => contact.email_addresses.join(', ') || null],
  [/phone|^number/, 'phone number', (contact) => contact.phone_numbers.join(', ') || null],
  [/birthday/, 'birthday', ({ birthday }) => birthday && dayIn('UTC', `${birthday}T12:00:00Z`)],
  [/local time/, 'time zone', clockOf],
  [/zone/, 'time zone', ({ time_zone }) => time_zone],
  [/nick/, 'nickname', ({ nickname }) => nickname],
  [/./, 'job', (contact) => work(contact) ?? contact.headline],
];

export async function detail(question: Question, workspace: Workspace): Promise<string> {
  const person = await findPerson(question.person, workspace);
  const [, label, fact] = FACTS.find(([words]) => words.test(question.field ?? ''))!;
  if (person.contact_id === null) {
    const address = label === 'email address' ? `, with the address ${person.email_address}` : '';
    return `${plainName(person)} is known from mail only${address}, so there is nothing else noted.`;
  }
  const contact = await workspace.contact(person.contact_id);
  const value = fact(contact, workspace.asked.now);
  if (value === null) return `No ${label} is noted for ${contactLink(contact)}.`;
  return `${contactLink(contact)}, ${label}: ${value}.`;
}
