import { foundry, laboratory, manual, tokyo } from './mail/abroad.ts';
import { adviser } from './mail/adviser.ts';
import { acoustician, firmwareDeveloper } from './mail/applicants.ts';
import { conference } from './mail/conference.ts';
import { fern } from './mail/fern.ts';
import { ferries } from './mail/ferries.ts';
import { globex } from './mail/globex.ts';
import { housing } from './mail/housing.ts';
import { newsletters, sleeperTrain } from './mail/newsletters.ts';
import { boiler, hurry, scan } from './mail/oddments.ts';
import { outage, statusNotices } from './mail/outage.ts';
import { planning } from './mail/planning.ts';
import { printing } from './mail/printing.ts';
import { springs } from './mail/springs.ts';
import { type Clock, clockFrom } from './mail-kit/clock.ts';
import { compose } from './mail-kit/compose.ts';
import { type Category, type Draft, mailboxesOf } from './mail-kit/draft.ts';
import type { DemoMailbox } from './people.ts';

/*
 * A file of `mail/` has the text of a conversation: who writes to whom, when, and what. `mail-kit` makes of it what mail
 * programs would. As .eml files the same mail is six times as long, because each reply quotes all before it, with dates
 * that move with the day on which the demo is filled, in charsets that no editor shows.
 */

export interface DemoMail {
  /** The mailboxes that hold this message. */
  mailboxes: DemoMailbox[];
  sent: Date;
  category: Category;
  /** The message as it arrived, RFC 5322 with CRLF. */
  raw: Buffer;
}

const acme = [
  acoustician,
  adviser,
  boiler,
  conference,
  fern,
  ferries,
  firmwareDeveloper,
  foundry,
  housing,
  hurry,
  laboratory,
  manual,
  newsletters,
  outage,
  planning,
  printing,
  scan,
  sleeperTrain,
  springs,
  statusNotices,
  tokyo,
];

async function mailOf(conversations: ((clock: Clock) => Draft[])[], now: Date): Promise<DemoMail[]> {
  const clock = clockFrom(now);
  const drafts = conversations.flatMap((conversation) => conversation(clock));
  drafts.sort((a, b) => a.sent.getTime() - b.sent.getTime() || a.id.localeCompare(b.id));
  return Promise.all(
    drafts.map(async (draft) => ({
      mailboxes: mailboxesOf(draft),
      sent: draft.sent,
      category: draft.from.category ?? 'Personal',
      raw: await compose(draft),
    })),
  );
}

/**
 * The mail of Acme, oldest first. The text and the message ids never change; the dates lie in the thirty days before
 * `now`, most of them in the last ten.
 */
export const demoMail = (now: Date): Promise<DemoMail[]> => mailOf(acme, now);

/** The mail of Globex. */
export const globexMail = (now: Date): Promise<DemoMail[]> => mailOf([globex], now);

/** Days after which everybody has read their mail. */
const READ_AFTER_DAYS = 3;

/** The message with its labels, as a Google Takeout has it. */
export function labelled({ raw, sent, category }: DemoMail, now: Date): Buffer {
  const seen = now.getTime() - sent.getTime() > READ_AFTER_DAYS * 86_400_000 ? 'Opened' : 'Unread';
  return Buffer.concat([Buffer.from(`X-Gmail-Labels: Inbox,${seen},Category ${category}\r\n`), raw]);
}
