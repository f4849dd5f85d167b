import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { TaskRecord } from '#shared/domain/work/tasks/task.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { givenCalendar, givenEvent } from '../../../support/events.ts';
import { givenGroup } from '../../../support/groups.ts';
import { momentQuestions, momentsFrom } from '../../../support/list-moments.ts';
import { questionsWith } from '../../../support/list-questions.ts';
import { rounds } from '../../../support/long.ts';
import { givenMilestone } from '../../../support/milestones.ts';
import { givenContact } from '../../../support/proposals.ts';
import { givenSpace } from '../../../support/spaces.ts';
import { givenThread } from '../../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Lists of tasks in both directions and their counts, against a model that filters and sorts all tasks. */

const ZONES = ['Pacific/Kiritimati', 'America/Los_Angeles', 'Europe/Berlin'];
const WORDS = ['Call', 'Callum', 'pay', 'Bo', 'Łódź'];
const HOUR = 3_600_000;

const who = fc.nat(2);
const fields = fc.record({
  name: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }).map((words) => words.join(' ')),
  /** Hours from the beginning. */
  due: fc.option(fc.integer({ min: -80, max: 80 })),
  all_day: fc.boolean(),
  assigned: fc.option(who),
  contact: fc.boolean(),
  thread: fc.boolean(),
  /** By their places in the records around. */
  about: fc.subarray([0, 1, 2, 3, 4, 5], { maxLength: 2 }),
  external: fc.boolean(),
  visibility: fc.option(fc.constantFrom('account' as const, 'private' as const, 'linked' as const), {
    nil: undefined,
  }),
});
type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never;

