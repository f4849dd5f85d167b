import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ApiFailure } from '#shared/api/client.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { threadFilters } from '#shared/domain/mail/threads/filters.ts';
import { countThreads } from '#shared/domain/mail/threads/lists/count.ts';
import { findInbox, findThreads } from '#shared/domain/mail/threads/lists/find.ts';
import { inSpace, involving } from '#shared/domain/mail/threads/lists/owners.ts';
import { type Plan, planOf } from '#shared/domain/mail/threads/lists/plan.ts';
import { planFilters } from '#shared/domain/mail/threads/plan-filters.ts';
import type { OpenThreadRecord } from '#shared/domain/mail/threads/schema.ts';
import { Dice } from '../../../support/dice.ts';
import { rounds } from '../../../support/long.ts';
import { listAllThreads } from '../../../support/mail.ts';
import { type Draft, drawMail } from '../../../support/thread-mail.ts';
import type { Filters } from '../../../support/thread-model.ts';
import { askedBy, drawFilters, QUESTIONS, SLICES } from '../../../support/thread-questions.ts';
import { shown, shownOpen } from '../../../support/thread-shown.ts';
import { doSteps, drawLoss } from '../../../support/thread-steps.ts';
import type { View } from '../../../support/thread-views.ts';
import { ThreadWorld } from '../../../support/thread-world.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** Moments around the ends of days and weeks, and days on which clocks change. */
const MOMENTS = [
  '2093-03-29T00:59:30.500Z',
  '2093-03-08T04:59:30.500Z',
  '2093-09-06T04:10:00.500Z',
  '2093-10-25T23:30:00.500Z',
  '2093-11-01T05:30:00.500Z',
  '2096-02-29T12:00:00.500Z',
  '2093-12-31T23:59:50.500Z',
].map((moment) => Date.parse(moment));

const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000_000);
/** Never fewer than ask every question with results: with the seed of CI, these few. */
const WORLDS = Number(process.env.RUNS ?? rounds(4, 6));
const BATCHES = 4;
/** Of every batch, besides one of every kind. */
const STEPS = 4;
/** Of every user and batch. */
const CASES = rounds(6, 10);

const isNotFound = (error: unknown) => (error as ApiFailure).code === 'record_not_found';

