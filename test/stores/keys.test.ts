import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keys, timeRank } from '../../shared/table/keys.ts';

type Builder = (...values: never[]) => { PK: string; SK: string };

/** What a builder is given: record types, counters, and ids or text that people choose. */
const builders: [string, Builder, fc.Arbitrary<unknown>[]][] = Object.entries(keys).map(([name, builder]) => {
  const id = fc.uuid();
  const type = fc.constantFrom(
    'contacts',
    'organizations',
    'deals',
    'threads',
    'files',
    'calendar_events',
    'spaces',
  );
  const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
  const rank = fc.nat({ max: 1_000_000 });
  const moment = fc.date({ noInvalidDate: true, min: new Date(0) }).map((date) => date.toISOString());
  const shapes: Record<string, fc.Arbitrary<unknown>[]> = {
    tagName: [id, fc.string()],
    groupName: [id, fc.string()],
    idempotency: [id, fc.webPath(), fc.string()],
    emailAddress: [id, fc.string()],
    externalId: [id, type, fc.string()],
    credential: [hash],
    userRate: [id, rank],
    record: [type, id],
    comment: [type, id, id],
    commentPart: [type, id, id, rank],
    reaction: [type, id, id, id],
    commenter: [type, id, id, id],
    tagging: [type, id, id],
    message: [id, rank, id],
    mailImportFailure: [id, rank],
    notificationsRead: [id, moment],
    notificationsDismissed: [id, fc.constantFrom('all', 'deal_won', 'comment_added'), rank],
    notificationListed: [id, rank, id],
    jobShard: [fc.nat({ max: 3 })],
  };
  return [name, builder as Builder, shapes[name] ?? Array.from({ length: builder.length }, () => id)];
});

const call = fc
  .constantFrom(...builders)
  .chain(([name, builder, values]) =>
    fc.tuple(...values).map((given) => ({ name, given, key: builder(...(given as never[])) })),
  );

describe('keys', () => {
  it('never gives two different things the same key', () => {
    fc.assert(
      fc.property(call, call, (a, b) => {
        fc.pre(JSON.stringify([a.name, a.given]) !== JSON.stringify([b.name, b.given]));
        expect([a.key.PK, a.key.SK]).not.toEqual([b.key.PK, b.key.SK]);
      }),
      { numRuns: 5_000 },
    );
  });

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
