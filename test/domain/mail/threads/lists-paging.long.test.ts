import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCursor } from '#shared/table/cursor.ts';
import { Dice } from '../../../support/dice.ts';
import { givenThreads } from '../../../support/given-world.ts';
import { mostly, rounds, SHORT_STRIDE } from '../../../support/long.ts';
import type { Filters, ThreadModel } from '../../../support/thread-model.ts';
import { drawFilters } from '../../../support/thread-questions.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000_000);
const CASES = Number(process.env.RUNS ?? rounds(2, 6));
/** More than are checked one by one, sorted at once, or read in one step. */
const THREADS = 1_150;
const NOW = Date.parse('2093-05-13T12:00:00Z');

/** Filters that name many threads and few, together. */
const WIDE = mostly<Filters>(
  [
    {},
    { slice: 'inbox', has_attachment: true },
    { slice: 'inbox', unread: true, query: 'caf' },
    { participant: 'priya@ferries.example', query: 'ferries' },
    { flagged: true, first_sent_before: '2093-05-01' },
  ],
  [
    { slice: 'inbox' },
    { participant: 'priya@ferries.example' },
    { unread: true, unresolved: true, query: 'fer' },
    { query: 'f' },
    { first_sent_before: '2093-03-01', last_sent_after: '2093-02-01' },
  ],
);

describe('all pages of a long list', () => {
  let workspace: Workspace;
  let user: TestUser;
  let model: ThreadModel;
  let now = NOW;
  let cases = 0;

  beforeAll(async () => {
    workspace = await startWorkspace();
    user = workspace.linus;
    model = await givenThreads(workspace, user, THREADS, NOW, new Dice(SEED));
  }, 240_000);
  afterAll(async () => {
    console.log(`long lists: ${cases} cases with ${THREADS} threads, seed ${SEED}`);
    await workspace?.stop();
  });

  /** A moment for every request keeps the key below its limit. */
  function tick(): void {
    now += 200;
    workspace.setTime(new Date(now));
  }

  const page = (query: Filters, next_cursor?: string | null, { reader } = user) => {
    tick();
    return reader.listThreads({ query: { ...query, ...(next_cursor ? { next_cursor } : {}) } });
  };

  async function walk(query: Filters): Promise<string[]> {
    const ids: string[] = [];
    for (let next: string | null | undefined; next !== null; ) {
      const { records, page_info } = (await page(query, next)).body.collection;
      expect(records.length).toBeLessThanOrEqual(50);
      expect(page_info.has_more_after).toBe(page_info.next_cursor !== null);
      ids.push(...records.map(({ id }) => id));
      next = page_info.next_cursor;
    }
    return ids;
  }

  async function check(query: Filters): Promise<void> {
    cases++;
    const found = await walk(query);
    const expected = model.list(user.user.id, query, now)?.map(({ id }) => id);
    expect(found, JSON.stringify(query)).toEqual(expected);
    for (const cap of [undefined, found.length, 40].filter((each) => each !== 0)) {
      tick();
      const counting = { query: { ...query, ...(cap === undefined ? {} : { cap }) } };
      const { count } = (await user.reader.countThreads(counting)).body;
      const total = Math.min(found.length, cap ?? found.length);
      expect({ query, cap, total: count.total }).toEqual({ query, cap, total });
    }
  }

  it.each(WIDE)('return each thread once, and as many as are counted: %j', check, 60_000);

  it(
    'return each thread once for random filters, and as many as are counted',
    async () => {
      const dice = new Dice(SEED + 1);
      for (let i = 0; i < CASES; i++) {
        const { tags, tag_operator, contact_id, ...query } = drawFilters(dice, { model, now }, user.user.id);
        await check(query);
      }
    },
    CASES * 10_000,
  );

  describe('the cursor', () => {
    let cursor: string;
    const refused = { status: 400, code: 'invalid_cursor' };

    beforeAll(async () => {
      cursor = (await page({})).body.collection.page_info.next_cursor as string;
    });

    it('is refused when any byte of it is changed', async () => {
      const bytes = Buffer.from(cursor, 'base64url');
      const dice = new Dice(SEED + 2);
      for (let at = 0; at < bytes.length; at += SHORT_STRIDE) {
        const changed = Buffer.from(bytes);
        changed[at] = bytes.readUInt8(at) ^ dice.int(1, 255);
        await expect(page({}, changed.toString('base64url'))).rejects.toMatchObject(refused);
      }
    });

    it('is refused by another slice, another filter and another user', async () => {
      const inbox = (await page({ slice: 'inbox' })).body.collection.page_info.next_cursor;
      const others: [Filters, string | null][] = [
        [{ slice: 'inbox' }, cursor],
        [{}, inbox],
        [{ slice: 'unread' }, cursor],
        [{ unread: true }, cursor],
        [{ slice: 'inbox', unread: true }, inbox],
        [{ query: 'ferries' }, cursor],
      ];
      for (const [query, next] of others) await expect(page(query, next)).rejects.toMatchObject(refused);
      await expect(page({}, cursor, workspace.ada)).rejects.toMatchObject(refused);
    });

    it('is refused when it comes from another list', async () => {
      const { cursor_keys } = workspace.ctx.config;
      const scope = { list: 'contacts:name:asc', filters: null, user_id: user.user.id };
      await expect(page({}, writeCursor(cursor_keys, scope, 'a'))).rejects.toMatchObject(refused);
      await expect(user.reader.listContacts({ query: { next_cursor: cursor } })).rejects.toMatchObject(
        refused,
      );
    });
  });
});
