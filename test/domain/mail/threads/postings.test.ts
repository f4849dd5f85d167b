import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matching, matchingSubject, startedBefore } from '#shared/domain/mail/threads/lists/criteria.ts';
import { statePostings, wordPostings } from '#shared/domain/mail/threads/lists/postings.ts';
import type { ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { isEmpty, type ListRange } from '#shared/domain/platform/postings/reader.ts';
import { conditionOf } from '#shared/table/conditions.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import { Terms } from '#shared/table/terms.ts';
import { Dice } from '../../../support/dice.ts';
import { drawText } from '../../../support/thread-mail.ts';

/** The lists of a thread, and whether criteria search them. */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SENT = Date.UTC(2026, 5, 1);

function entryOf(values: Partial<ThreadEntry> = {}): ThreadEntry {
  const rank = `${timeRank(SENT)}#thread`;
  const at = new Date(SENT).toISOString();
  return {
    ...keys.threadEntry('user', 'thread'),
    ...{ user_id: 'user', account_id: 'account', thread_id: 'thread', rank, inbox_rank: rank, version: 1 },
    ...{ revision: 1, subject: null, snippet: null, message_count: 1, received_count: 1 },
    ...{ has_attachments: false, unreplied: true, category: null, shared_with: [], mailbox_ids: ['mailbox'] },
    ...{ first_sent_at: at, last_sent_at: at, inbox_sort_time: at },
    ...{ sender_email_addresses: [], participant_names: {}, participant_count: 0 },
    ...values,
  };
}

const listOf = (partition: string) => partition.replace('LIST#user#', '');

function isIn({ list, from = '!', before = '~', ...range }: ListRange, entry: ThreadEntry): boolean {
  const terms = new Terms();
  conditionOf(range.filter)?.write(terms);
  const [wanted] = Object.values(terms.attributes.ExpressionAttributeValues ?? {});
  return [...statePostings(entry), ...wordPostings('user', entry)].some(
    ({ PK, SK, words = '', first = Number.NaN }) =>
      listOf(PK) === list &&
      SK >= from &&
      SK < before &&
      (wanted === undefined ||
        (typeof wanted === 'number' ? first < wanted : words.includes(wanted as string))),
  );
}

const text = fc.nat().map((seed) => drawText(new Dice(seed), 6));

describe('the lists of a thread', () => {
  it('hold it wherever a word of its subject or snippet is searched', () => {
    fc.assert(
      fc.property(text, text, text, fc.nat(8), (subject, snippet, query, cut) => {
        const entry = entryOf({ subject, snippet });
        const row = { entry, thread: {} as never };
        for (const asked of [query, subject.slice(0, cut + 1), snippet.slice(0, cut + 1)])
          for (const criterion of [matching(asked), matchingSubject(asked)]) {
            const found = criterion.clauses.every((union) => union.some((range) => isIn(range, entry)));
            if (criterion.keeps(row)) expect(found, asked).toBe(true);
            else if (criterion.exact !== 'never') expect(found, asked).toBe(false);
          }
      }),
      { numRuns: 1_000 },
    );
  });

  it('hold a word once that is in both subject and snippet', () => {
    const entry = entryOf({
      subject: 'Harbour dues',
      snippet: 'The harbour dues of May, and the harbourmaster',
    });
    expect(wordPostings('user', entry).map(({ PK, words }) => [listOf(PK), words])).toEqual([
      ['subject:har', ' harbour'],
      ['subject:harbo', ' harbour'],
      ['subject:due', ' dues'],
      ['snippet:may', undefined],
      ['snippet:har', ' harbourmaster'],
      ['snippet:harbo', ' harbourmaster'],
    ]);
  });

  it('hold it for a search of threads that began before a moment', () => {
    const offset = fc.integer({ min: -3 * DAY, max: 3 * DAY });
    fc.assert(
      fc.property(fc.nat(2_000 * DAY), offset, fc.boolean(), (lasted, beside, atStart) => {
        const started = SENT - lasted;
        const entry = entryOf({ first_sent_at: new Date(started).toISOString() });
        const moment = (atStart ? started : SENT) + beside;
        const [union = []] = startedBefore(moment).clauses;
        const found = union.some((range) => !isEmpty(range) && isIn(range, entry));
        expect(found).toBe(started < moment);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['began and ended on one day', HOUR, 6],
    ['lasted for a week', 7 * DAY, 7],
  ])('are few for a new thread that %s', (_what, lasted, lists) => {
    const entry = entryOf({ unread: 1, first_sent_at: new Date(SENT - lasted).toISOString() });
    expect(statePostings(entry)).toHaveLength(lists);
    expect(new Set(statePostings(entry).map(({ PK }) => PK)).size).toBe(lists);
  });
});
