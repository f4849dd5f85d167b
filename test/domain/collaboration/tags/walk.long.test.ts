import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cleanUpTag } from '#shared/domain/collaboration/tags/clean-up.ts';
import { foldName } from '#shared/folding.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { failCall } from '../../../support/faults.ts';
import { rounds } from '../../../support/long.ts';
import {
  expectCleanedUp,
  expectConsistent,
  openCleanUps,
  readStored,
  runCleanUp,
  runCleanUps,
  runListJobs,
} from '../../../support/tags.ts';
import { givenThread } from '../../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Random walks over tags and records, compared with a model that counts by looking at each record. */

type RecordRef = { record_type: 'threads' | 'contacts'; record_id: string };

/** Numbers choose among the records that exist at that moment. */
type Step =
  | { do: 'create' | 'rename'; tag: number; name: string }
  | { do: 'apply' | 'remove'; tag: number; record: number }
  | { do: 'apply_name'; record: number; name: string }
  | { do: 'delete'; tag: number; replacement: number | null }
  | { do: 'clean_up'; job: number; cut: boolean };

interface Faulty {
  step: Step;
  /** A call to the table that fails the first time; the client repeats the request. */
  fault: { call: number; when: 'before' | 'after' } | null;
}

const some = fc.nat({ max: 5 });
const name = fc.constantFrom('Alpha', 'ALPHA', 'Beta', 'beta', 'Gamma', 'Delta');
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('create', 'rename'), tag: some, name }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('apply'), tag: some, record: some }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove'), tag: some, record: some }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('apply_name'), record: some, name }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('delete'), tag: some, replacement: fc.option(some, { freq: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('clean_up'), job: some, cut: fc.boolean() }) },
) as fc.Arbitrary<Step>;

const faulty: fc.Arbitrary<Faulty> = fc.record({
  step,
  fault: fc.option(
    fc.record({ call: fc.integer({ min: 1, max: 8 }), when: fc.constantFrom('before', 'after') }),
    { freq: 2 },
  ) as fc.Arbitrary<Faulty['fault']>,
});

interface Walk {
  user: TestUser;
  account_id: string;
  records: RecordRef[];
  /** Ids of all tags that were ever made, deleted ones too. */
  ids: string[];
  /** The model: names of the existing tags, and the tags of each record. */
  names: Map<string, string>;
  carried: Set<string>[];
}

const choose = <T>(list: T[], number: number): T => list[number % list.length] as T;

