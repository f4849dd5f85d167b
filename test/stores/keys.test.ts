import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keys, type RecordType, timeRank } from '#shared/table/keys.ts';

type Builder = (...values: never[]) => { PK: string; SK: string };

/** So few of each that two calls often differ in one value, and everything else is the same. */
const id = fc.constantFrom(...['1', '2'].map((end) => `0198c0de-0000-7000-8000-00000000000${end}`));
const text = fc.constantFrom('', 'a', 'b', 'a#b', '#', '#a', 'a#', '["a","b"]', 'A', 'META');
const number = fc.constantFrom(0, 1, 2, 10, 12);
const type = fc.constantFrom<RecordType>('contacts', 'threads', 'files');

/** What a builder is given: record types, counters, and ids or text that people choose. */
const shapes: Partial<Record<keyof typeof keys, fc.Arbitrary<unknown>[]>> = {
  tagName: [id, text],
  groupName: [id, text],
  idempotency: [id, text, text],
  emailAddress: [id, text],
  externalId: [id, type, text],
  assistantUsage: [id, fc.constantFrom('2026-11', '2026-12')],
  messageId: [id, text, id],
  referrer: [id, text, id],
  awaited: [id, text, id],
  credential: [fc.constantFrom('a'.repeat(64), 'b'.repeat(64))],
  userRate: [id, number],
  questionRate: [id, number],
  agentConfiguration: [id, fc.constantFrom('sales', 'support')],
  listing: [
    id,
    fc.constantFrom('all', 'inbox', 'tag:1'),
    fc.constantFrom('0000000000001#1', '0000000000002#1'),
  ],
  ownerRow: [fc.constantFrom('organizations', 'spaces', 'pins'), id, text],
  record: [type, id],
  comment: [type, id, id],
  commentPart: [type, id, id, number],
  reaction: [type, id, id, id],
  commenter: [type, id, id, id],
  groupShare: [id, type, id],
  tagging: [type, id, id],
  message: [id, number, id],
  notificationsRead: [id, number],
  notificationUnread: [id, number, id],
  notificationsDismissed: [id, fc.constantFrom('all', 'deal_won', 'comment_added'), number],
  notificationListed: [id, number, id],
  proposalRow: [id, fc.constantFrom('pending', 'applied'), id],
  mailImportFailure: [id, number],
  jobShard: [fc.nat({ max: 3 })],
};

const builders = Object.entries(keys).map(([name, builder]): [string, Builder, fc.Arbitrary<unknown>[]] => [
  name,
  builder as Builder,
  shapes[name as keyof typeof keys] ?? Array.from({ length: builder.length }, () => id),
]);

type Call = { name: string; given: unknown[]; key: { PK: string; SK: string } };
const callOf = ([name, builder, values]: (typeof builders)[number]): fc.Arbitrary<Call> =>
  fc.tuple(...values).map((given) => ({ name, given, key: builder(...(given as never[])) }));
const call = fc.constantFrom(...builders).chain(callOf);

const isSame = (a: Call, b: Call) => JSON.stringify([a.name, a.given]) === JSON.stringify([b.name, b.given]);
const expectApart = (a: Call, b: Call) =>
  expect([a.key.PK, a.key.SK], JSON.stringify([a.name, a.given, b.name, b.given])).not.toEqual([
    b.key.PK,
    b.key.SK,
  ]);

describe('keys', () => {
  it('never gives two different things the same key', () => {
    fc.assert(
      fc.property(call, call, (a, b) => {
        fc.pre(!isSame(a, b));
        expectApart(a, b);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(builders.filter(([, , values]) => values.length > 0))(
    '%s: every value it is given is in its key',
    (...builder) => {
      const one = callOf(builder);
      fc.assert(
        fc.property(one, one, (a, b) => {
          fc.pre(!isSame(a, b));
          expectApart(a, b);
        }),
        { numRuns: 150 },
      );
    },
  );

  it('keeps what belongs to different builders apart, even for the same ids', () => {
    const id = '0198c0de-0000-7000-8000-000000000001';
    const made = builders
      .filter(([, builder]) => builder.length <= 2)
      .map(([name, builder]) => ({ name, key: (builder as (...ids: unknown[]) => object)(id, id) }));
    for (const [i, a] of made.entries())
      for (const b of made.slice(i + 1))
        expect({ ...a.key }, `${a.name} and ${b.name}`).not.toEqual({ ...b.key });
  });

  it('is never longer than DynamoDB allows, whatever people send', () => {
    const long = 'ü'.repeat(10_000);
    for (const key of [keys.tagName('a', long), keys.emailAddress('a', long)])
      expect(Buffer.byteLength(key.SK) + Buffer.byteLength(key.PK)).toBeLessThan(1_024);
  });

  it('sorts moments as text as it does as numbers', () => {
    const moment = fc.integer({ min: 0, max: 9_999_999_999_999 });
    fc.assert(
      fc.property(moment, moment, (a, b) => {
        expect(timeRank(a) < timeRank(b)).toBe(a < b);
      }),
    );
  });
});