describe('thread lists and the model of them', () => {
  let workspace: Workspace;
  let cases = 0;
  let kept = 0;
  const asked = new Map<string, number>();

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(async () => {
    console.log(`thread lists: ${cases} cases (${kept} found threads) in ${WORLDS} worlds, seed ${SEED}`);
    await workspace?.stop();
  });

  /** All pages of a plan, of a few threads each. */
  async function walk(world: ThreadWorld, user: string, plan: Plan, inbox: boolean, limit: number) {
    const caller = await world.caller(user);
    const ids: string[] = [];
    let after: string | undefined;
    for (let page = 0; page < 100; page++) {
      const { rows, next } = await (inbox ? findInbox : findThreads)({ ...workspace.ctx, caller }, plan, {
        after,
        limit,
      });
      ids.push(...rows.map(({ entry }) => entry.thread_id));
      if (next === null) return ids;
      after = next;
    }
    throw new Error('The list has no end');
  }

  async function planOfFilters(world: ThreadWorld, user: string, filters: Filters): Promise<Plan> {
    const context = {
      ...workspace.ctx,
      caller: await world.caller(user),
      now: new Date(world.now),
    };
    const sent = Object.entries(filters).map(([name, value]) => [name, String(value)]);
    return planFilters(context, z.object(threadFilters).parse(Object.fromEntries(sent)));
  }

  /** Caps of the count: none, below, at, and above the total. */
  async function checkCounts(world: ThreadWorld, user: string, filters: Filters, total: number, dice: Dice) {
    const { reader } = world.client(user);
    const cap = dice.pick([undefined, Math.max(1, total - 1), Math.max(1, total), total + 1]);
    const query = { ...filters, ...(cap === undefined ? {} : { cap }) };
    const { count } = (await reader.countThreads({ query })).body;
    const capped = cap !== undefined && total >= cap;
    expect(count, JSON.stringify({ user, query })).toEqual({
      total: capped ? cap : total,
      exact: !capped,
      capped,
      cap: cap ?? null,
    });
  }

  async function checkFilters(world: ThreadWorld, user: string, filters: Filters, dice: Dice) {
    world.tick();
    cases++;
    const question = JSON.stringify({ user, filters });
    const { reader } = world.client(user);
    const expected = world.model.list(user, filters, world.now);
    if (!expected) {
      for (const request of [reader.listThreads, reader.countThreads])
        await expect(request({ query: filters })).rejects.toSatisfy(isNotFound);
      return;
    }
    if (expected.length > 0) {
      kept++;
      for (const name of askedBy(filters)) asked.set(name, (asked.get(name) ?? 0) + 1);
    }
    const listed = await listAllThreads(reader, filters);
    expect(listed.map(shown), question).toEqual(
      expected.map((view) => world.model.presented(user, view, world.now)),
    );
    await checkCounts(world, user, filters, expected.length, dice);
    if (dice.chance(25)) {
      const plan = await planOfFilters(world, user, filters);
      const ids = await walk(world, user, plan, filters.slice === 'inbox', dice.int(1, 3));
      expect(ids, question).toEqual(expected.map(({ id }) => id));
    }
  }

  async function checkOpen(world: ThreadWorld, user: string) {
    const { inbox } = (await world.client(user).reader.listOpenThreads()).body;
    const expected = world.model.openThreads(user, world.now);
    const groups: [OpenThreadRecord[], (view: View) => boolean][] = [
      [inbox.unread, (view) => view.unread],
      [inbox.flagged, (view) => !view.unread && view.flagged],
      [inbox.other, (view) => !view.unread && !view.flagged],
    ];
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    for (const [threads, belongs] of groups)
      expect(threads.map(shownOpen).sort(byId)).toEqual(
        expected
          .filter(belongs)
          .map((view) => world.model.presentedOpenEntry(user, view, world.now))
          .sort(byId),
      );
  }

  /** Organizations and spaces, alone and with other filters. */
  async function checkOwners(world: ThreadWorld, user: string, filters: Filters, dice: Dice) {
    const expected = world.model.list(user, filters, world.now);
    if (!expected) return;
    cases++;
    const caller = await world.caller(user);
    const reading = { table: world.table, caller };
    const bySpace = dice.chance(60);
    const owner = bySpace
      ? await inSpace(reading, world.account_id, tagDictionary(world.table, world.account_id))
      : await involving(reading, 'organizations', world.account_id);
    const rest = await planOfFilters(world, user, filters);
    const plan = Object.keys(filters).length === 0 ? planOf([owner]) : both(planOf([owner]), rest);
    const ids = await walk(world, user, plan, filters.slice === 'inbox', dice.int(1, 50));
    const belonging = expected.filter((view) =>
      world.model.belongsTo(view, `${bySpace ? 'spaces' : 'organizations'} ${world.account_id}`),
    );
    expect(ids).toEqual(belonging.map(({ id }) => id));
    const count = await countThreads({ ...workspace.ctx, caller }, plan, undefined);
    expect(count.total).toBe(belonging.length);
  }

  const both = (one: Plan, other: Plan): Plan => ({
    clauses: [...one.clauses, ...other.clauses],
    exact: 'never',
    everything: false,
    whole_inbox: false,
    keeps: (row) => one.keeps(row) && other.keeps(row),
  });

  /** Every slice, of a user to whom it shows something if there is one. */
  async function checkSlices(world: ThreadWorld, dice: Dice) {
    for (const slice of SLICES) {
      const users = dice.shuffled(world.users).map(({ user }) => user.id);
      const user = users.find((id) => world.model.list(id, { slice }, world.now)?.length) ?? users[0];
      await checkFilters(world, user as string, { slice }, dice);
    }
  }

  async function checkAll(world: ThreadWorld, dice: Dice) {
    for (const { user } of world.users) {
      await checkOpen(world, user.id);
      await checkFilters(world, user.id, {}, dice);
      for (let i = 2; i < CASES; i++)
        await checkFilters(world, user.id, drawFilters(dice, world, user.id), dice);
      const filters = dice.chance(40) ? {} : drawFilters(dice, world, user.id);
      await checkOwners(world, user.id, filters, dice);
    }
  }

  /** Between the loss of access and the clearing of lists, what stays visible another way may be missing. */
  async function checkLoss(world: ThreadWorld, dice: Dice) {
    const loss = drawLoss(dice, world);
    if (!loss) return;
    world.tick();
    const before = new Map(loss.users.map((user) => [user, world.model.views(user)]));
    await loss.take();
    for (const user of loss.users) {
      const now = new Map(world.model.views(user).map((view) => [view.id, openTo(view)]));
      const lost = before.get(user)?.filter((view) => now.get(view.id) !== openTo(view)) ?? [];
      for (const { id: thread } of lost.filter(({ id }) => !now.has(id)).slice(0, 2))
        await expect(world.client(user).reader.retrieveThread({ params: { id: thread } })).rejects.toSatisfy(
          isNotFound,
        );
      const changed = new Set(lost.map(({ id }) => id));
      for (const filters of [{}, { slice: 'inbox' }, drawFilters(dice, world, user)])
        await checkUncleared(world, user, filters, changed);
      const { inbox } = (await world.client(user).reader.listOpenThreads()).body;
      for (const thread of [...inbox.unread, ...inbox.flagged, ...inbox.other])
        expect(now.has(thread.id)).toBe(true);
    }
    await loss.reindex();
  }

  const openTo = (view: View) => JSON.stringify([[...view.open].sort(), view.shared]);

  async function checkUncleared(world: ThreadWorld, user: string, filters: Filters, changed: Set<string>) {
    world.tick();
    cases++;
    const { reader } = world.client(user);
    const expected = world.model.list(user, filters, world.now);
    if (!expected) {
      await expect(reader.listThreads({ query: filters })).rejects.toSatisfy(isNotFound);
      return;
    }
    const visible = world.model.views(user);
    const listed = await listAllThreads(reader, filters);
    const unchanged = expected.filter(({ id }) => !changed.has(id));
    expect(listed.filter(({ id }) => !changed.has(id)).map(shown)).toEqual(
      unchanged.map((view) => world.model.presented(user, view, world.now)),
    );
    for (const thread of listed) {
      const view = visible.find(({ id }) => id === thread.id);
      expect(view && shown(thread)).toEqual(view && world.model.presented(user, view, world.now));
      expect(view).toBeDefined();
    }
    const { count } = (await reader.countThreads({ query: filters })).body;
    expect(count.total).toBe(listed.length);
  }

  async function deliver(world: ThreadWorld, draft: Draft, dice: Dice) {
    for (const mailbox of dice.some(world.model.mailboxes, 1)) await world.deliver(draft, mailbox);
  }

  async function live(dice: Dice, name: string) {
    const now = dice.pick(MOMENTS);
    const world = await ThreadWorld.start(workspace, dice, 3, now);
    const twin = await ThreadWorld.start(workspace, dice, 1, now);
    const own = [
      ...world.users.map(({ user }) => user.email_address),
      'box-0@initech.example',
      'alias-1@initech.example',
    ];
    const drafts = dice.shuffled(drawMail(dice, name, dice.int(10, 26), own, now));
    const late = drafts.splice(0, BATCHES * 2);
    for (const [i, draft] of drafts.entries()) {
      await deliver(world, draft, dice);
      if (i < 4) await deliver(twin, draft, dice);
    }
    try {
      for (let batch = 0; batch < BATCHES; batch++) {
        await doSteps(dice, world, STEPS);
        for (const draft of late.splice(0, 2)) await deliver(world, draft, dice);
        await checkAll(world, dice);
        await checkSlices(world, dice);
        await checkLoss(world, dice);
      }
    } catch (error) {
      console.log(world.story.join('\n'));
      throw error;
    }
    // The other account got the same mail and nothing else. It has a clock of its own.
    twin.tick();
    await checkAll(twin, dice);
  }

  it(
    'return the same threads in the same order with the same values for any query',
    async () => {
      let number = 0;
      await fc.assert(
        fc.asyncProperty(fc.noShrink(fc.integer()), (seed) => live(new Dice(seed), `w${++number}`)),
        { seed: SEED, numRuns: WORLDS, endOnFailure: true },
      );
    },
    WORLDS * 180_000,
  );

  it('covered every slice and every filter with results', () => {
    expect(QUESTIONS.filter((name) => !asked.has(name))).toEqual([]);
    expect(cases).toBeGreaterThanOrEqual(WORLDS * 17 * CASES);
  });
});
