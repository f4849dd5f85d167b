import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliverNotifications } from '#shared/domain/collaboration/notifications/deliver.ts';
import {
  type DeliveryJob,
  notificationsOf,
  type Occurrence,
} from '#shared/domain/collaboration/notifications/emit.ts';
import type { Notification } from '#shared/domain/collaboration/notifications/notification.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { longIt, reduced } from '../../../support/long.ts';
import { bestOfFive, measureTable } from '../../../support/meter.ts';
import { givenColleagues, storedNotifications } from '../../../support/notifications.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Notifications of users about an event on a record of any type. */
describe('notificationsOf', () => {
  let workspace: Workspace;
  let actor: TestUser;
  let colleagues: string[];
  let contact_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    [actor] = (await givenAccount(workspace, 1)) as [TestUser];
    colleagues = await givenColleagues(workspace, actor, 320);
    const { contact } = (await actor.api.createContact({ body: { contact: { name: 'Moira Bell' } } })).body;
    contact_id = contact.id;
  });
  afterAll(() => workspace.stop());

  const now = new Date('2026-11-20T09:30:00.000Z');
  const occurrence = (told: Occurrence['told']): Occurrence => ({
    account_id: actor.user.account_id,
    record: { type: 'contacts', id: contact_id, label: { name: 'Moira Bell' } },
    about: { share: { id: '0198c0de-0000-7000-8000-000000000007', access: 'edit' } },
    actor_id: actor.user.id,
    told,
  });
  const shared = (user_ids: string[]): Occurrence => occurrence([{ event: 'contact_shared', user_ids }]);
  /** The writes of the transaction. */
  const emit = async (what: Occurrence, room = 100): Promise<Write[]> => {
    const { writes, jobs } = await notificationsOf({ ...workspace.ctx, now }, what, room);
    return [...writes, ...jobs.map(enqueue)];
  };
  const puts = (writes: Write[]) => writes.map((write) => (write as { put: Record<string, unknown> }).put);
  const directOf = (writes: Write[]) => puts(writes).filter((item) => 'event' in item) as Notification[];
  const jobsOf = (writes: Write[]) => puts(writes).filter((item) => 'queue' in item) as DeliveryJob[];
  const deliveries = (writes: Write[]) => jobsOf(writes).map(({ delivery }) => delivery);
  const pairs = (notices: { user_id: string; event: string }[]) =>
    notices.map(({ user_id, event }) => `${event} ${user_id}`);

  it('a share is nested in the payload, beside the record as it is', async () => {
    const [user] = colleagues as [string];
    const writes = await emit(shared([user]));
    expect(directOf(writes)).toEqual([
      {
        ...keys.notification(user, directOf(writes)[0]?.id as string),
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        user_id: user,
        event: 'contact_shared',
        payload: {
          id: contact_id,
          record_type: 'contact',
          name: 'Moira Bell',
          share: { id: '0198c0de-0000-7000-8000-000000000007', access: 'edit' },
        },
        prompting_user_id: actor.user.id,
        created_at: now.toISOString(),
      },
    ]);
    expect(writes).toHaveLength(1);
  });

  it('tells nobody without recipients, and makes no call', async () => {
    expect(await emit(shared([]))).toEqual([]);
    expect((await measureTable(workspace.table, () => emit(shared([actor.user.id])))).calls).toEqual([]);
  });

  it('never tells the actor, nor anybody twice, nor users of other accounts, nor who does not see the record', async () => {
    const [first, second] = colleagues as [string, string];
    const everybody = [actor.user.id, first, second, first, workspace.hank.user.id];
    const what = occurrence([
      { event: 'deal_won', user_ids: [second, actor.user.id] },
      { event: 'contact_shared', user_ids: everybody },
    ]);
    expect(pairs(directOf(await emit(what)))).toEqual([`deal_won ${second}`, `contact_shared ${first}`]);
    const hidden = { ...what, record: { ...what.record, id: '0198c0de-0000-7000-8000-000000000008' } };
    expect(await emit(hidden)).toEqual([]);
  });

  it('without an actor, tells everybody, and names no prompter', async () => {
    const writes = await emit({ ...shared([actor.user.id]), actor_id: null });
    expect(directOf(writes)).toMatchObject([{ user_id: actor.user.id, prompting_user_id: null }]);
  });

  it('counts only users who see the record for a limit; users beyond it get their other notification', async () => {
    const [a, b, c] = colleagues as [string, string, string];
    const what = occurrence([
      { event: 'comment_mentioned', user_ids: [workspace.hank.user.id, a, b, c], at_most: 2 },
      { event: 'comment_added', user_ids: [c, a] },
    ]);
    expect(pairs(directOf(await emit(what)))).toEqual([
      `comment_mentioned ${a}`,
      `comment_mentioned ${b}`,
      `comment_added ${c}`,
    ]);
  });

  it('reads no more users than there is room for', bestOfFive, async () => {
    const few = await measureTable(workspace.table, () => emit(shared(colleagues.slice(0, 90)), 90));
    const many = await measureTable(workspace.table, () => emit(shared(colleagues), 90));
    expect(few.read_units).toBeGreaterThan(40);
    expect(many).toEqual(few);
  });

  it.each([
    [100, 100, 100, 0],
    [101, 100, 99, 1],
    [198, 100, 99, 1],
    [320, 96, 95, 1],
    [320, 2, 1, 1],
    [99, 1, 0, 1],
  ])('%i users, room for %i writes: %i notifications and %i jobs', async (users, room, direct, jobs) => {
    const writes = await emit(shared(colleagues.slice(0, users)), room);
    expect([directOf(writes).length, jobsOf(writes).length]).toEqual([direct, jobs]);
    const told = [directOf(writes), ...deliveries(writes).map(({ notices }) => notices)].flat();
    expect(told.map(({ user_id }) => user_id)).toEqual(colleagues.slice(0, users));
  });

  it('tells everybody who is to be told exactly once, at once or by a job', async () => {
    const user = fc
      .integer({ min: -1, max: 319 })
      .map((i) => (i < 0 ? actor.user.id : (colleagues[i] as string)));
    const audience = fc.record({
      event: fc.constantFrom('deal_won' as const, 'deal_assigned' as const, 'contact_shared' as const),
      user_ids: fc.array(user, { maxLength: 320, size: 'max' }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(audience, { maxLength: 3 }),
        fc.integer({ min: 5, max: 100 }),
        async (told, room) => {
          const writes = await emit(occurrence(told), room);
          expect(writes.length).toBeLessThanOrEqual(room);
          const wanted = new Map<string, string>();
          for (const { event, user_ids } of told)
            for (const id of user_ids) if (id !== actor.user.id && !wanted.has(id)) wanted.set(id, event);
          const found = [directOf(writes), ...deliveries(writes).map(({ notices }) => notices)].flat();
          expect(pairs(found).toSorted()).toEqual(
            pairs([...wanted].map(([user_id, event]) => ({ user_id, event }))).toSorted(),
          );
        },
      ),
      { numRuns: Number(process.env.RUNS ?? reduced(30)) },
    );
  });

  it('delivers an enqueued job once', async () => {
    const ids = colleagues.slice(0, 150);
    const writes = await emit(shared(ids));
    await workspace.table.transact(writes);
    for (const { id } of [...jobsOf(writes), ...jobsOf(writes)])
      await deliverNotifications({ ...workspace.ctx, clock: () => now }, id);
    const stored = await Promise.all(ids.map((id) => storedNotifications(workspace, id)));
    expect(stored.map((each) => each.length)).toEqual(ids.map(() => 1));
  });

  longIt('a delayed one has the time of the transaction that writes it', async () => {
    const ids = colleagues.slice(0, 220);
    const writes = await emit(shared(ids), 2);
    await workspace.table.transact(writes);
    const [{ id }] = jobsOf(writes) as [DeliveryJob];
    let minutes = 0;
    const clock = () => new Date(now.getTime() + 60_000 * ++minutes);
    await deliverNotifications({ ...workspace.ctx, clock }, id);
    const stored = await Promise.all(ids.slice(1).map((each) => storedNotifications(workspace, each)));
    const times = stored.map((each) => (Date.parse(each.at(-1)?.created_at ?? '') - now.getTime()) / 60_000);
    expect(times).toEqual(ids.slice(1).map((_, i) => Math.floor(i / 98) + 1));
  });
});
