import { describe, expect, it } from 'vitest';
import { statePostings } from '#shared/domain/mail/threads/lists/postings.ts';
import type { ThreadEntry } from '#shared/domain/mail/threads/thread.ts';

/** DynamoDB reads the time to live in seconds; milliseconds would never expire. */
describe('the place of a snoozed thread', () => {
  const entry = (snoozed_until?: number) =>
    ({
      user_id: 'ada',
      rank: '0#t',
      first_sent_at: '2026-11-20T09:00:00.000Z',
      last_sent_at: '2026-11-20T09:30:00.000Z',
      shared_with: [],
      mailbox_ids: [],
      participant_names: {},
      ...(snoozed_until === undefined ? {} : { snoozed_until }),
    }) as unknown as ThreadEntry;

  it.each(['2026-11-21T08:00:00.000Z', '2026-11-21T08:00:00.001Z', '2026-11-21T08:00:00.999Z'])(
    'is kept past the end of the snooze, and no more than two hours: %s',
    (until) => {
      const end = Date.parse(until);
      const expiring = statePostings(entry(end)).filter((each) => each.expires_epoch !== undefined);
      expect(expiring).toHaveLength(1);
      expect(expiring[0]).toMatchObject({ until: end });
      const kept = Number(expiring[0]?.expires_epoch) * 1_000 - end;
      expect(kept).toBeGreaterThanOrEqual(60_000);
      expect(kept).toBeLessThanOrEqual(2 * 3_600_000);
    },
  );

  it('is the only one with a time to live', () => {
    expect(statePostings(entry()).filter((each) => 'expires_epoch' in each)).toEqual([]);
  });
});
