import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NotificationEvent } from '#shared/domain/collaboration/notifications/event.ts';
import { givenAccount } from '../../support/accounts.ts';
import { rounds } from '../../support/long.ts';
import { givenNotifications } from '../../support/notifications.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Notification states (docs/specification/notifications.md) against a model that stores them on every notification. */

interface Model {
  id: string;
  event: string;
  new: boolean;
  read_at: string | null;
  dismissed_at: string | null;
}

const events: NotificationEvent[] = ['deal_won', 'task_assigned', 'comment_added'];
const someEvents = fc.uniqueArray(fc.constantFrom(...events), { minLength: 1 });
/** The notification, counted from the newest, modulo their number. */
const which = fc.nat({ max: 12 });

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ arrive: fc.array(fc.constantFrom(...events), { minLength: 1, maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ read: which }) },
  { weight: 3, arbitrary: fc.record({ unread: which }) },
  { weight: 2, arbitrary: fc.record({ dismiss: which }) },
  { weight: 4, arbitrary: fc.record({ undismiss: which }) },
  { weight: 2, arbitrary: fc.record({ ids: fc.array(which, { maxLength: 5 }) }) },
  { weight: 2, arbitrary: fc.record({ slice: someEvents }) },
  { weight: 1, arbitrary: fc.constant({ global: true }) },
  { weight: 1, arbitrary: fc.constant({ read_all: true }) },
  { weight: 1, arbitrary: fc.constant({ view: true }) },
);
type Step = Partial<{
  arrive: NotificationEvent[];
  read: number;
  unread: number;
  dismiss: number;
  undismiss: number;
  ids: number[];
  slice: NotificationEvent[];
  global: boolean;
  read_all: boolean;
  view: boolean;
}>;

interface Look {
  slice: NotificationEvent[] | undefined;
  unread: boolean;
  limit: number;
}
const look: fc.Arbitrary<Look> = fc.record({
  slice: fc.option(someEvents, { nil: undefined }),
  unread: fc.boolean(),
  limit: fc.integer({ min: 1, max: 9 }),
});
/** Milliseconds until the next step: earlier notifications are recent or old. */
const pause = fc.constantFrom(50, 5_000, 44_999, 45_000, 60_000);
const walk = fc.array(fc.record({ step: step as fc.Arbitrary<Step>, look, pause }), {
  minLength: 1,
  maxLength: 40,
});

const RUNS = Number(process.env.RUNS ?? rounds(1, 12));

describe('notifications: any order of operations', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const pagesOf = async (user: TestUser, query: object) => {
    const found: Model[] = [];
    let cursor: string | null = null;
    do {
      const next: object = cursor ? { next_cursor: cursor } : {};
      const { collection } = (await user.reader.listNotifications({ query: { ...query, ...next } })).body;
      found.push(...collection.records.map(stateOf));
      cursor = collection.page_info.next_cursor;
    } while (cursor);
    return found;
  };

  const stateOf = (each: { id: string; event: string | null } & Omit<Model, 'id' | 'event'>): Model => ({
    id: each.id,
    event: String(each.event),
    new: each.new,
    read_at: each.read_at,
    dismissed_at: each.dismissed_at,
  });

  /** Applies a step to one notification, and checks the response against the model. */
  async function one(user: TestUser, model: Model[], done: Step, now: string): Promise<void> {
    const { read, unread, dismiss, undismiss } = done;
    const number = read ?? unread ?? dismiss ?? undismiss;
    const chosen = number === undefined ? undefined : model[number % model.length];
    if (!chosen) return;
    const params = { id: chosen.id };
    if (dismiss !== undefined) {
      chosen.dismissed_at ??= now;
      await user.api.dismissNotification({ params });
      return;
    }
    if (read !== undefined) chosen.read_at ??= now;
    else if (unread !== undefined) chosen.read_at = null;
    else chosen.dismissed_at = null;
    const call =
      read !== undefined
        ? user.api.markNotificationRead({ params })
        : unread !== undefined
          ? user.api.markNotificationUnread({ params })
          : user.api.undismissNotification({ params });
    expect(stateOf((await call).body.notification)).toEqual(chosen);
  }

  /** Applies a step to many notifications. */
  async function many(user: TestUser, model: Model[], done: Step, now: string): Promise<void> {
    const gone = (wanted: (each: Model) => boolean) => {
      for (const each of model) if (wanted(each)) each.dismissed_at ??= now;
    };
    if (done.read_all) {
      await user.api.markAllNotificationsRead();
      for (const each of model) Object.assign(each, { new: false, read_at: each.read_at ?? now });
    } else if (done.view) {
      await user.session.createNotificationView({ params: { user_id: user.user.id } });
      for (const each of model) each.new = false;
    } else if (done.global) {
      await user.api.dismissNotifications({ body: { global: true } });
      gone(() => true);
    } else if (done.slice) {
      const { slice } = done;
      await user.api.dismissNotifications({ body: { slice: slice.join(',') } });
      gone((each) => slice.some((event) => event === each.event));
    } else if (done.ids) {
      const ids = done.ids.flatMap((number) => model[number % model.length]?.id ?? []);
      await user.api.dismissNotifications({ body: { ids: [...ids, randomUUID()] } });
      gone((each) => ids.includes(each.id));
    }
  }

  async function compare(user: TestUser, model: Model[], seen: Look): Promise<void> {
    const { slice, unread, limit } = seen;
    const query = {
      ...(slice ? { slice: slice.join(',') } : {}),
      ...(unread ? { status: 'unread' as const } : {}),
    };
    const expected = model.filter(
      (each) =>
        each.dismissed_at === null &&
        (!unread || each.read_at === null) &&
        (!slice || slice.some((event) => event === each.event)),
    );
    expect(await pagesOf(user, { ...query, limit })).toEqual(expected);
    const { count } = (await user.reader.countNotifications({ query })).body;
    expect(count).toEqual({ total: expected.length, exact: true, capped: false, cap: null });
  }

  it('list, count and respond as the model does', { timeout: 30_000 * RUNS }, async () => {
    await fc.assert(
      fc.asyncProperty(walk, async (steps) => {
        const [user] = (await givenAccount(workspace, 1)) as [TestUser];
        const model: Model[] = [];
        let time = new Date(Date.UTC(2026, 10, 20));
        for (const { step: done, look: seen, pause } of steps) {
          time = new Date(time.getTime() + pause);
          workspace.setTime(time);
          if (done.arrive) {
            const ids = await givenNotifications(workspace, user, done.arrive, time);
            const arrived = ids.map((id, i) => ({ id, event: done.arrive?.[i] as string }));
            const state = { new: true, read_at: null, dismissed_at: null };
            model.unshift(...arrived.toReversed().map((each) => ({ ...each, ...state })));
            workspace.setTime(new Date(time.getTime() + 10));
          } else {
            await one(user, model, done, time.toISOString());
            await many(user, model, done, time.toISOString());
          }
          await compare(user, model, seen);
        }
        // Those that are not listed, as each is returned.
        workspace.setTime(new Date(time.getTime() + 50));
        for (const each of model) {
          const read = await user.api.markNotificationRead({ params: { id: each.id } });
          expect(read.body.notification.dismissed_at).toBe(each.dismissed_at);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
