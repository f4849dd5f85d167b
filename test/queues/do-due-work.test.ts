import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DueWork } from '#shared/domain/collaboration/due/due.ts';
import { deliverNotifications } from '#shared/domain/collaboration/notifications/deliver.ts';
import type { DeliveryJob } from '#shared/domain/collaboration/notifications/emit.ts';
import type { Notification } from '#shared/domain/collaboration/notifications/notification.ts';
import { DUE_SHARDS, JOB_SHARDS, keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/do-due-work.ts';
import { allEvents, givenCalendar, givenEvent, shareMailbox } from '../support/events.ts';
import { problemsOf } from '../support/failures.ts';
import { crashAfter, type Death, dieAt, failCall, meanwhile, refuse, watchCalls } from '../support/faults.ts';
import { linesOf, logged } from '../support/logged.ts';
import { cases, longIt, STRIDE } from '../support/long.ts';
import { givenColleagues, storedNotifications } from '../support/notifications.ts';
import { mostReadTogether } from '../support/read-together.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The schedule that reminds users, with a clock that the tests move. */
describe('schedule do-due-work', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace?.stop());

  /** A day of its own for each test: no test finds what another one left. */
  let due: number;
  let tests = 0;
  const at = (moment: number) => workspace.setTime(new Date(moment));
  beforeEach(() => {
    due = Date.parse('2027-02-01T12:00:00Z') + 10 * DAY * tests++;
    at(due - 2 * DAY);
  });
  afterEach(async () => {
    at(due + 20 * DAY);
    await handler();
    workspace.setTime(undefined);
  });

  const run = async (moment: number) => {
    at(moment);
    await handler();
  };
  const reminded = ({ event }: Notification) =>
    event === 'task_reminder' || event === 'calendar_event_reminder';
  /** Of a record: minutes before it, the longest first. */
  const told = async (user: TestUser, id: string) =>
    (await storedNotifications(workspace, user.user.id))
      .filter((each) => reminded(each) && each.payload.id === id)
      .map(({ payload }) => (payload.reminder as { minutes: number }).minutes)
      .sort((a, b) => b - a);
  /** The moments that records wait for. */
  const waiting = async () => {
    const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => keys.dueShard(shard).PK);
    const all = await Promise.all(shards.map((shard) => workspace.table.all<DueWork>(shard)));
    return all.flat().map((each) => each.at);
  };
  /** The clock strikes at each moment that something waits for. */
  const runUntil = async (end: number) => {
    for (let next = 0; next <= end; next = Math.min(...(await waiting()))) if (next > 0) await run(next);
  };

  const postTask = (task: object) => {
    const common = { name: 'Call', due_at: new Date(due).toISOString(), reminders: [10] };
    return ada.api.createTask({ body: { task: { ...common, ...task } as never } });
  };
  const givenTask = async (task: object = {}) => (await postTask(task)).body.task;
  const changeTask = (id: string, task: object) =>
    ada.api.updateTask({ params: { id }, body: { task: task as never } });

  describe('tasks', () => {
    longIt('each reminder once, at its moment, as a notification of the service', async () => {
      const { id, reminders } = await givenTask({ reminders: [60, 10, 60, 0] });
      expect(reminders).toEqual([0, 10, 60]);
      await run(due - HOUR - 1);
      expect(await told(ada, id)).toEqual([]);
      for (const moment of [due - HOUR, due - HOUR + MINUTE]) {
        await run(moment);
        expect(await told(ada, id)).toEqual([60]);
      }
      await run(due - 10 * MINUTE + 30_000);
      await run(due);
      await run(due + MINUTE);
      expect(await told(ada, id)).toEqual([60, 10, 0]);
      const { records } = (await ada.reader.listNotifications({ query: { slice: 'task_reminder' } })).body
        .collection;
      expect(records[0]).toMatchObject({
        event: 'task_reminder',
        prompting_user_id: null,
        new: true,
        read_at: null,
        created_at: new Date(due).toISOString(),
        payload: {
          ...{ id, record_type: 'task', name: 'Call' },
          reminder: { minutes: 0, due_at: new Date(due).toISOString() },
        },
      });
    });

    longIt('400 for reminders that are no list of minutes up to four weeks, five at most', async () => {
      for (const [reminders, problem] of [
        [[-1], { 'reminders.0': 'invalid' }],
        [[40_321], { 'reminders.0': 'invalid' }],
        [[1.5], { 'reminders.0': 'invalid' }],
        [['10'], { 'reminders.0': 'invalid' }],
        [[1, 2, 3, 4, 5, 6], { reminders: 'too_long' }],
        [10, { reminders: 'invalid' }],
      ] as const)
        expect(await problemsOf(postTask({ reminders })), JSON.stringify(reminders)).toEqual(problem);
      expect((await givenTask({ reminders: [0, 40_320] })).reminders).toEqual([0, 40_320]);
      const { id } = await givenTask();
      await changeTask(id, { name: 'Other' });
      expect((await changeTask(id, {})).body.task.reminders).toEqual([10]);
      expect((await changeTask(id, { reminders: [] })).body.task.reminders).toEqual([]);
    });

    it.each<[string, object, 'ada' | 'grace']>([
      ['the assignee', { visibility: 'account' }, 'grace'],
      ['the owner of a task of nobody', { visibility: 'account', assigned_user_id: null }, 'ada'],
    ])('%s is told, and nobody else', async (_, task, who) => {
      const { id } = await givenTask({ assigned_user_id: grace.user.id, ...task });
      await run(due);
      const all = { ada: await told(ada, id), grace: await told(grace, id), linus: await told(linus, id) };
      expect(all).toEqual({ ada: [], grace: [], linus: [], [who]: [10] });
    });

    const params = (id: string) => ({ params: { task_id: id } });
    longIt.each<[string, (id: string) => Promise<unknown>, number[]]>([
      ['completed', (id) => ada.api.completeTask(params(id)), []],
      [
        'completed and open again',
        async (id) => {
          await ada.api.completeTask(params(id));
          await ada.api.reopenTask(params(id));
        },
        [10],
      ],
      ['deleted', (id) => ada.api.deleteTask({ params: { id } }), []],
      ['without a date', (id) => changeTask(id, { due_at: null }), []],
      ['without reminders', (id) => changeTask(id, { reminders: [] }), []],
      ['later', (id) => changeTask(id, { due_at: new Date(due + HOUR).toISOString() }), []],
      [
        'later, and back again',
        async (id) => {
          await changeTask(id, { due_at: new Date(due + HOUR).toISOString() });
          await changeTask(id, { due_at: new Date(due).toISOString() });
        },
        [10],
      ],
      ['with another reminder', (id) => changeTask(id, { reminders: [10, 30] }), [30, 10]],
      ['for somebody else', (id) => changeTask(id, { assigned_user_id: linus.user.id }), []],
      ['with another name', (id) => changeTask(id, { name: 'Write' }), [10]],
    ])('a task that is %s meanwhile', async (_, change, expected) => {
      const { id } = await givenTask();
      await change(id);
      for (const before of [30, 10, 0]) await run(due - before * MINUTE);
      expect(await told(ada, id)).toEqual(expected);
      await run(due + HOUR);
      await run(due + HOUR + 1);
      expect((await told(ada, id)).length).toBeLessThanOrEqual(2);
    });

    longIt('moved earlier or later, it is told at the new moment, once for each', async () => {
      const { id } = await givenTask();
      await changeTask(id, { due_at: new Date(due + HOUR).toISOString() });
      await run(due + 49 * MINUTE);
      expect(await told(ada, id)).toEqual([]);
      await run(due + 50 * MINUTE);
      await changeTask(id, { due_at: new Date(due + 2 * HOUR).toISOString() });
      await run(due + 3 * HOUR);
      expect(await told(ada, id)).toEqual([10, 10]);
    });

    it('an all-day task counts from the first moment of its day', async () => {
      const day = new Date(due).toISOString().slice(0, 10);
      const { id, due_at } = await givenTask({ due_at: day, all_day: true, reminders: [180] });
      await run(Date.parse(due_at as string) - 180 * MINUTE - 1);
      expect(await told(ada, id)).toEqual([]);
      await run(Date.parse(due_at as string) - 180 * MINUTE);
      expect(await told(ada, id)).toEqual([180]);
    });

    it('who no longer sees it is not told', async () => {
      const { id } = await givenTask({ visibility: 'account', assigned_user_id: grace.user.id });
      await workspace.table.update(keys.user(ada.user.account_id, grace.user.id), {
        set: { status: 'suspended' } as never,
      });
      await run(due);
      await workspace.table.update(keys.user(ada.user.account_id, grace.user.id), {
        set: { status: grace.user.status } as never,
      });
      expect(await told(grace, id)).toEqual([]);
    });
  });

  describe('late, early and again', () => {
    it('after an outage of an hour each is told once; what is a day late, never', async () => {
      const { id } = await givenTask({ reminders: [1_500, 90, 60, 5] });
      await run(due + 30 * MINUTE);
      await run(due + 30 * MINUTE);
      expect(await told(ada, id)).toEqual([90, 60, 5]);
      const { id: old } = await givenTask({ due_at: new Date(due + HOUR).toISOString() });
      await run(due + 2 * DAY);
      expect(await told(ada, old)).toEqual([]);
    });

    longIt('a clock that jumps ahead and back tells nobody twice, whatever changes meanwhile', async () => {
      const { id } = await givenTask({ reminders: [30, 10] });
      await run(due - 20 * MINUTE);
      at(due - HOUR);
      await changeTask(id, { due_at: null });
      await changeTask(id, { due_at: new Date(due).toISOString() });
      for (const before of [60, 30, 20, 10, 0]) await run(due - before * MINUTE);
      expect(await told(ada, id)).toEqual([30, 10]);
    });

    longIt('three runs at once, and a change meanwhile', async () => {
      const tasks = await Promise.all([givenTask(), givenTask(), givenTask({ reminders: [20, 10] })]);
      at(due);
      await Promise.all([handler(), handler(), handler()]);
      expect(await Promise.all(tasks.map(({ id }) => told(ada, id)))).toEqual([[10], [10], [20, 10]]);
      at(due - DAY);
      const { id } = await givenTask({ due_at: new Date(due + HOUR).toISOString(), reminders: [40, 20] });
      at(due + 25 * MINUTE);
      const fault = meanwhile(workspace.table, 'TransactWriteItemsCommand', () =>
        changeTask(id, { due_at: new Date(due + 2 * HOUR).toISOString() }),
      );
      await handler();
      fault.remove();
      await run(due + 2 * HOUR);
      expect(await told(ada, id)).toEqual([40, 40, 20]);
    });

    longIt('killed at any call, by a failure or for good: told once by the next run', async () => {
      const inject = [
        (call: number) => failCall(workspace.table, call, 'before'),
        (call: number) => failCall(workspace.table, call, 'after'),
        (call: number) => crashAfter(workspace.table, call),
      ];
      for (const [i, faultAt] of inject.entries()) {
        let reached = true;
        for (let call = 1; reached; call += STRIDE) {
          at(due - 2 * DAY);
          const { id } = await givenTask({ reminders: [20, 10] });
          at(due - 10 * MINUTE);
          const fault = faultAt(call);
          await handler().catch(() => undefined);
          fault.remove();
          reached = fault.hit;
          await handler();
          await handler();
          expect(await told(ada, id), `fault ${i} at call ${call}`).toEqual([20, 10]);
        }
      }
      await run(due + HOUR);
      expect(await waiting()).toEqual([]);
    });

    it('one that fails does not stop the others', async () => {
      const [first, second] = [await givenTask({ reminders: [20] }), await givenTask({ reminders: [10] })];
      const stored = await workspace.table.get(keys.record('tasks', first.id));
      await workspace.table.update(keys.record('tasks', first.id), { set: { reminders: 7 } as never });
      at(due);
      await expect(handler()).rejects.toThrow('1 times due work failed');
      expect(await told(ada, second.id)).toEqual([10]);
      await workspace.table.put(stored as never);
    });

    /** Minute after minute; each process begins anew. */
    const runsOf = async (death: Death, minutes: number) => {
      const calls = watchCalls(workspace.table);
      const failures: boolean[] = [];
      for (let minute = 0; minute < minutes; minute++) {
        at(due + minute * MINUTE);
        failures.push(
          await handler().then(
            () => false,
            () => true,
          ),
        );
        // What was begun beside it ends as well.
        await calls.quiet();
        death.revive();
      }
      calls.remove();
      return failures;
    };
    const poisonOf = async (id: string) => {
      const written = await logged(() => handler().catch(() => undefined));
      return linesOf(written, 'due work set aside').filter(({ record_id }) => record_id === id);
    };

    longIt.each([
      ['alone', 1],
      ['beside another one', 2],
    ])(
      'one that ends the process each time, %s, rests for operators; all others are done',
      async (_, count) => {
        const before = await givenTask({ reminders: [30] });
        const poison = await Promise.all(Array.from({ length: count }, () => givenTask({ reminders: [20] })));
        const after = await Promise.all(Array.from({ length: 12 }, () => givenTask({ reminders: [10, 0] })));
        const death = dieAt(workspace.table, ...poison.map(({ id }) => keys.record('tasks', id).PK));
        // What more than one process needs: some runs without an end, then two for each.
        const failures = await runsOf(death, 3 + 2 * count + 1);
        expect(failures.at(-1), 'the alarm').toBe(true);
        expect(await told(ada, before.id)).toEqual([30]);
        for (const { id } of after) expect(await told(ada, id)).toEqual([10, 0]);
        for (const { id } of poison)
          expect(await poisonOf(id)).toMatchObject([{ work: 'remind', record_type: 'tasks' }]);

        const late = await givenTask({ due_at: new Date(due + HOUR).toISOString() });
        at(due + HOUR);
        await expect(handler()).rejects.toThrow(`${count} times due work failed`);
        expect(await told(ada, late.id)).toEqual([10]);
        death.remove();
        for (let day = 1; day <= 2; day++) await run(due + day * DAY + HOUR);
        expect(await waiting()).toEqual([]);
      },
    );

    longIt('one that ended the process is tried again another day, after all others', async () => {
      const { id } = await givenTask({ reminders: [20] });
      const death = dieAt(workspace.table, keys.record('tasks', id).PK);
      await runsOf(death, 6);
      at(due + DAY - HOUR);
      const other = await givenTask({ due_at: new Date(due + DAY).toISOString() });
      at(due + DAY + HOUR);
      await handler().catch(() => undefined);
      death.revive();
      expect(await told(ada, other.id)).toEqual([10]);
      expect(await poisonOf(id)).toHaveLength(1);
      death.remove();
    });

    longIt('runs that fail without an end of their process set nothing aside', async () => {
      const { id } = await givenTask();
      at(due);
      const refusal = refuse(workspace.table, 'TransactWriteItemsCommand', { type: 'InternalServerError' });
      for (let i = 0; i < 7; i++) await handler().catch(() => undefined);
      refusal.remove();
      expect(await poisonOf(id)).toEqual([]);
      expect(await told(ada, id)).toEqual([10]);
    });
  });

  describe('events', () => {
    let mailbox_id: string;
    let calendar_id: string;
    beforeAll(async () => {
      ({ mailbox_id, calendar_id } = await givenCalendar(workspace, ada));
      await shareMailbox(ada, mailbox_id, grace);
    });

    const hour = (start: number) => ({
      starts_at: new Date(start).toISOString(),
      ends_at: new Date(start + HOUR).toISOString(),
    });
    const given = (fields: object = {}) => givenEvent(ada, calendar_id, { ...hour(due), ...fields });
    const remind = (user: TestUser, id: string, reminders: unknown) =>
      user.api.remindOfCalendarEvent({ params: { calendar_event_id: id }, body: { reminders } as never });
    const change = (id: string, calendar_event: object, scope?: 'this' | 'following' | 'all') =>
      ada.api.updateCalendarEvent({
        params: { id },
        body: { calendar_event, ...(scope ? { scope } : {}) } as never,
      });
    /** When the events start that a user was reminded of, ten minutes before. */
    const startsTold = async (user: TestUser, since: number) => {
      const stored = await storedNotifications(workspace, user.user.id);
      const found = stored.filter(
        ({ event, created_at }) =>
          event === 'calendar_event_reminder' && Math.abs(Date.parse(created_at) - since) < 9 * DAY,
      );
      return found.map(({ created_at, payload }) => {
        const { starts_at, minutes } = payload.reminder as { starts_at: string; minutes: number };
        expect(Date.parse(created_at)).toBe(Date.parse(starts_at) - minutes * MINUTE);
        return starts_at;
      });
    };

    longIt('everybody has their own, which nobody else sees', async () => {
      const { id, reminders } = await given();
      expect(reminders).toEqual([]);
      expect((await remind(ada, id, [10, 30, 10])).body.calendar_event.reminders).toEqual([10, 30]);
      await remind(grace, id, [0]);
      const read = async (user: TestUser) =>
        (await user.reader.retrieveCalendarEvent({ params: { id } })).body.calendar_event.reminders;
      expect([await read(ada), await read(grace)]).toEqual([[10, 30], [0]]);
      for (const before of [31, 30, 10, 0]) await run(due - before * MINUTE);
      await run(due + MINUTE);
      expect([await told(ada, id), await told(grace, id)]).toEqual([[30, 10], [0]]);
      const { records } = (await grace.reader.listNotifications({ query: {} })).body.collection;
      expect(records[0]).toMatchObject({
        event: 'calendar_event_reminder',
        payload: {
          ...{ id, record_type: 'calendar_event', name: 'Ferry timetable' },
          reminder: { minutes: 0, starts_at: new Date(due).toISOString() },
        },
      });
    });

    longIt('a changed occurrence is read without the others', async () => {
      const first = Date.parse('2028-05-01T09:00:00Z');
      at(first - DAY);
      const rule = { time_zone: 'Europe/London', recurrence: ['FREQ=DAILY;COUNT=6'] };
      const series = await given({ ...hour(first), ...rule });
      await remind(ada, series.id, [10]);
      const all = await allEvents(ada, { starts_after: '2028-05-01', starts_before: '2028-05-08' });
      const ids = all.filter((each) => each.recurring_event_id === series.id).map(({ id }) => id);
      for (const id of ids) await change(id, { name: 'Own' });
      const most = await mostReadTogether(workspace.table, () => run(first - 10 * MINUTE));
      expect(await startsTold(ada, first)).toEqual([new Date(first).toISOString()]);
      expect(most).toBeLessThan(ids.length);
    });

    it('404 and 400: hidden events, private ones of others, and no minutes', async () => {
      const { id } = await given();
      const secret = await given({ private: true });
      for (const [user, event] of [
        [linus, id],
        [grace, secret.id],
      ] as const)
        await expect(remind(user, event, [10])).rejects.toMatchObject({ code: 'record_not_found' });
      expect(await problemsOf(remind(ada, id, [40_321]))).toEqual({ 'reminders.0': 'invalid' });
      expect(await problemsOf(remind(ada, id, undefined))).toEqual({ reminders: 'required' });
      expect(await problemsOf(change(id, { reminders: [10] }))).toEqual({ reminders: 'not_allowed' });
    });

    longIt.each<[string, (id: string) => Promise<unknown>, number[]]>([
      ['later', (id) => change(id, hour(due + HOUR)), []],
      ['deleted', (id) => ada.api.deleteCalendarEvent({ params: { id }, query: {} }), []],
      ['without reminders', (id) => remind(grace, id, []), []],
      ['private', (id) => change(id, { private: true }), []],
      ['with other reminders', (id) => remind(grace, id, [20, 5]), [20, 5]],
      ['with reminders of others', (id) => remind(ada, id, [25]), [10]],
      ['renamed', (id) => change(id, { name: 'Other' }), [10]],
    ])('an event that is %s meanwhile', async (_, make, expected) => {
      const { id } = await given();
      await remind(grace, id, [10]);
      await make(id);
      await runUntil(due + 5 * MINUTE);
      expect(await told(grace, id)).toEqual(expected);
    });

    longIt(
      'more users than fit into a transaction: each once, by two runs at once and the job of the others',
      async () => {
        const { id } = await given();
        const ids = await givenColleagues(workspace, ada, 120);
        const set = {
          invited_user_ids: ids,
          reminders: Object.fromEntries([...ids, ada.user.id].map((user_id) => [user_id, [10]])),
        };
        await remind(ada, id, [10]);
        await workspace.table.update(keys.record('calendar_events', id), { set: set as never });
        at(due - 10 * MINUTE);
        await Promise.all([handler(), handler()]);
        const shards = Array.from({ length: JOB_SHARDS }, (_, shard) => keys.jobShard(shard).PK);
        const jobs = (
          await Promise.all(shards.map((shard) => workspace.table.all<DeliveryJob>(shard)))
        ).flat();
        const open = jobs.filter(({ delivery }) => delivery?.record.id === id);
        expect(open).toHaveLength(1);
        for (const job of open) await deliverNotifications(workspace.ctx, job.id);
        const stored = await Promise.all(ids.map((user_id) => storedNotifications(workspace, user_id)));
        expect(stored.map((each) => each.length)).toEqual(Array(120).fill(1));
        expect(await told(ada, id)).toEqual([10]);
      },
    );

    longIt('an occurrence that is cancelled, of a series that takes place', async () => {
      const { id } = await given({ time_zone: 'Europe/London', recurrence: ['FREQ=DAILY;COUNT=3'] });
      const window = { calendar_id, starts_after: new Date(due).toISOString() };
      const { records } = (await ada.reader.listCalendarEvents({ query: window })).body.collection;
      const [first, second, third] = records.filter((each) => each.recurring_event_id === id);
      await change(second?.id ?? '', { name: 'Own' });
      // As a file says it.
      const cancelled = { status: 'cancelled', own: ['name', 'status'] };
      await workspace.table.update(keys.record('calendar_events', second?.id ?? ''), {
        set: cancelled as never,
      });
      await remind(ada, id, [10]);
      await runUntil(due + 3 * DAY);
      expect(await startsTold(ada, due)).toEqual([first?.starts_at, third?.starts_at]);
    });

    longIt(
      'a series: each occurrence at its local time, also after clocks change, and its exceptions',
      async () => {
        const first = Date.parse('2028-03-24T09:00:00Z');
        at(first - DAY);
        const series = await given({
          ...hour(first),
          ...{ time_zone: 'Europe/London', recurrence: ['FREQ=DAILY;COUNT=6'] },
        });
        const window = { starts_after: '2028-03-23', starts_before: '2028-04-01' };
        const { records } = (await ada.reader.listCalendarEvents({ query: window })).body.collection;
        const ids = records.filter((each) => each.recurring_event_id === series.id).map(({ id }) => id);
        expect(ids).toHaveLength(6);
        const [, second, third, fourth] = ids as [string, string, string, string];
        await change(second, hour(first + DAY + 3 * HOUR));
        await remind(ada, ids[0] as string, [10]);
        await ada.api.deleteCalendarEvent({ params: { id: third }, query: {} });
        await change(fourth, { name: 'Renamed' });
        await runUntil(first + 7 * DAY);
        expect(await startsTold(ada, first)).toEqual([
          '2028-03-24T09:00:00.000Z',
          '2028-03-25T12:00:00.000Z',
          // The clocks go forward on the 26th, which is deleted.
          '2028-03-27T08:00:00.000Z',
          '2028-03-28T08:00:00.000Z',
          '2028-03-29T08:00:00.000Z',
        ]);
      },
    );

    longIt('a series that is divided, moved and ended goes on reminding in both parts', async () => {
      const first = Date.parse('2028-06-05T09:00:00Z');
      at(first - DAY);
      const series = await given({
        ...hour(first),
        ...{ time_zone: 'Europe/London', recurrence: ['FREQ=DAILY;COUNT=5'] },
      });
      await remind(ada, series.id, [10]);
      const window = { starts_after: '2028-06-04', starts_before: '2028-06-12' };
      const { records } = (await ada.reader.listCalendarEvents({ query: window })).body.collection;
      const [, , third, fourth] = records
        .filter((each) => each.recurring_event_id === series.id)
        .map(({ id }) => id) as [string, string, string, string];
      await change(fourth, { name: 'Renamed' });
      await change(third, hour(first + 2 * DAY + 2 * HOUR), 'following');
      await change(series.id, hour(first + HOUR), 'all');
      await runUntil(first + 6 * DAY);
      expect(await startsTold(ada, first)).toEqual([
        '2028-06-05T10:00:00.000Z',
        '2028-06-06T10:00:00.000Z',
        '2028-06-07T11:00:00.000Z',
        '2028-06-08T11:00:00.000Z',
        '2028-06-09T11:00:00.000Z',
      ]);
    });

    longIt(
      'a series that ends to be one reminds of the event, and of what was changed by itself',
      async () => {
        const first = Date.parse('2028-08-07T09:00:00Z');
        at(first - DAY);
        const series = await given({
          ...hour(first),
          ...{ time_zone: 'Europe/London', recurrence: ['FREQ=DAILY;COUNT=5'] },
        });
        await remind(ada, series.id, [10]);
        const window = { starts_after: '2028-08-06', starts_before: '2028-08-14' };
        const { records } = (await ada.reader.listCalendarEvents({ query: window })).body.collection;
        const own = records.filter((each) => each.recurring_event_id === series.id).map(({ id }) => id);
        const [, second, third] = own as [string, string, string];
        await change(second, { name: 'Renamed' });
        await change(third, hour(first + 2 * DAY + HOUR));
        await change(series.id, { recurrence: null });
        await runUntil(first + 6 * DAY);
        expect(await startsTold(ada, first)).toEqual([
          '2028-08-07T09:00:00.000Z',
          '2028-08-08T09:00:00.000Z',
          '2028-08-09T10:00:00.000Z',
        ]);
      },
    );

    const once = { time_zone: 'UTC', recurrence: ['FREQ=DAILY;COUNT=1'] };
    it.each(
      cases<[string, object]>(
        [['an event', {}]],
        [
          ['an occurrence', once],
          ['an occurrence with something of its own', once],
        ],
      ),
    )('set while %s is moved, it arrives before the new time', async (kind, fields) => {
      const { id: whole } = await given(fields);
      const day = new Date(due).toISOString().slice(0, 10);
      const window = { starts_after: day, starts_before: new Date(due + DAY).toISOString() };
      const { records } = (await ada.reader.listCalendarEvents({ query: window })).body.collection;
      const id = records.find((each) => [each.id, each.recurring_event_id].includes(whole))?.id ?? '';
      if (kind.endsWith('of its own')) await change(id, { name: 'Renamed' });
      const fault = meanwhile(workspace.table, 'TransactWriteItemsCommand', () => remind(grace, whole, [10]));
      await change(id, hour(due - HOUR));
      fault.remove();
      expect(fault.hit).toBe(true);
      await runUntil(due + HOUR);
      expect(await startsTold(grace, due)).toEqual([new Date(due - HOUR).toISOString()]);
    });

    longIt('killed at any call while it is set, a second try has everything wait', async () => {
      const series = await given({ time_zone: 'Europe/London', recurrence: ['FREQ=DAILY;COUNT=3'] });
      const day = new Date(due).toISOString().slice(0, 10);
      const { records } = (
        await ada.reader.listCalendarEvents({
          query: { starts_after: day, starts_before: new Date(due + 4 * DAY).toISOString() },
        })
      ).body.collection;
      const second = records.filter((each) => each.recurring_event_id === series.id)[1]?.id as string;
      await change(second, hour(due + DAY + 2 * HOUR));
      let minutes = 10;
      for (let call = 1, reached = true; reached; call += STRIDE) {
        const fault = failCall(workspace.table, call, 'after');
        await remind(ada, series.id, [++minutes]).catch(() => undefined);
        fault.remove();
        reached = fault.hit;
      }
      await remind(ada, series.id, [minutes]);
      await runUntil(due + 3 * DAY);
      const times = [due, due + DAY + 2 * HOUR, due + 2 * DAY];
      expect(await startsTold(ada, due)).toEqual(times.map((time) => new Date(time).toISOString()));
    });
  });
});