const kind = <K extends string>(name: K) => ({ kind: fc.constant(name) });
const which = fc.nat();
const target = fc.nat(3);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ ...kind('create'), by: who, fields }) },
  { weight: 2, arbitrary: fc.record({ ...kind('change'), which, fields }) },
  { weight: 2, arbitrary: fc.record({ ...kind('complete'), which, on: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ ...kind('share'), which, target, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ ...kind('member'), who, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ ...kind('delete'), which }) },
  { weight: 2, arbitrary: fc.record({ ...kind('contact'), open: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ ...kind('shareContact'), target, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ ...kind('shareThread'), target, on: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const slices = [
  'open',
  'today',
  'overdue',
  'upcoming',
  'unscheduled',
  'completed',
  'assigned',
  'created',
  'shared',
] as const;

const question = questionsWith({
  slice: fc.constantFrom(...slices),
  query: fc.constantFrom('call', 'callu', 'pay bo', 'lodz'),
  assigned: fc.array(who, { minLength: 1, maxLength: 3 }),
  contact: fc.constant(true),
  thread: fc.constant(true),
  about: fc.subarray([0, 1, 2, 3, 4, 5], { minLength: 1, maxLength: 2 }),
  external: which,
  due_before: fc.integer({ min: -80, max: 80 }),
  due_after: fc.integer({ min: -80, max: 80 }),
  completed: fc.boolean(),
  ...momentQuestions(30),
});
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

/** A task of the model. */
interface Known {
  id: string;
  owner: number;
  fields: Fields;
  created: number;
  touched: number;
  completed: boolean;
  visibility: 'account' | 'private' | 'linked';
  contact: boolean;
  thread: boolean;
  /** Of the id that it has in another system, if it has one. */
  number: number;
  /** Users by number, and 3 for the group. */
  shared: Set<number>;
}

const START = Date.UTC(2093, 0, 10, 11, 30);
const { isWithin, withMoments } = momentsFrom(START);
const MINUTE = 60_000;
const dayIn = (moment: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).toPlainDate().toString();
const momentOf = ({ due }: Pick<Fields, 'due'>) => (due === null ? null : START + due * HOUR);

/** What a task may be about besides, which all users see: one of each type, but several organizations. */
const ABOUT = [
  'organization_id',
  'organization_id',
  'deal_id',
  'space_id',
  'milestone_id',
  'calendar_event_id',
] as const;

async function recordsAround(workspace: Workspace, users: TestUser[]) {
  const [first] = users as [TestUser, ...TestUser[]];
  const { calendar_id } = await givenCalendar(workspace, first);
  const attendees = users.map(({ user }) => ({ email_address: user.email_address }));
  const organization = async (name: string) =>
    (await first.api.createOrganization({ body: { organization: { name } } })).body.organization;
  const ids = [
    await organization('Acme'),
    await organization('Ferries'),
    (await first.api.createDeal({ body: { deal: { name: 'Fleet', visibility: 'account' } } })).body.deal,
    await givenSpace(first),
    await givenMilestone(first),
    await givenEvent(first, calendar_id, { attendees }),
  ].map(({ id }) => id);
  const idsOf = (name: string, about: number[]) =>
    about.filter((place) => ABOUT[place] === name).map((place) => ids[place] as string);
  return {
    fieldsFor: (about: number[]) => ({
      organization_ids: idsOf('organization_id', about),
      ...Object.fromEntries(ABOUT.slice(2).map((name) => [name, idsOf(name, about)[0] ?? null])),
    }),
    /** Any of those of a type, and one of each type. */
    keeps: (about: number[], asked: number[] = []) =>
      asked.every((place) => asked.some((other) => ABOUT[other] === ABOUT[place] && about.includes(other))),
    queryOf: (asked: number[] = []) =>
      Object.fromEntries(
        asked.map((place) => [ABOUT[place], idsOf(ABOUT[place] as string, asked).join(',')]),
      ),
  };
}

describe('lists of tasks', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await workspace.stop();
  });

  async function world() {
    const users = (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
    for (const [i, { user }] of users.entries())
      await workspace.table.update<User>(keys.user(user.account_id, user.id), {
        set: { time_zone: ZONES[i] as string },
      });
    const [first, second] = users;
    const group = await givenGroup(first, [second]);
    const contact = await givenContact(first);
    const thread = await givenThread(workspace, { users: [first, second] });
    const around = await recordsAround(workspace, users);
    const members = new Set([1]);
    let made = 0;
    const externalIdOf = (number: number | undefined) => `crm-${number}`;
    const contactState = { open: true, shared: new Set<number>() };
    const threadShared = new Set<number>();
    const known: Known[] = [];
    let now = START;
    const tick = () => workspace.setTime(new Date((now += MINUTE)));
    const user = (i: number) => users[i] as TestUser;

    const holds = (shared: Set<number>, i: number) => shared.has(i) || (shared.has(3) && members.has(i));
    const seesContact = (i: number) => contactState.open || i === 0 || holds(contactState.shared, i);
    const seesThread = (i: number) => i < 2 || holds(threadShared, i);
    const sees = (task: Known, i: number) =>
      task.visibility === 'account' ||
      task.owner === i ||
      task.fields.assigned === i ||
      holds(task.shared, i) ||
      (task.visibility === 'linked' &&
        (task.fields.about.length > 0 || (task.contact && seesContact(i)) || (task.thread && seesThread(i))));

    /** Only links to what the user sees can be sent. */
    function bodyOf({ name, all_day, assigned, ...rest }: Fields, by: number, number: number) {
      const due = momentOf(rest);
      return {
        name,
        all_day,
        due_at: due === null ? null : new Date(due).toISOString(),
        assigned_user_id: assigned === null ? null : user(assigned).user.id,
        external_id: rest.external ? externalIdOf(number) : null,
        ...around.fieldsFor(rest.about),
        ...(rest.visibility ? { visibility: rest.visibility } : {}),
        ...(seesContact(by) ? { contact_ids: rest.contact ? [contact.id] : [] } : {}),
        ...(seesThread(by) ? { thread_id: rest.thread ? thread.id : null } : {}),
      };
    }

    /** By the first user, who may share everything here. */
    async function share(by: number, on: object, { target, on: give }: { target: number; on: boolean }) {
      const share = target === 3 ? { group_id: group.id } : { user_id: user(target).user.id };
      const { body } = await user(by).api.createShare({ params: on as never, body: { share } });
      if (!give) await user(by).api.deleteShare({ params: { ...on, id: body.share.id } as never });
    }

    async function create(by: number, fields: Fields) {
      const { body } = await user(by).api.createTask({ body: { task: bodyOf(fields, by, ++made) } });
      const [withContact, withThread] = [fields.contact && seesContact(by), fields.thread && seesThread(by)];
      known.push({
        id: body.task.id,
        owner: by,
        fields,
        created: now,
        touched: now,
        completed: false,
        visibility:
          fields.visibility ?? (withContact || withThread || fields.about.length > 0 ? 'linked' : 'private'),
        number: made,
        contact: withContact,
        thread: withThread,
        shared: new Set(),
      });
    }

    async function change(step: Step): Promise<boolean> {
      if (step.kind === 'member') {
        const params = { group_id: group.id };
        const user_id = user(step.who).user.id;
        if (step.on) await first.api.createMembership({ params, body: { user_id } });
        else await first.api.deleteMembership({ params: { ...params, user_id } }).catch(() => undefined);
        members[step.on ? 'add' : 'delete'](step.who);
      } else if (step.kind === 'contact') {
        contactState.open = step.open;
        const visibility = step.open ? 'account' : 'private';
        await first.api.updateContact({ params: { id: contact.id }, body: { contact: { visibility } } });
      } else if (step.kind === 'shareContact' || step.kind === 'shareThread') {
        if (step.target === 0) return true;
        const about = step.kind === 'shareContact' ? ['contacts', contact.id] : ['threads', thread.id];
        const [record_type, record_id] = about;
        await share(0, { record_type, record_id }, step);
        const shared = step.kind === 'shareContact' ? contactState.shared : threadShared;
        shared[step.on ? 'add' : 'delete'](step.target);
      } else return false;
      return true;
    }

    async function take(step: Step): Promise<void> {
      tick();
      if (step.kind === 'create') return create(step.by, step.fields);
      if ((await change(step)) || !('which' in step)) return;
      const at = step.which % known.length;
      const task = known[at];
      if (!task) return;
      const { api } = user(task.owner);
      const params = { id: task.id };
      if (step.kind === 'change') {
        const sent = bodyOf(step.fields, task.owner, task.number);
        const { body } = await api.updateTask({ params, body: { task: sent } });
        if (body.task.updated_at === new Date(now).toISOString()) task.touched = now;
        task.fields = step.fields;
        task.visibility = step.fields.visibility ?? task.visibility;
        if ('contact_ids' in sent) task.contact = step.fields.contact;
        if ('thread_id' in sent) task.thread = step.fields.thread;
      } else if (step.kind === 'complete') {
        const on = { params: { task_id: task.id } };
        await (step.on ? api.completeTask(on) : api.reopenTask(on));
        if (task.completed !== step.on) task.touched = now;
        task.completed = step.on;
      } else if (step.kind === 'share') {
        if (step.target === task.owner) return;
        await share(task.owner, { record_type: 'tasks', record_id: task.id }, step);
        task.shared[step.on ? 'add' : 'delete'](step.target);
      } else {
        await api.deleteTask({ params });
        known.splice(at, 1);
      }
    }

    function inSlice(task: Known, i: number, slice: Question['slice']): boolean {
      const due = momentOf(task.fields);
      const zone = ZONES[i] as string;
      const today = dayIn(now, zone);
      const assignee = ZONES[task.fields.assigned ?? task.owner] as string;
      const day = due === null ? '' : dayIn(due, task.fields.all_day ? assignee : zone);
      const dated = !task.completed && due !== null;
      const { all_day } = task.fields;
      switch (slice) {
        case 'open':
          return !task.completed;
        case 'completed':
          return task.completed;
        case 'unscheduled':
          return !task.completed && due === null;
        case 'today':
          return dated && day === today;
        case 'upcoming':
          return dated && day > today;
        case 'overdue':
          return dated && (all_day ? day < today : due < now);
        case 'assigned':
          return task.fields.assigned === i;
        case 'created':
          return task.owner === i;
        case 'shared':
          return holds(task.shared, i);
        default:
          return true;
      }
    }

    const taskAt = (place: number) => known[place % Math.max(1, known.length)];

    function keeps(task: Known, i: number, asked: Question): boolean {
      const due = momentOf(task.fields);
      const words = task.fields.name.toLowerCase().replace('łódź', 'lodz').split(' ');
      return (
        sees(task, i) &&
        inSlice(task, i, asked.slice) &&
        (asked.query?.split(' ') ?? []).every((term) => words.some((word) => word.startsWith(term))) &&
        (asked.assigned === undefined || asked.assigned.some((at) => task.fields.assigned === at)) &&
        (!asked.contact || task.contact) &&
        (!asked.thread || task.thread) &&
        around.keeps(task.fields.about, asked.about) &&
        (asked.external === undefined || (task.fields.external && task === taskAt(asked.external))) &&
        (asked.due_before === undefined || (due !== null && due < START + asked.due_before * HOUR)) &&
        (asked.due_after === undefined || (due !== null && due > START + asked.due_after * HOUR)) &&
        (asked.completed === undefined || task.completed === asked.completed) &&
        isWithin(task, asked)
      );
    }

    const at = (moment: number) => new Date(moment).toISOString();
    const queryOf = ({
      assigned,
      contact: c,
      thread: t,
      about,
      external,
      due_before,
      due_after,
      ...plain
    }: Question) => ({
      ...around.queryOf(about),
      ...(external === undefined ? {} : { external_id: externalIdOf(taskAt(external)?.number) }),
      ...withMoments(plain),
      ...(assigned === undefined
        ? {}
        : { assigned_user_id: assigned.map((at) => user(at).user.id).join(',') }),
      ...(c ? { contact_id: contact.id } : {}),
      ...(t ? { thread_id: thread.id } : {}),
      ...(due_before === undefined ? {} : { due_before: at(START + due_before * HOUR) }),
      ...(due_after === undefined ? {} : { due_after: at(START + due_after * HOUR) }),
    });

    async function check(i: number, asked: Question, limit: number): Promise<void> {
      if ((asked.contact && !seesContact(i)) || (asked.thread && !seesThread(i))) return;
      const context = JSON.stringify([i, asked, limit]);
      const wanted = known
        .filter((task) => keeps(task, i, asked))
        .sort((a, b) => (momentOf(a.fields) ?? 1e15) - (momentOf(b.fields) ?? 1e15) || a.created - b.created)
        .map(({ id }) => id);
      const { reader } = user(i);
      const query = queryOf(asked);
      const read = async (cursor: object) => {
        const { body } = await reader.listTasks({ query: { ...query, limit, ...cursor } as never });
        const { page_info: info } = body.collection;
        expect([info.has_more_after, info.has_more_before], context).toEqual([
          info.next_cursor !== null,
          info.prev_cursor !== null,
        ]);
        return body.collection;
      };
      const idsOf = (records: TaskRecord[]) => records.map(({ id }) => id);

      let page = await read({});
      expect(page.page_info.prev_cursor, context).toBeNull();
      const found = idsOf(page.records);
      while (page.page_info.next_cursor !== null) {
        page = await read({ next_cursor: page.page_info.next_cursor });
        expect(page.page_info.has_more_before, context).toBe(found.length > 0);
        found.push(...idsOf(page.records));
      }
      expect(found, context).toEqual(wanted);

      const last = idsOf(page.records);
      const back: string[] = [];
      while (page.page_info.prev_cursor !== null) {
        page = await read({ prev_cursor: page.page_info.prev_cursor });
        expect(page.page_info.has_more_after, context).toBe(last.length + back.length > 0);
        back.unshift(...idsOf(page.records));
      }
      expect([...back, ...last], context).toEqual(wanted);
      if (page.page_info.next_cursor !== null) {
        const turned = await read({ next_cursor: page.page_info.next_cursor });
        const begin = page.records.length;
        expect(idsOf(turned.records), context).toEqual(wanted.slice(begin, begin + turned.records.length));
      }
      const { count } = (await reader.countTasks({ query: query as never })).body;
      expect(count, context).toEqual({ total: wanted.length, exact: true, capped: false, cap: null });
    }

    return { take, check };
  }

  it('have exactly the tasks that a scan of all finds, in order, after any changes', async () => {
    const steps = fc.array(step, { minLength: 12, maxLength: 30 });
    const questions = fc.array(fc.tuple(question, fc.integer({ min: 2, max: 9 })), {
      minLength: 15,
      maxLength: 15,
    });
    await fc.assert(
      fc.asyncProperty(steps, questions, async (taken, asked) => {
        const { take, check } = await world();
        for (const each of taken) await take(each);
        for (const [i, [each, limit]] of asked.entries()) await check(i % 3, each, limit);
      }),
      { numRuns: rounds(1, 70), endOnFailure: true },
    );
  }, 900_000);
});
