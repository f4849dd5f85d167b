import { listContacts } from './0002-list-contacts.ts';
import { signIn } from './0003-sign-in.ts';
import { countClosingDays } from './0004-count-closing-days.ts';
import { messagePlaces } from './0005-message-places.ts';
import { sumDeals } from './0006-sum-deals.ts';
import { listSearchedWords } from './0007-list-searched-words.ts';
import { listWordsByMailbox } from './0008-list-words-by-mailbox.ts';
import { indexTexts } from './0009-index-texts.ts';
import { indexSharedTexts } from './0010-index-shared-texts.ts';
import { noteMoments } from './0011-note-moments.ts';
import { listPeriods } from './0012-list-periods.ts';
import { listDealsAndContacts } from './0013-list-deals-and-contacts.ts';
import { countContacts } from './0014-count-contacts.ts';
import { indexRecords } from './0015-index-records.ts';
import { invitations } from './0016-invitations.ts';
import type { Migration } from './migrate.ts';

/** The migrations in their order: files of this folder, `0002-<what it does>.ts` for the one that makes version 2. */
export const migrations: readonly Migration[] = [
  // A line for each migration.
  listContacts,
  signIn,
  countClosingDays,
  messagePlaces,
  sumDeals,
  listSearchedWords,
  listWordsByMailbox,
  indexTexts,
  indexSharedTexts,
  noteMoments,
  listPeriods,
  listDealsAndContacts,
  countContacts,
  indexRecords,
  invitations,
];

/** The version that this code reads and writes. */
export const DATA_VERSION = 1 + migrations.length;
