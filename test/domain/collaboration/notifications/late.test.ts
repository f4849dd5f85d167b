import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { dismissAll } from '#shared/domain/collaboration/notifications/dismiss.ts';
import type { NotificationEvent } from '#shared/domain/collaboration/notifications/event.ts';
import { countNotifications, listNotifications } from '#shared/domain/collaboration/notifications/list.ts';
import { markAllRead, markViewed } from '#shared/domain/collaboration/notifications/mark-all.ts';
import { markRead } from '#shared/domain/collaboration/notifications/mark-read.ts';
import { markUnread } from '#shared/domain/collaboration/notifications/mark-unread.ts';
import {
  type Notification,
  newNotification,
  notify,
  presentNotification,
} from '#shared/domain/collaboration/notifications/notification.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { meanwhile } from '../../../support/faults.ts';
import { Interleaving, type Worker } from '../../../support/interleaving.ts';
import { longIt } from '../../../support/long.ts';
import { measureTable } from '../../../support/meter.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

const RUNS = Number(process.env.RUNS ?? 15);

/**
 * Notifications that arrive during an operation on all of them: those from before are read or dismissed, and those
 * that arrive later are not, whatever their timestamps.
 */
describe('notifications that arrive meanwhile', () => {
  let workspace: Workspace;
  let table: Table;
  beforeAll(async () => {
    workspace = await startWorkspace();
    table = workspace.table;
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  afterAll(() => workspace.stop());

  const BASE = Date.UTC(2026, 10, 20, 9, 30);
  /** Milliseconds from the base. */
  const at = (offset: number) => new Date(BASE + offset);
  const draft = (user_id: string, event: NotificationEvent) => ({
    ...{ user_id, event, payload: { id: user_id, record_type: 'task' }, prompting_user_id: null },
  });
  const written = async (user_id: string, event: NotificationEvent, now: Date) => {
    const write = notify(newNotification(draft(user_id, event), now)) as { put: Notification };
    await table.transact([write]);
    return write.put.id;
  };

  async function statesOf(user_id: string) {
    const choice = { events: undefined, unread: false };
    const page = await listNotifications(table, user_id, choice, { limit: 200, after: undefined });
    const found = page.notifications.map((each) => presentNotification(each, page.moments));
    const unread = { ...choice, unread: true };
    const open = await listNotifications(table, user_id, unread, { limit: 200, after: undefined });
    expect(open.notifications.map((each) => each.id)).toEqual(
      found.filter((each) => each.read_at === null).map((each) => each.id),
    );
    expect(await countNotifications(table, user_id, choice)).toBe(found.length);
    expect(await countNotifications(table, user_id, unread)).toBe(open.notifications.length);
    return new Map(found.map((each) => [each.id, each]));
  }

  /** The operations on all, with the state in which they leave those that were there. */
  const bulk = {
    read: (user_id: string, now: Date) => markAllRead(table, user_id, () => now),
    view: (user_id: string, now: Date) => markViewed(table, user_id, () => now),
    all: (user_id: string, now: Date) => dismissAll(table, user_id, undefined, () => now),
    slice: (user_id: string, now: Date) => dismissAll(table, user_id, ['deal_won'], () => now),
  };
  type Bulk = keyof typeof bulk;

  type Actor = { offset: number } & ({ does: Bulk } | { arrives: NotificationEvent });
  const event = fc.constantFrom<NotificationEvent>('deal_won', 'task_assigned');
  const actor: fc.Arbitrary<Actor> = fc.oneof(
    // A request may have begun 29 seconds before it writes, on a machine whose clock is behind.
    fc.record({ offset: fc.integer({ min: -30_000, max: 3_000 }), arrives: event }),
    fc.record({
      offset: fc.integer({ min: 0, max: 3_000 }),
      does: fc.constantFrom(...(Object.keys(bulk) as Bulk[])),
    }),
  );
  /** How long before they came, what was there at first. */
  const ages = fc.array(fc.tuple(event, fc.constantFrom(100_000, 46_000, 40_000, 5_000, 0)), {
    maxLength: 3,
  });

  interface Span {
    actor: Actor;
    worker: Worker;
    id?: string;
    /** Numbers of its first and its last call. */
    first: number;
    last: number;
  }

  function begin(interleaving: Interleaving, user_id: string, actor: Actor): Span {
    const span = { actor, first: Number.POSITIVE_INFINITY, last: -1 } as Span;
    span.worker = interleaving.start(async () => {
      const now = at(actor.offset);
      if ('does' in actor) await bulk[actor.does](user_id, now);
      else span.id = await written(user_id, actor.arrives, now);
    });
    return span;
  }

  /** Releases one call after the other, as `order` chooses, until all are done. */
  async function play(interleaving: Interleaving, spans: Span[], order: number[]): Promise<void> {
    let number = 0;
    while (spans.some(({ worker }) => worker.state === 'working')) {
      // A worker that pauses before its next try calls soon.
      if (interleaving.waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      const call = interleaving.waiting[(order[number] ?? 0) % Math.max(1, interleaving.waiting.length)];
      if (!call) continue;
      const span = spans.find(({ worker }) => worker === call.worker) as Span;
      span.first = Math.min(span.first, number);
      span.last = number++;
      await interleaving.decide(call, 'done');
    }
    for (const { worker } of spans) expect(worker.state).toBe('done');
  }

  const concerns = (does: Bulk, event: NotificationEvent) => does !== 'slice' || event === 'deal_won';

  longIt(
    'belong to those before the operation, or to those after it',
    { timeout: 3_000 * RUNS },
    async () => {
      vi.spyOn(Math, 'random').mockReturnValue(0);
      await fc.assert(
        fc.asyncProperty(
          ages,
          fc.array(actor, { minLength: 2, maxLength: 6 }),
          fc.array(fc.nat({ max: 20 }), { minLength: 60, maxLength: 60 }),
          async (before, actors, order) => {
            const user_id = randomUUID();
            const arrived: { id: string; event: NotificationEvent; when: number }[] = [];
            for (const [event, age] of before)
              arrived.push({ id: await written(user_id, event, at(-age)), event, when: -1 });
            const interleaving = new Interleaving();
            const unwatch = interleaving.watch(table);
            const spans = actors.map((each) => begin(interleaving, user_id, each));
            await interleaving.quiet();
            await play(interleaving, spans, order);
            unwatch();
            for (const { actor, id, last } of spans)
              if ('arrives' in actor) arrived.push({ id: id as string, event: actor.arrives, when: last });
            const states = await statesOf(user_id);
            for (const { id, event, when } of arrived) {
              const ops = spans.filter(({ actor }) => 'does' in actor && concerns(actor.does, event));
              const done = (...kinds: Bulk[]) => {
                const those = ops.filter(({ actor }) => kinds.includes((actor as { does: Bulk }).does));
                if (those.some(({ first }) => first > when)) return true;
                return those.every(({ last }) => last < when) ? false : undefined;
              };
              const state = states.get(id);
              const gone = done('all', 'slice');
              if (gone !== undefined) expect([id, state === undefined]).toEqual([id, gone]);
              if (!state) continue;
              const read = done('read');
              if (read !== undefined) expect([id, state.read_at !== null]).toEqual([id, read]);
              const seen = done('read', 'view');
              if (seen !== undefined) expect([id, state.new]).toEqual([id, !seen]);
              // Never read and unseen.
              if (state.read_at !== null) expect(state.new).toBe(false);
            }
          },
        ),
        { numRuns: RUNS },
      );
    },
  );

  it.each(Object.keys(bulk) as Bulk[])(
    '%s: one with an earlier timestamp that arrives after others stays as it arrives',
    async (does) => {
      const user_id = randomUUID();
      await written(user_id, 'deal_won', at(-100_000));
      const early = await written(user_id, 'deal_won', at(1_000));
      await bulk[does](user_id, at(2_000));
      const late = await written(user_id, 'deal_won', at(500));
      const states = await statesOf(user_id);
      expect(states.get(late)).toMatchObject({ new: true, read_at: null, dismissed_at: null });
      const changed = { read: { new: false, read_at: at(2_000).toISOString() }, view: { new: false } };
      if (does in changed) expect(states.get(early)).toMatchObject(changed[does as 'read' | 'view']);
      else expect(states.has(early)).toBe(false);
      // The next time it is there.
      await bulk[does](user_id, at(3_000));
      expect((await statesOf(user_id)).get(late)?.new ?? false).toBe(false);
    },
  );

  it('two bulk marks at once: the first sets the time, and the second changes nothing', async () => {
    const user_id = randomUUID();
    const id = await written(user_id, 'deal_won', at(-100_000));
    const first = () => markAllRead(table, user_id, () => at(1_000));
    const fault = meanwhile(table, 'PutItemCommand', first);
    await markAllRead(table, user_id, () => at(2_000));
    fault.remove();
    expect(fault.hit).toBe(true);
    expect((await statesOf(user_id)).get(id)?.read_at).toBe(at(1_000).toISOString());
  });

  longIt('two bulk dismissals at once: both are done', async () => {
    const others: (NotificationEvent[] | undefined)[] = [
      ['task_assigned'],
      ['deal_won', 'task_assigned'],
      undefined,
    ];
    for (const events of others)
      for (const first of [false, true]) {
        const user_id = randomUUID();
        for (const event of ['deal_won', 'task_assigned'] as const)
          await written(user_id, event, at(-100_000));
        if (first) {
          // There are marks already, which both change.
          await dismissAll(table, user_id, ['deal_shared'], () => at(0));
          await written(user_id, 'deal_shared', at(-99_000));
        }
        const other = () => dismissAll(table, user_id, events, () => at(1_000));
        const fault = meanwhile(table, 'TransactWriteItemsCommand', other);
        await dismissAll(table, user_id, ['deal_won'], () => at(2_000));
        fault.remove();
        expect(fault.hit).toBe(true);
        const left = [...(await statesOf(user_id)).values()].map((each) => each.event);
        expect(left).toEqual(first && events ? ['deal_shared'] : []);
      }
  });

  longIt('one that arrives at the time of a mark is unread each time', async () => {
    const user_id = randomUUID();
    for (let round = 0; round < 5; round++) {
      const id = await written(user_id, 'deal_won', at(0));
      const states = await statesOf(user_id);
      expect([...states.values()].filter((each) => each.read_at === null).map((each) => each.id)).toEqual([
        id,
      ]);
      expect(states.get(id)?.new).toBe(true);
      await markAllRead(table, user_id, () => at(0));
    }
  });

  longIt('more than can be changed one by one are all read, viewed and dismissed', async () => {
    for (const count of [47, 48, 49, 130]) {
      const user_id = randomUUID();
      const events: NotificationEvent[] = ['deal_won', 'task_assigned'];
      const writes = Array.from({ length: count }, (_, i) =>
        notify(newNotification(draft(user_id, events[i % 2] as NotificationEvent), at(i * 10))),
      );
      for (let i = 0; i < count; i += 100) await table.transact(writes.slice(i, i + 100));
      await markViewed(table, user_id, () => at(2_000));
      let states = [...(await statesOf(user_id)).values()];
      expect(states.map((each) => [each.new, each.read_at])).toEqual(Array(count).fill([false, null]));
      await markAllRead(table, user_id, () => at(3_000));
      states = [...(await statesOf(user_id)).values()];
      expect(new Set(states.map((each) => each.read_at))).toEqual(new Set([at(3_000).toISOString()]));
      await dismissAll(table, user_id, ['deal_won'], () => at(4_000));
      expect((await statesOf(user_id)).size).toBe(Math.floor(count / 2));
      await dismissAll(table, user_id, undefined, () => at(5_000));
      expect((await statesOf(user_id)).size).toBe(0);
    }
  });

  longIt('cost at most fifty writes and three round trips, however many have just arrived', async () => {
    const costs = [];
    for (const count of [60, 600]) {
      const user_id = randomUUID();
      const writes = Array.from({ length: count }, (_, i) =>
        notify(newNotification(draft(user_id, 'deal_won'), at(i))),
      );
      for (let i = 0; i < count; i += 100) await table.transact(writes.slice(i, i + 100));
      for (const does of ['view', 'read', 'all'] as const) {
        const { depth, writes } = await measureTable(table, () => bulk[does](user_id, at(5_000)));
        costs.push({ count, does, depth, writes });
      }
    }
    for (const { count, ...cost } of costs) {
      expect(cost.depth).toBeLessThanOrEqual(3);
      expect(cost.writes).toBeLessThanOrEqual(50);
      expect(costs).toContainEqual({ ...cost, count: 660 - count });
    }
  });

  it('one that was marked unread after a later moment is read by the next, and its pointer goes', async () => {
    const user_id = randomUUID();
    // So many at once that most are matched by their time.
    const writes = Array.from({ length: 60 }, (_, i) =>
      notify(newNotification(draft(user_id, 'deal_won'), at(i * 10))),
    );
    await table.transact(writes);
    await markAllRead(table, user_id, () => at(1_000));
    const [first, ...others] = writes as { put: Notification }[];
    for (const each of [first, others[0], others[58]])
      await markUnread(table, user_id, (each as { put: Notification }).put.id);
    // One that is read by itself leaves nothing behind; the others are read with all.
    const { PK } = keys.notificationUnread(user_id, 0, '');
    expect(await table.all(PK, 'UNREAD#')).toHaveLength(2);
    await markRead(table, user_id, (others[0] as { put: Notification }).put.id, at(1_500));
    expect(await table.all(PK, 'UNREAD#')).toHaveLength(1);
    await markAllRead(table, user_id, () => at(2_000));
    const choice = { events: undefined, unread: true };
    expect(await countNotifications(table, user_id, choice)).toBe(0);
    await markAllRead(table, user_id, () => at(3_000));
    const moments = await table.all<{ at: number }>(keys.notificationsRead(user_id, 0).PK, 'READ#');
    expect(moments.map((each) => each.at)).toEqual([BASE + 1_000, BASE + 2_000]);
  });
});
