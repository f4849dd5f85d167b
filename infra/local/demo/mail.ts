import { foundry, laboratory, manual, tokyo } from './mail/abroad.ts';
import { adviser } from './mail/adviser.ts';
import { acoustician, firmwareDeveloper } from './mail/applicants.ts';
import { conference } from './mail/conference.ts';
import { fern } from './mail/fern.ts';
import { ferries } from './mail/ferries.ts';
import { housing } from './mail/housing.ts';
import { newsletters, sleeperTrain } from './mail/newsletters.ts';
import { boiler, hurry, scan } from './mail/oddments.ts';
import { outage, statusNotices } from './mail/outage.ts';
import { planning } from './mail/planning.ts';
import { printing } from './mail/printing.ts';
import { springs } from './mail/springs.ts';
import { clockFrom } from './mail-kit/clock.ts';
import { compose } from './mail-kit/compose.ts';
import { mailboxesOf } from './mail-kit/draft.ts';
import type { DemoMailbox } from './people.ts';

export interface DemoMail {
  /** The mailboxes that hold this message. */
  mailboxes: DemoMailbox[];
  /** The message as it arrived, RFC 5322 with CRLF. */
  raw: Buffer;
}

const conversations = [
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

/**
 * The mail of the demo workspace, oldest first. The text and the message ids never change; the dates
 * lie in the thirty days before `now`, most of them in the last ten.
 */
export async function demoMail(now: Date): Promise<DemoMail[]> {
  const clock = clockFrom(now);
  const drafts = conversations.flatMap((conversation) => conversation(clock));
  drafts.sort((a, b) => a.sent.getTime() - b.sent.getTime() || a.id.localeCompare(b.id));
  return Promise.all(
    drafts.map(async (draft) => ({ mailboxes: mailboxesOf(draft), raw: await compose(draft) })),
  );
}
