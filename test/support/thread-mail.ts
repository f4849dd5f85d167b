import type { Dice } from './dice.ts';
import { eml } from './mail.ts';
import type { ModelMessage, Person } from './thread-views.ts';

/** Random mail of random conversations. */

export type Draft = Omit<ModelMessage, 'reached' | 'sent' | 'id'> & {
  /** Null for a message that does not say when it was sent. */
  date: number | null;
  text: string;
};

/** Words with the same beginnings, of different lengths, with accents and without. */
const VOCABULARY = [
  ...['a', 'an', 'ant', 'anchor', 'anchorage', 'ferry', 'ferries', 'ferme', 'Fermé', 'harbour', 'Harbor'],
  ...[
    'café',
    'cafe',
    'cafeteria',
    'Cafe\u0301s',
    'résumé',
    'resume',
    'resumes',
    'Über',
    'uber',
    'übermorgen',
  ],
  ...['winch', 'winches', 'winchester', '2026', '20', '7', 'naïve', 'naiveté', 'crème', 'straße', 'ÅNGSTRÖM'],
  ...['the', 'The', 'theme', 'for', 'form', 'with', 'without'],
];

const JOINTS = [' ', ' ', ' ', '-', ', ', ' / ', "'"];

export function drawText(dice: Dice, most: number): string {
  const words = Array.from({ length: dice.int(1, most) }, () => dice.pick(VOCABULARY));
  return words.reduce((text, word) => `${text}${dice.pick(JOINTS)}${word}`);
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function drawDate(dice: Dice, now: number, used: number[]): number | null {
  if (used.length > 0 && dice.chance(15)) return dice.pick(used);
  const second = Math.floor(now / 1_000) * 1_000;
  const spans = [HOUR, DAY, 7 * DAY, 15 * DAY, 90 * DAY, 900 * DAY, 9_000 * DAY];
  if (dice.chance(75)) return second - 1_000 * dice.int(0, dice.pick(spans) / 1_000);
  return dice.pick([
    null,
    second + 1_000 * dice.int(1, 86_400),
    second + 20 * DAY,
    Date.UTC(2200, 5, 1),
    Date.UTC(1970, 0, 2),
    Date.UTC(1969, 6, 20),
    second - 14 * DAY - 1_000,
    second - 14 * DAY + 60_000,
  ]);
}

export const STRANGERS = ['priya', 'moira', 'olu', 'soren', 'chen'].map((name) => `${name}@ferries.example`);

function drawPerson(dice: Dice, addresses: string[]): Person {
  const email_address = dice.pick(addresses);
  const [name = ''] = email_address.split('@');
  return { email_address, name: dice.pick([null, name, `${name} of the harbour`]) };
}

function drawPeople(dice: Dice, addresses: string[]): Person[] {
  const people = Array.from({ length: dice.int(1, 3) }, () => drawPerson(dice, addresses));
  return people.filter(
    (person, i) => people.findIndex((other) => other.email_address === person.email_address) === i,
  );
}

/** `own` are the addresses of the account. Messages come in the order in which they were written. */
export function drawMail(dice: Dice, name: string, size: number, own: string[], now: number): Draft[] {
  const addresses = [...STRANGERS, ...own];
  const conversations = dice.int(Math.ceil(size / 5), Math.ceil(size / 1.5));
  const subjects = Array.from({ length: conversations }, () => (dice.chance(10) ? null : drawText(dice, 5)));
  const drafts: (Draft & { of: number })[] = [];
  for (let i = 0; i < size; i++) {
    const of = dice.int(0, conversations - 1);
    const earlier = drafts.filter((draft) => draft.of === of);
    const parent = earlier.length === 0 || dice.chance(10) ? undefined : dice.pick(earlier);
    const line = parent ? [...parent.refers_to, parent.rfc_id] : [];
    const subject = subjects[of] ?? null;
    const text = dice.chance(5) ? '' : drawText(dice, dice.chance(10) ? 60 : 6);
    drafts.push({
      of,
      rfc_id: `${name}-${i}@random.example`,
      refers_to: dice.chance(50) ? line : line.slice(-1),
      date: drawDate(
        dice,
        now,
        drafts.flatMap(({ date }) => date ?? []),
      ),
      from: drawPerson(dice, addresses),
      to: drawPeople(dice, addresses),
      subject: subject && parent ? dice.pick(['', 'Re: ', 'AW: ']) + subject : subject,
      text,
      snippet: [...text].slice(0, 200).join('').trimEnd() || null,
      has_file: dice.chance(15),
      category: dice.pick([null, null, null, 'personal', 'promotion', 'update', 'forum']),
    });
  }
  return drafts.map(({ of, ...draft }) => draft);
}

const person = ({ name, email_address }: Person) =>
  name === null ? email_address : `"${name}" <${email_address}>`;

/** Everything in a header but ASCII is encoded (RFC 2047). */
const encoded = (text: string) => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;

const PART = 'Content-Type: text/plain; charset=utf-8\r\n\r\n';
const FILE = 'Content-Type: application/pdf\r\nContent-Disposition: attachment; filename=f.pdf\r\n\r\nbytes';
const LOGO = 'Content-Type: image/png\r\nContent-Disposition: inline; filename=l.png\r\n\r\nbytes';

const LABELS: Record<string, string> = {
  personal: 'Category Personal',
  promotion: 'Category Promotions',
  update: 'Category Updates',
  forum: 'Category Forums',
};

/** As exported from Gmail. An inline image (`logo`) is not an attachment. */
export function rawMail(draft: Draft, logo: boolean): Buffer {
  const parts = [`${PART}${draft.text}`, ...(draft.has_file ? [FILE] : []), ...(logo ? [LOGO] : [])];
  return eml({
    id: draft.rfc_id,
    from: person(draft.from),
    to: draft.to.map(person).join(', '),
    date: draft.date === null ? null : new Date(draft.date).toUTCString().replace('GMT', '+0000'),
    ...(draft.subject === null ? {} : { subject: encoded(draft.subject) }),
    ...(draft.refers_to.length === 0 ? {} : { references: draft.refers_to }),
    headers: [
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=part',
      ...(draft.category === null ? [] : [`X-Gmail-Labels: Inbox,Unread,${LABELS[draft.category]}`]),
    ],
    text: `${parts.map((each) => `--part\r\n${each}\r\n`).join('')}--part--`,
  });
}
