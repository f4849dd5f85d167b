import type { Asked, PastTurn } from '#shared/domain/assistant/answering/assistant.ts';
import type {
  ContactRow,
  MessageView,
  PersonView,
  ThreadRow,
  ThreadView,
} from '#shared/domain/assistant/answering/views.ts';
import { Cannot, Nobody } from './cannot.ts';
import { readQuestion } from './question.ts';
import { contactLink, personLink, plainName, quote } from './say.ts';
import { fold, listed, stems } from './words.ts';
import type { Workspace } from './workspace.ts';

/** The person that a question is about. */

export interface Person extends PersonView {
  /** Lower case. */
  addresses: string[];
}

const PRONOUN =
  /^(?:he|him|his|she|her|hers|they|them|their|it|its|that|this|here|(?:this|that|the) (?:contact|person|woman|man|one|guy|customer|sender|author)|the other (?:one|person|side))$/i;
const SELF = /^(?:i|me|my|myself|we|us|our)$/i;

export function isPronoun(name: string): boolean {
  return PRONOUN.test(name);
}

function fromContact(contact: ContactRow): Person {
  const addresses = contact.email_addresses.map((each) => each.toLowerCase());
  return { contact_id: contact.id, name: contact.name, email_address: addresses[0] ?? '', addresses };
}

function fromView(view: PersonView): Person {
  return { ...view, addresses: [view.email_address.toLowerCase()] };
}

/** The name has every word of the question, or the address begins with it. */
function fits(asked: string, name: string | null, addresses: readonly string[]): boolean {
  const wanted = fold(asked).trim();
  if (addresses.some((each) => each.toLowerCase() === wanted)) return true;
  const known = new Set(stems(`${name ?? ''} ${addresses.map((each) => each.split('@')[0]).join(' ')}`));
  const words = stems(asked);
  return words.length > 0 && words.every((word) => known.has(word));
}

function distinct(people: readonly Person[]): Person[] {
  return [...new Map(people.map((person) => [person.contact_id ?? person.email_address, person])).values()];
}

function peopleOn(threads: readonly (ThreadRow | ThreadView)[]): Person[] {
  return threads.flatMap((thread) => {
    const senders = 'messages' in thread ? thread.messages.flatMap(({ from }) => from ?? []) : [];
    return [...thread.participants, ...senders].map(fromView);
  });
}

async function only(name: string, people: Person[], workspace: Workspace): Promise<Person | null> {
  const exact = people.filter((each) => fold(each.name ?? '') === fold(name));
  const left = distinct(exact.length > 0 ? exact : people);
  if (left.length < 2) return left[0] ?? null;
  await workspace.showContacts(left.flatMap((each) => each.contact_id ?? []).slice(0, 10));
  const names = left.slice(0, 5).map((each) => personLink(each));
  throw new Cannot(`${quote(name, 80)} fits several people: ${listed(names)}. Which one do you mean?`);
}

const TITLE = /^(?:mrs?|ms|miss|dr|prof|professor|herr|frau|madame|monsieur|sir)\.? (?=\S)/i;

async function byName(asked: string, workspace: Workspace): Promise<Person> {
  const name = asked.replace(TITLE, '');
  const thread = await workspace.ownThread();
  const here = thread ? peopleOn([thread]).filter((each) => fits(name, each.name, each.addresses)) : [];
  const contact = await workspace.ownContact();
  if (contact && fits(name, contact.name, contact.email_addresses)) return fromContact(contact);
  const known = await only(name, here, workspace);
  if (known) return known;
  if (workspace.has('search_contacts')) {
    const { contacts } = await workspace.contacts(name);
    const found = contacts.filter((each) => fits(name, each.name, each.email_addresses)).map(fromContact);
    const one = await only(name, found, workspace);
    if (one) return one;
  }
  // A person without a contact is searched on threads that mention the name, or else on the newest ones.
  const words = name.split(/\s+/).sort((a, b) => b.length - a.length);
  for (const query of new Set([name.slice(0, 200), ...words.slice(0, 2), undefined])) {
    const { threads } = await workspace.threads({ ...(query ? { query } : {}), limit: 20 });
    const mailed = peopleOn(threads).filter((each) => fits(name, each.name, each.addresses));
    const one = await only(name, mailed, workspace);
    if (one) return one;
  }
  throw new Nobody(`I found nobody called ${quote(name, 80)} among the contacts and the mail that you see.`);
}

