import type { MessageView, PersonView, ThreadView } from '#shared/domain/assistant/answering/views.ts';
import type { ParsedMessage } from '#shared/domain/mail/mime/message.ts';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import { baseSubject } from '#shared/domain/mail/mime/threading.ts';
import { htmlToText } from '#shared/domain/platform/html/text.ts';
import { builtInAssistant } from '#shared/providers/assistant/built-in/built-in.ts';
import { demoMail } from '../../infra/local/demo/mail.ts';
import {
  demoComments,
  demoContacts,
  demoFlags,
  demoTaggings,
  demoTags,
} from '../../infra/local/demo/notes.ts';
import { type DemoUserKey, demoAccounts } from '../../infra/local/demo/people.ts';
import type { DemoQuestion } from '../../infra/local/demo/questions.ts';
import { type Shown, toolbox, type World } from './assistant-toolbox.ts';

/** The demo workspace as one of its users sees it through the tools. */

const users = demoAccounts.flatMap((account) => account.users);
const contactIds = new Map(
  demoContacts.flatMap((contact, i) =>
    contact.email_addresses.map((address) => [address, `contact-${i}`] as const),
  ),
);

function person({ name, email_address }: { name: string | null; email_address: string }): PersonView {
  return { contact_id: contactIds.get(email_address) ?? null, name, email_address };
}

function messageView(message: ParsedMessage, own: string): MessageView {
  const { body, from } = message;
  return {
    id: message.rfc_id,
    sent_at: message.sent_at ?? '',
    from: from && person(from),
    to: [...message.to, ...message.cc].map(person),
    own: from?.email_address === own,
    text: body.new_plain_text ?? '',
    shortened: body.truncated,
    attachments: message.attachments
      .filter(({ decorative }) => !decorative)
      .map(({ file_name }) => file_name),
  };
}

function threadView(
  messages: ParsedMessage[],
  id: string,
  user: { key: string; email_address: string },
): ThreadView {
  const views = messages.map((message) => messageView(message, user.email_address));
  const first = messages[0]!;
  const last = views.at(-1)!;
  const subject = first.subject?.replace(/^(?:re|fwd): /i, '') ?? null;
  const people = views.flatMap(({ from, to }) => [...(from ? [from] : []), ...to]);
  return {
    type: 'thread',
    id,
    subject,
    snippet: messages.at(-1)!.snippet,
    participants: [...new Map(people.map((each) => [each.email_address, each])).values()],
    message_count: messages.length,
    unread: last.sent_at > '2026-11-18T16:00:00.000Z',
    flagged: demoFlags.some((flag) => flag.thread_subject === subject && flag.user === user.key),
    resolved: false,
    awaiting: !views.some(({ own }) => own),
    last_from: last.from,
    automatic: messages.at(-1)!.automatic,
    first_sent_at: views[0]!.sent_at,
    last_sent_at: last.sent_at,
    tags: demoTaggings.filter((each) => each.thread_subject === subject).map(({ tag }) => tag),
    snooze_until: null,
    messages: views,
    earlier: [],
    left_out: 0,
    comments: demoComments
      .filter((comment) => comment.thread_subject === subject)
      .map((comment) => ({
        author: users.find(({ key }) => key === comment.author)!.name,
        created_at: '2026-11-21T16:00:00.000Z',
        text: htmlToText(comment.html_content),
      })),
  };
}

const demoNow = new Date('2026-11-21T16:00:00.000Z');

export async function demoWorld(key: Extract<DemoUserKey, 'ada' | 'grace'>): Promise<World> {
  const user = users.find((each) => each.key === key)!;
  const mail = (await demoMail(demoNow)).filter(({ mailboxes }) => mailboxes.includes(key));
  const parsed = await Promise.all(mail.map(({ raw }) => parseMessage(raw)));
  const groups = Map.groupBy(parsed, (message) => {
    const subject = baseSubject(message.subject);
    return subject === '' ? (message.references[0] ?? message.rfc_id) : subject;
  });
  const threads = [...groups.values()].map((messages, i) => threadView(messages, `thread-${i}`, user));
  const contacts = demoContacts.map((contact, i) => {
    const own = threads.filter((thread) =>
      thread.participants.some((each) => each.contact_id === `contact-${i}`),
    );
    return {
      type: 'contact' as const,
      id: `contact-${i}`,
      name: contact.name,
      headline: [contact.job_title, contact.company].filter((part) => part !== '').join(', ') || null,
      email_addresses: [...contact.email_addresses],
      nickname: null,
      description: contact.note,
      phone_numbers: contact.phone_number ? [contact.phone_number] : [],
      employments: [],
      birthday: null,
      time_zone: null,
      tags: [],
      threads: own.sort((a, b) => b.last_sent_at.localeCompare(a.last_sent_at)),
      comments: [],
    };
  });
  return {
    threads,
    contacts,
    tags: demoTags.map(({ name }, i) => ({ id: `tag-${i}`, name, description: null })),
  };
}

const askers = {
  ada: { name: 'Ada Lovelace', email_address: 'ada@acme.example', time_zone: 'Europe/London' },
  grace: { name: 'Grace Hopper', email_address: 'grace@acme.example', time_zone: 'America/New_York' },
};

function recordOf({ threads, contacts }: World, on: DemoQuestion['ask_on']) {
  if (on === null) return null;
  const record =
    'thread_subject' in on
      ? threads.find(({ subject }) => subject === on.thread_subject)
      : contacts.find(({ name }) => name === on.contact_name);
  return { type: record!.type, id: record!.id, label: null };
}

/** What the built-in assistant answers and shows to a user who sees this world. */
export async function askInDemo(
  world: World,
  { as, ask_on, text }: Omit<DemoQuestion, 'as'> & { as: keyof typeof askers },
): Promise<{ text: string; shown: Shown }> {
  const asked = { text, asker: askers[as], now: demoNow, about: recordOf(world, ask_on), past: [] };
  const { tools, shown } = toolbox(world);
  const answer = await builtInAssistant.answer(asked, tools, Date.now() + 60_000);
  return { text: answer.text, shown };
}