describe('random walks', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());

  async function begin(): Promise<Walk> {
    const [user] = (await givenAccount(workspace, 1)) as [TestUser];
    const records: RecordRef[] = [];
    for (let i = 0; i < 2; i++) {
      const thread = await givenThread(workspace, { users: [user] });
      records.push({ record_type: 'threads', record_id: thread.id });
      const { body } = await user.api.createContact({ body: { contact: { name: `Contact ${i}` } } });
      records.push({ record_type: 'contacts', record_id: body.contact.id });
    }
    const carried = records.map(() => new Set<string>());
    const walk: Walk = {
      user,
      account_id: user.user.account_id,
      records,
      ids: [],
      names: new Map(),
      carried,
    };
    for (const [tag, first] of ['Alpha', 'Beta', 'Gamma'].entries())
      await perform(walk, { do: 'create', tag, name: first });
    return walk;
  }

  const owner = ({ names }: Walk, name: string) =>
    [...names].find(([, taken]) => foldName(taken) === foldName(name))?.[0];

  /** What the request returns: its status, and the id of the tag in its body. */
  async function request(walk: Walk, step: Step): Promise<{ status: number; id?: string | undefined }> {
    const { api } = walk.user;
    const id = 'tag' in step ? choose(walk.ids, step.tag) : '';
    const params = 'record' in step ? choose(walk.records, step.record) : ({} as RecordRef);
    switch (step.do) {
      case 'create': {
        const { status, body } = await api.createTag({ body: { tag: { name: step.name } } });
        return { status, id: body.tag.id };
      }
      case 'rename':
        return api.updateTag({ params: { id }, body: { tag: { name: step.name } } });
      case 'apply':
        return api.applyTag({ params, body: { tag_id: id } });
      case 'apply_name': {
        const { status, body } = await api.applyTag({ params, body: { tag: { name: step.name } } });
        return { status, id: body.tagging.tag_id };
      }
      case 'remove':
        return api.removeTag({ params: { ...params, tag_id: id } });
      case 'delete': {
        const replacement = step.replacement === null ? null : choose(walk.ids, step.replacement);
        return api.deleteTag({ params: { id }, body: { replacement_tag_id: replacement } });
      }
      case 'clean_up': {
        const jobs = await openJobs(walk);
        if (jobs.length > 0) await cleanUpTag(workspace.ctx, choose(jobs, step.job), () => step.cut);
        return { status: 204 };
      }
    }
  }

  const openJobs = async ({ account_id }: Walk) =>
    (await openCleanUps(workspace)).filter((job) => job.account_id === account_id);

  /** Status 500 for a request that a fault broke. */
  const responseOf = (walk: Walk, step: Step) =>
    request(walk, step).catch((error: { status?: number }) => ({
      status: error.status ?? 500,
      id: undefined,
    }));

  /** The response that the model expects, after the step in the model. */
  function model(walk: Walk, step: Step, id: string | undefined): number {
    const { names, carried, ids } = walk;
    const tag = 'tag' in step ? choose(ids, step.tag) : '';
    const record = 'record' in step ? choose(carried, step.record) : new Set<string>();
    switch (step.do) {
      case 'create':
        if (owner(walk, step.name)) return 409;
        ids.push(id as string);
        names.set(id as string, step.name);
        return 201;
      case 'rename': {
        if (!names.has(tag)) return 404;
        const taken = owner(walk, step.name);
        if (taken !== undefined && taken !== tag) return 409;
        names.set(tag, step.name);
        return 200;
      }
      case 'apply':
        if (!names.has(tag)) return 404;
        record.add(tag);
        return 200;
      case 'apply_name': {
        const found = owner(walk, step.name);
        if (!found) {
          ids.push(id as string);
          names.set(id as string, step.name);
        }
        record.add(found ?? (id as string));
        return 200;
      }
      case 'remove':
        if (!names.has(tag)) return 404;
        record.delete(tag);
        return 204;
      case 'delete': {
        const replacement = step.replacement === null ? null : choose(ids, step.replacement);
        if (replacement === tag) return 400;
        if (!names.has(tag) || (replacement !== null && !names.has(replacement))) return 404;
        names.delete(tag);
        for (const tags of carried) if (tags.delete(tag) && replacement !== null) tags.add(replacement);
        return 204;
      }
      case 'clean_up':
        return 204;
    }
  }

  /** The step in the service and in the model. A request that a fault broke is repeated. */
  async function perform(walk: Walk, step: Step, fault: Faulty['fault'] = null): Promise<void> {
    const injected = fault && failCall(workspace.table, fault.call, fault.when);
    let { status, id } = await responseOf(walk, step);
    injected?.remove();
    const retried = status === 500 && injected?.hit;
    if (retried) ({ status, id } = await responseOf(walk, step));
    // The first attempt may have done it: then the second finds the name taken, or the tag deleted.
    if (retried && step.do === 'create' && status === 409 && !owner(walk, step.name)) {
      const { body } = await walk.user.reader.listTags();
      id = body.collection.records.find((tag) => foldName(tag.name) === foldName(step.name))?.id;
      status = 201;
    }
    const before = walk.names.has('tag' in step && walk.ids.length > 0 ? choose(walk.ids, step.tag) : '');
    const expected = model(walk, step, id);
    if (retried && step.do === 'delete' && before && expected === 204) expect([204, 404]).toContain(status);
    else expect([step, status]).toEqual([step, expected]);
  }

  /** Checks lists of tags and of records against the model. */
  async function compare(walk: Walk): Promise<void> {
    const { reader } = walk.user;
    const tags = (await reader.listTags()).body.collection.records;
    const countOf = (id: string, type: RecordRef['record_type']) =>
      walk.carried.filter((tagsOf, i) => tagsOf.has(id) && walk.records[i]?.record_type === type).length;
    expect(tags.map((tag) => [tag.id, tag.name, tag.thread_count, tag.contact_count]).toSorted()).toEqual(
      [...walk.names]
        .map(([id, name]) => [id, name, countOf(id, 'threads'), countOf(id, 'contacts')])
        .toSorted(),
    );
    const threads = (await reader.listThreads()).body.collection.records;
    const contacts = (await reader.listContacts()).body.collection.records;
    for (const [i, { record_id }] of walk.records.entries()) {
      const shown = [...threads, ...contacts].find(({ id }) => id === record_id)?.tags;
      expect(shown?.map(({ id }) => id).toSorted()).toEqual([...(walk.carried[i] as Set<string>)].toSorted());
    }
  }

  /** Checks the filter against the threads of the model. */
  async function compareFilter({ user, names, carried, records }: Walk): Promise<void> {
    for (const id of names.keys()) {
      const found = (await user.reader.listThreads({ query: { tags: id } })).body.collection.records;
      const expected = records.filter((each, i) => each.record_type === 'threads' && carried[i]?.has(id));
      expect(found.map((thread) => thread.id).toSorted()).toEqual(
        expected.map(({ record_id }) => record_id).toSorted(),
      );
    }
  }

  it('sequential steps with faults and clean-ups keep counts exact after every step', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(faulty, { minLength: 5, maxLength: 25 }), async (steps) => {
        const walk = await begin();
        for (const { step, fault } of steps) {
          await perform(walk, step, fault);
          await compare(walk);
        }
        await expectConsistent(workspace.table, walk.account_id);
        await runListJobs(workspace);
        await compareFilter(walk);
        for (const job of await openJobs(walk)) await runCleanUp(workspace, job);
        await compare(walk);
        await compareFilter(walk);
        await expectCleanedUp(workspace.table, walk.account_id);
        expect(await openJobs(walk)).toEqual([]);
      }),
      { numRuns: Number(process.env.RUNS ?? rounds(2, 6)) },
    );
  });

  it('concurrent steps keep counts equal to the taggings, and one tag for each name', {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const walk = await begin();
        const { names } = walk;
        await Promise.all(steps.map((each) => responseOf({ ...walk, names }, each)));
        await expectConsistent(workspace.table, walk.account_id);
        const jobs = await openJobs(walk);
        await Promise.all([...jobs, ...jobs].map((job) => runCleanUp(workspace, job)));
        await runCleanUps(workspace);
        const { taggings } = await expectCleanedUp(workspace.table, walk.account_id);
        const { body } = await walk.user.reader.listTags();
        for (const tag of body.collection.records) {
          const own = taggings.filter(({ tag_id }) => tag_id === tag.id);
          expect((tag.thread_count ?? 0) + (tag.contact_count ?? 0)).toBe(own.length);
        }
        expect((await readStored(workspace.table, walk.account_id)).tags.length).toBeGreaterThan(0);
      }),
      { numRuns: Number(process.env.RUNS ?? rounds(2, 4)) },
    );
  });
});
