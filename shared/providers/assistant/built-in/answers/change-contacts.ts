import { Cannot } from '#shared/providers/assistant/built-in/cannot.ts';
import { datesIn } from '#shared/providers/assistant/built-in/dates.ts';
import { findPerson, type Person } from '#shared/providers/assistant/built-in/people.ts';
import { propose } from '#shared/providers/assistant/built-in/propose.ts';
import type { Question } from '#shared/providers/assistant/built-in/question.ts';
import { contactLink, plainName, quote } from '#shared/providers/assistant/built-in/say.ts';
import { cut, fold } from '#shared/providers/assistant/built-in/words.ts';
import type { Workspace } from '#shared/providers/assistant/built-in/workspace.ts';

/** "Add a contact ...", "set her headline to ...". */

const ADDRESS = /[^\s<>"(),:;\\[\]@]{1,64}@[^\s<>"(),:;\\[\]@]{1,190}/u;

async function newcomer(text: string, workspace: Workspace): Promise<{ name: string; address: string }> {
  const address = ADDRESS.exec(text)?.[0]
    .toLowerCase()
    .replace(/[.>]+$/, '');
  if (!address) {
    const person = await findPerson(text, workspace);
    if (person.contact_id !== null)
      throw new Cannot(
        `${contactLink({ id: person.contact_id, name: plainName(person) })} is a contact already.`,
      );
    return { name: person.name ?? '', address: person.email_address };
  }
  const name = text
    .replace(ADDRESS, ' ')
    .replace(/\b(?:with (?:the )?(?:e-?mail )?address|with (?:the )?e-?mail|at|and)\s*(?=[<(\s]*$)/i, ' ')
    .replace(/[<>()"“”,:]/gu, ' ');
  const thread = await workspace.ownThread();
  const here = thread?.participants.find((each) => each.email_address.toLowerCase() === address);
  return { name: cut(name, 200) || (here?.name ?? ''), address };
}

export async function addContact(question: Question, workspace: Workspace): Promise<string> {
  const { name, address } = await newcomer(question.value ?? '', workspace);
  if (name === '')
    throw new Cannot('I need a name as well, for example: add a contact Ann Lee <ann@lee.example>.');
  if (workspace.has('search_contacts')) {
    const { contacts } = await workspace.contacts(address);
    const there = contacts.find((each) =>
      each.email_addresses.some((known) => known.toLowerCase() === address),
    );
    if (there) return `${contactLink(there)} has the address ${address} already.`;
  }
  const params = { name, email_addresses: [{ email_address: address }] };
  return propose(
    workspace,
    'contact.create',
    params,
    `add the contact ${quote(name, 200)} with the address ${address}`,
  );
}

function zoneNamed(value: string): string {
  const wanted = fold(value).replaceAll(' ', '_');
  const zones = Intl.supportedValuesOf('timeZone');
  const found =
    zones.find((zone) => fold(zone) === wanted) ?? zones.find((zone) => fold(zone).endsWith(`/${wanted}`));
  if (found || wanted === 'utc') return found ?? 'UTC';
  throw new Cannot(`${quote(value, 80)} is no time zone that I know; name one such as Europe/London.`);
}

function dayNamed(value: string): string {
  const [mention] = datesIn(value, '');
  if (mention?.day && /\d{4}/.test(value)) return mention.day;
  throw new Cannot('I need the whole date with its year, for example 3 May 1980 or 1980-05-03.');
}

const FIELDS: [RegExp, string, (value: string) => string][] = [
  [/^nick/, 'nickname', (value) => value],
  [/zone/, 'time_zone', zoneNamed],
  [/birth/, 'birthday', dayNamed],
  [/title|headline/, 'headline', (value) => value],
  [/description|note/, 'description', (value) => value],
  [/name/, 'name', (value) => value],
];

async function whose(question: Question, workspace: Workspace): Promise<Person> {
  const named = question.person?.replace(/^(?:this|the) (?:contact|person)(?:'s)?$/i, 'this') ?? null;
  return findPerson(named, workspace);
}

export async function changeContact(question: Question, workspace: Workspace): Promise<string> {
  const [, field, read] = FIELDS.find(([words]) => words.test(question.field ?? ''))!;
  const value = read(question.value ?? '');
  const person = await whose(question, workspace);
  const name = plainName(person);
  if (person.contact_id === null)
    throw new Cannot(`${name} is no contact yet; ask me to add ${name} as a contact first.`);
  const link = contactLink({ id: person.contact_id, name });
  const params = { record_id: person.contact_id, [field]: value };
  return propose(
    workspace,
    'contact.update',
    params,
    `set the ${field.replace('_', ' ')} of ${link} to ${quote(value)}`,
  );
}