const CONTACT = /\[([^[\]\n]{1,120})\]\(contact:([\w-]{1,64})\)/;

/** The person that the conversation mentioned last. */
async function lastNamed(past: readonly PastTurn[], workspace: Workspace): Promise<Person | null> {
  for (const { role, text } of past.slice(-8).reverse()) {
    const [, , id] = (role === 'assistant' && CONTACT.exec(text.slice(0, 4000))) || [];
    if (id) return fromContact(await workspace.contact(id));
    const name = role === 'user' ? readQuestion(text).person : null;
    if (name && !isPronoun(name) && !SELF.test(name)) return byName(name, workspace);
  }
  return null;
}

/** The last person to write to the asker's side; else the first other one on the thread. */
function counterpart(thread: ThreadView, asked: Asked): Person | null {
  const received = thread.messages.filter((message) => !message.own && message.from);
  const theirs = received.filter((message) => !isOurs(message, asked));
  const from = (theirs.at(-1) ?? received.at(-1))?.from;
  const own = asked.asker.email_address.toLowerCase();
  const other = thread.participants.find((each) => each.email_address.toLowerCase() !== own);
  const found = from ?? other;
  return found ? fromView(found) : null;
}

/** `name` as asked; without one, or for a pronoun, the person of the record or the conversation. */
export async function findPerson(name: string | null, workspace: Workspace): Promise<Person> {
  const { asked } = workspace;
  if (name && SELF.test(name)) return fromView({ ...asked.asker, contact_id: null });
  if (name && !isPronoun(name)) return byName(name, workspace);
  const contact = await workspace.ownContact();
  if (contact) return fromContact(contact);
  const named = await lastNamed(asked.past, workspace);
  if (named) return named;
  const thread = await workspace.ownThread();
  const other = thread && counterpart(thread, asked);
  if (other) return other;
  throw new Cannot('I do not know whom you mean. Please ask again with a name or an email address.');
}

export function isBy(message: MessageView, person: Person): boolean {
  const from = message.from;
  if (!from) return false;
  if (person.contact_id !== null && from.contact_id === person.contact_id) return true;
  return person.addresses.includes(from.email_address.toLowerCase());
}

const PUBLIC_DOMAIN =
  /^(?:gmail|googlemail|outlook|hotmail|live|yahoo|icloud|me|aol|gmx|web|proton|protonmail|fastmail)\.[a-z.]{2,6}$/;

function domainOf(address: string): string {
  return address.toLowerCase().split('@').at(-1) ?? '';
}

/** The asker or a colleague. */
export function isOurSide({ email_address }: PersonView, { asker }: Asked): boolean {
  const own = asker.email_address.toLowerCase();
  const domain = domainOf(own);
  const colleague = domainOf(email_address) === domain && !PUBLIC_DOMAIN.test(domain);
  return colleague || email_address.toLowerCase() === own;
}

/** Whether the asker or a colleague wrote it. */
export function isOurs(message: MessageView, asked: Asked): boolean {
  return message.own || (message.from !== null && isOurSide(message.from, asked));
}

/** Messages received since the asker's side last wrote. Among colleagues each person answers alone. */
export function unanswered(thread: ThreadView, asked: Asked): MessageView[] {
  const among = thread.messages.every((message) => isOurs(message, asked));
  const answered = thread.messages.findLastIndex((message) => (among ? message.own : isOurs(message, asked)));
  return thread.messages.slice(answered + 1);
}

export function whole(person: Person): string {
  return person.contact_id
    ? contactLink({ id: person.contact_id, name: plainName(person) })
    : person.name
      ? `${plainName(person)} (${person.email_address})`
      : person.email_address;
}
