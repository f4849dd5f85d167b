import { describe, expect, it } from 'vitest';
import type { ArchiveEntry } from '#shared/domain/mail/archives/archive.ts';
import type { Taken } from '#shared/domain/mail/arriving/take.ts';
import { Chunk } from '#shared/domain/mail/imports/chunk.ts';
import { longIt } from '../../../support/long.ts';

describe('a chunk of an import', () => {
  const mail = (ordinal: number, bytes = 100): ArchiveEntry => ({
    ordinal,
    name: null,
    envelope_date: null,
    raw: new Uint8Array(bytes),
    next: { offset: ordinal + 1, ordinal: ordinal + 1 },
  });
  const heard = { sent: 0, from: null, to: [], cc: [] };
  const imported = (thread_id: string): Taken => ({
    ...{ outcome: 'imported', known: false, thread_id, message_id: thread_id, id_hash: '', heard, met: [] },
  });
  const failed: Taken = { failed: { reason: 'not_a_message', message: 'No.' } };
  const chunk = (readers = 1) => new Chunk({ offset: 0, ordinal: 0 }, readers);

  it('counts the results of its entries, and lists failures in order', async () => {
    const made = chunk();
    expect(made.isEmpty).toBe(true);
    const outcomes: Taken[] = [
      imported('a'),
      failed,
      { outcome: 'skipped', known: true, thread_id: 'b', message_id: 'b', id_hash: '', heard, met: [] },
      failed,
      imported('a'),
    ];
    for (const [i, outcome] of outcomes.entries())
      await made.add(mail(i), () => new Promise((done) => setTimeout(() => done(outcome), 5 - i)));
    await made.settled();
    expect(made.progress).toEqual({
      position: { offset: 5, ordinal: 5 },
      imported: 2,
      skipped: 1,
      failed: 2,
    });
    expect(made.threads.sort()).toEqual(['a', 'b']);
    expect(made.shownFailures(0).map(({ ordinal }) => ordinal)).toEqual([1, 3]);
    expect(made.shownFailures(99)).toHaveLength(1);
    expect(made.shownFailures(100)).toEqual([]);
  });

  it('names the first message that may be stored without all that follows', async () => {
    const made = chunk();
    const begun: Taken = { ...failed, begun: true };
    for (const [i, outcome] of [imported('a'), failed, begun, begun].entries())
      await made.add(mail(i), () => new Promise((done) => setTimeout(() => done(outcome), 5 - i)));
    await made.settled();
    expect(made.progress).toMatchObject({ failed: 3, unfinished_from: 2 });
  });

  it.each([
    ['200 messages', 1, 199, 100, 200],
    ['100 messages for ten readers', 10, 99, 100, 100],
    ['50 messages for very many readers', 5_000, 49, 100, 50],
    ['50 MB', 1, 1, 25_000_001, 2],
  ])('is full with %s', async (_what, readers, before, bytes, full) => {
    const made = chunk(readers);
    for (let i = 0; i < full; i++) {
      await made.add(mail(i, bytes), async () => imported('a'));
      expect(made.isFull).toBe(i + 1 > before);
    }
    await made.settled();
  });

  longIt('works on sixteen messages at once, and on no more than 30 MB', async () => {
    const most = async (bytes: number) => {
      const made = chunk();
      let [now, most] = [0, 0];
      for (let i = 0; i < 20; i++)
        await made.add(mail(i, bytes), async () => {
          most = Math.max(most, ++now);
          await new Promise((done) => setTimeout(done, 2));
          now--;
          return imported('a');
        });
      await made.settled();
      return most;
    };
    expect(await most(100)).toBe(16);
    expect(await most(10_000_000)).toBe(3);
    expect(await most(25_000_000)).toBe(1);
  });

  it('rethrows the error of one of them when the others are done', async () => {
    const made = chunk();
    let done = false;
    await made.add(mail(0), async () => {
      throw new Error('boom');
    });
    await made.add(mail(1), async () => {
      await new Promise((end) => setTimeout(end, 5));
      done = true;
      return imported('a');
    });
    await expect(made.settled()).rejects.toThrow('boom');
    expect(done).toBe(true);
  });
});
