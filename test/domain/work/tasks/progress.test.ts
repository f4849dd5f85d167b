import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../../support/accounts.ts';
import { givenGroup } from '../../../support/groups.ts';
import { long, rounds } from '../../../support/long.ts';
import { givenMilestone, milestonesOf, progressIn, readMilestone } from '../../../support/milestones.ts';
import { givenContact } from '../../../support/proposals.ts';
import { givenThread } from '../../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** The tasks that milestones count for each user are those that lists of tasks have for the user. */

const which = fc.nat();
const milestone = fc.option(fc.nat(1));
const kind = <K extends string>(name: K) => ({ kind: fc.constant(name) });
const fields = fc.record({
  by: fc.nat(2),
  milestone,
  about: fc.constantFrom('contact', 'thread', 'both', 'nothing'),
  visibility: fc.constantFrom('account' as const, 'private' as const, 'linked' as const),
});
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ ...kind('create'), fields }) },
  { weight: 2, arbitrary: fc.record({ ...kind('move'), which, milestone }) },
  { weight: 3, arbitrary: fc.record({ ...kind('complete'), which, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ ...kind('delete'), which }) },
  { weight: 2, arbitrary: fc.record({ ...kind('share'), which, with_group: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ ...kind('contact'), open: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ ...kind('member'), on: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('the progress of milestones', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  async function world() {
    const users = (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
    const [first, second, third] = users;
    const group = await givenGroup(first, [third]);
    const contact = await givenContact(first);
    // Of two mailboxes: what is linked to it is in the lists of both, and counts once.
    const thread = await givenThread(workspace, { users: [first, second] });
    const milestones = [await givenMilestone(first), await givenMilestone(first)];
    const idOf = (at: number | null) => (at === null ? null : (milestones[at]?.id as string));
    const tasks: { id: string; by: TestUser }[] = [];
    let open = true;

    async function create({ by, milestone, about, visibility }: (Step & { kind: 'create' })['fields']) {
      const user = users[by] as TestUser;
      const task = {
        name: 'Step',
        visibility,
        milestone_id: idOf(milestone),
        ...((about === 'contact' || about === 'both') && (open || by === 0)
          ? { contact_ids: [contact.id] }
          : {}),
        ...((about === 'thread' || about === 'both') && by < 2 ? { thread_id: thread.id } : {}),
      };
      tasks.push({ id: (await user.api.createTask({ body: { task } })).body.task.id, by: user });
    }

    async function around(step: Step): Promise<void> {
      if (step.kind === 'contact') {
        open = step.open;
        const visibility = open ? ('account' as const) : ('private' as const);
        await first.api.updateContact({ params: { id: contact.id }, body: { contact: { visibility } } });
      } else if (step.kind === 'member') {
        const params = { group_id: group.id };
        const user_id = third.user.id;
        if (step.on) await first.api.createMembership({ params, body: { user_id } });
        else await first.api.deleteMembership({ params: { ...params, user_id } }).catch(() => undefined);
      }
    }

    async function take(step: Step): Promise<void> {
      if (step.kind === 'create') return create(step.fields);
      if (!('which' in step)) return around(step);
      const at = step.which % tasks.length;
      const task = tasks[at];
      if (!task) return;
      const { api, user } = task.by;
      const [params, on] = [{ id: task.id }, { params: { task_id: task.id } }];
      if (step.kind === 'move')
        await api.updateTask({ params, body: { task: { milestone_id: idOf(step.milestone) } } });
      else if (step.kind === 'complete') await (step.on ? api.completeTask(on) : api.reopenTask(on));
      else if (step.kind === 'delete') {
        await api.deleteTask({ params });
        tasks.splice(at, 1);
      } else {
        const other = user.id === second.user.id ? first.user.id : second.user.id;
        const share = step.with_group ? { group_id: group.id } : { user_id: other };
        const record = { record_type: 'tasks' as const, record_id: task.id };
        await api.createShare({ params: record, body: { share } });
      }
    }

    async function check(): Promise<void> {
      for (const user of users)
        for (const shown of await milestonesOf(user)) {
          const count = async (query: object) =>
            (await user.reader.countTasks({ query: { milestone_id: shown.id, ...query } })).body.count.total;
          expect(progressIn(shown)).toEqual([await count({}), await count({ completed: true })]);
          expect(await readMilestone(user, shown.id)).toEqual(shown);
        }
    }

    return { take, check };
  }

  it('is that of the lists of tasks, after any changes', async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: long ? 25 : 15 });
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const { take, check } = await world();
        for (const each of taken) await take(each);
        await check();
      }),
      { numRuns: rounds(1, 60), endOnFailure: true },
    );
  }, 900_000);
});
