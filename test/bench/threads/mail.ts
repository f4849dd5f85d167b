import { hashOfId } from '#shared/domain/mail/mime/identity.ts';
import type { MailAddress } from '#shared/domain/mail/mime/message.ts';
import { baseSubject } from '#shared/domain/mail/mime/threading.ts';
import { type Message, mailboxesOf, type Thread } from '#shared/domain/mail/threads/thread.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { type Chosen, planted } from './chosen.ts';
import type { Rows } from './data.ts';
import type { Random } from './random.ts';
import { text, zipf } from './words.ts';

/** The messages of one thread: who writes what to whom. */

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** Distinct addresses; a thread has three to five of them. */
export const ADDRESSES = 2_000;

const natural = zipf(ADDRESSES, 10);
export const addressAt = (rank: number) => `person-${rank}@company-${rank % 300}.example`;
const named = (email_address: string): MailAddress => {
  const [person = ''] = email_address.split('@');
  return { email_address, name: `${person[0]?.toUpperCase()}${person.slice(1)} Lastname` };
};

/** How long threads last: the share of threads, and days at most. */
const LASTING: [number, number][] = [
  [0.6, 0],
  [0.2, 1],
  [0.1, 4],
  [0.06, 16],
  [0.03, 64],
  [0.01, 256],
];

/** Milliseconds; more than two and a half years for the few that are chosen. */
function lasts(random: Random, chosen: boolean): number {
  if (chosen) return Math.floor((950 + random() * 150) * DAY);
  let left = random();
  for (const [share, days] of LASTING) {
    if (left < share) return Math.floor((days / 4 + random() * days * 0.75) * DAY);
    left -= share;
  }
  return 0;
}

function subjectOf(random: Random, number: number, chosen: Chosen, words: number): string {
  const found = [
    chosen.rare_word.has(number) ? planted.rare : '',
    chosen.rare_four.has(number) ? planted.rare_four : '',
    chosen.rare_seven.has(number) ? planted.rare_seven : '',
    chosen.rare_beginning.has(number) ? planted.rare_beginning : '',
    chosen.hundredth.has(number) ? planted.hundredth : '',
    chosen.common.has(number) ? planted.common : '',
  ];
  return [text(random, words), ...found.filter((word) => word !== '')].join(' ');
}

/** Three to five, one of them the user. */
export function peopleOf(random: Random, number: number, chosen: Chosen): string[] {
  const [main = '', second = ''] = planted.contact_addresses;
  const people = new Set([
    ...(chosen.frequent_address.has(number) ? [planted.frequent_address] : []),
    ...(chosen.rare_address.has(number) ? [planted.rare_address] : []),
    ...(chosen.contact.has(number) ? [number % 3 === 0 ? second : main] : []),
    ...(chosen.organization.has(number) ? [planted.organization_address] : []),
  ]);
  const wanted = Math.max(people.size, 2 + Math.floor(random() * 3));
  while (people.size < wanted) people.add(addressAt(natural(random)));
  return [...people];
}

const pdf: Message['attachments'][number] = {
  id: idFrom('bench attachment'),
  file_id: idFrom('bench file'),
  file_name: 'invoice.pdf',
  content_type: 'application/pdf',
  size: 48_213,
  inline: false,
  content_id: null,
  decorative: false,
};

/** One message, or two to four when the thread lasted. The user wrote one of them unless it is unreplied. */
export function messagesOf(
  random: Random,
  rows: Rows,
  number: number,
  chosen: Chosen,
  { thread, people, sent }: { thread: Thread; people: string[]; sent: number },
): Message[] {
  const days = lasts(random, chosen.lasting.has(number));
  const { subject = 6, snippet = 20 } = rows.words ?? {};
  const own = rows.user.email_address;
  const replied = !chosen.unreplied.has(number);
  const count = days > 0 ? 2 + Math.floor(random() * 3) : replied && random() < 0.9 ? 2 : 1;
  const lasted = count === 1 ? 0 : Math.max(days, 20 * MINUTE);
  const title = subjectOf(random, number, chosen, subject);
  const category = chosen.personal.has(number) ? 'personal' : 'update';
  return Array.from({ length: count }, (_, i) => {
    const at = Math.floor(sent - (lasted * (count - 1 - i)) / Math.max(1, count - 1));
    const id = idFrom('bench message', thread.id, String(i));
    // The last but one, or the only one.
    const from = replied && i === Math.max(0, count - 2) ? own : (people[i % people.length] as string);
    const to = [...people, own].filter((address) => address !== from);
    return {
      ...keys.message(thread.id, at, id),
      id,
      thread_id: thread.id,
      account_id: thread.account_id,
      rfc_id: `${id}@mail.example`,
      id_hash: hashOfId(`${id}@mail.example`),
      ancestors: [],
      subject: i === 0 ? title : `Re: ${title}`,
      base_subject: baseSubject(title),
      sent: at,
      received_in: Object.fromEntries([...mailboxesOf(thread)].map((mailbox) => [mailbox, at])),
      from: named(from),
      to: to.map(named),
      cc: [],
      bcc: [],
      automatic: false,
      category,
      snippet: text(random, snippet),
      attachments: i === 0 && chosen.has_attachment.has(number) ? [pdf] : [],
      mailbox_ids: mailboxesOf(thread),
    } satisfies Message;
  });
}
