import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DealRecord } from '#shared/domain/crm/deals/deal.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { dealOf } from '../../../support/deals.ts';
import { givenGroup } from '../../../support/groups.ts';
import { openJobs } from '../../../support/jobs.ts';
import { momentQuestions, momentsFrom } from '../../../support/list-moments.ts';
import { questionsWith } from '../../../support/list-questions.ts';
import { rounds } from '../../../support/long.ts';
import { givenPipeline } from '../../../support/pipelines.ts';
import { givenContact } from '../../../support/proposals.ts';
import { runMoves } from '../../../support/replaced-stages.ts';
import { givenSpace, join } from '../../../support/spaces.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Pages of deals by number and their counts, against a model that filters and sorts all deals. */

const WORDS = ['Fleet', 'Fleece', 'winch', 'Bo', 'Łódź'];
const DAYS = ['2092-12-30', '2092-12-31', '2093-01-01', '2093-01-02'];
const who = fc.nat(2);
const which = fc.nat();
const kind = <K extends string>(name: K) => ({ kind: fc.constant(name) });

const fields = fc.record({
  name: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }).map((words) => words.join(' ')),
  amount: fc.option(fc.constantFrom(0, 0.1, 9.99, 10, 1_000)),
  expected_close_on: fc.option(fc.constantFrom(...DAYS)),
  position: fc.constantFrom(-1, 0, 0.5, 2),
  assigned: fc.option(who),
  contact: fc.boolean(),
  organization: fc.boolean(),
  external: fc.boolean(),
  visibility: fc.constantFrom('account' as const, 'private' as const),
});
type Fields = typeof fields extends fc.Arbitrary<infer T> ? T : never;

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ ...kind('create'), by: who, stage: which, fields }) },
  { weight: 2, arbitrary: fc.record({ ...kind('change'), which, fields }) },
  { weight: 3, arbitrary: fc.record({ ...kind('move'), which, stage: which }) },
  { weight: 2, arbitrary: fc.record({ ...kind('share'), which, target: fc.nat(3), on: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ ...kind('tag'), which, tag: fc.nat(1), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ ...kind('member'), who, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ ...kind('delete'), which }) },
  { weight: 2, arbitrary: fc.record({ ...kind('replace'), stage: which, by: which, moves: fc.boolean() }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const sorts = [
  'updated_at',
  'position',
  'name',
  'amount',
  'expected_close_on',
  'stage_moved_at',
  'created_at',
] as const;

/** Filters that take several values. */
const some = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: 1, maxLength: 3 });

const slices = ['open', 'won', 'lost', 'mine', 'overdue', 'shared'] as const;

const question = questionsWith({
  slice: fc.constantFrom(...slices),
  query: fc.constantFrom('fle', 'fleet', 'winch bo', 'lodz'),
  status: some(fc.constantFrom('open', 'won', 'lost')),
  pipeline: some(fc.nat(1)),
  stage: some(which),
  assigned: some(who),
  contact: fc.constant(true),
  organization: fc.constant(true),
  space: fc.nat(2),
  external: which,
  tags: fc.constantFrom([0], [1], [0, 1], [0, 1]),
  tag_operator: fc.constantFrom('any' as const, 'all' as const),
  expected_close_before: fc.constantFrom(...DAYS),
  expected_close_after: fc.constantFrom(...DAYS),
  ...momentQuestions(30),
  sort: fc.constantFrom(...sorts),
  order: fc.constantFrom('asc' as const, 'desc' as const),
});
type Question = typeof question extends fc.Arbitrary<infer T> ? T : never;

interface ModelStage {
  id: string;
  pipeline: number;
  kind: 'open' | 'won' | 'lost';
}

/** A deal of the model. */
interface Known {
  id: string;
  owner: number;
  fields: Fields;
  stage: ModelStage;
  created: number;
  touched: number;
  moved: number | null;
  /** Of the id that it has in another system, if it has one. */
  number: number;
  tags: Set<number>;
  /** Users by number, and 3 for the group. */
  shared: Set<number>;
}

const START = Date.UTC(2093, 0, 1, 11, 30);
const { isWithin, withMoments } = momentsFrom(START);
const TODAY = '2093-01-01';
const MINUTE = 60_000;

describe('lists of deals', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await workspace.stop();
  });

  async function world() {
    const users = (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
    const [first, second] = users;
    const user = (i: number) => users[i] as TestUser;
    const group = await givenGroup(first, [second]);
    const contact = await givenContact(first);
    const { organization } = (
      await first.api.createOrganization({ body: { organization: { name: 'Acme' } } })
    ).body;
    const tag_ids = await Promise.all(
      ['Big', 'Old'].map(
        async (name) => (await first.api.createTag({ body: { tag: { name } } })).body.tag.id,
      ),
    );
    /** With the person; with the organization; with any of the tags. */
    const spaces = [
      await givenSpace(first),
      await givenSpace(first),
      await givenSpace(first, { kind: 'tags', tag_ids }),
    ];
    await join(first, spaces[0]?.id as string, { contact_id: contact.id });
    await join(first, spaces[1]?.id as string, { organization_id: organization.id });
    const pipelines = [await givenPipeline(first, 'One'), await givenPipeline(first, 'Two')];
    const stages: ModelStage[] = pipelines.flatMap((each, pipeline) =>
      each.stages.map(({ id, kind }) => ({ id, kind, pipeline })),
    );
    const members = new Set([1]);
    const known: Known[] = [];
    let now = START;
    let created = 0;
    const externalIdOf = (number: number | undefined) => `crm-${number}`;
    const stageAt = (i: number) => stages[i % stages.length] as ModelStage;

    const holds = (shared: Set<number>, i: number) => shared.has(i) || (shared.has(3) && members.has(i));
    const isOf = (deal: Known, i: number) => deal.owner === i || deal.fields.assigned === i;
    const sees = (deal: Known, i: number) =>
      deal.fields.visibility === 'account' || isOf(deal, i) || holds(deal.shared, i);

    const bodyOf = (
      { assigned, contact: with_contact, organization: for_organization, external, ...rest }: Fields,
      number: number,
    ) => ({
      ...rest,
      external_id: external ? externalIdOf(number) : null,
      assigned_user_id: assigned === null ? null : user(assigned).user.id,
      contact_ids: with_contact ? [contact.id] : [],
      organization_id: for_organization ? organization.id : null,
    });

    async function replaceStage(from: ModelStage, to: ModelStage): Promise<void> {
      const open = stages.filter(({ pipeline, kind }) => pipeline === from.pipeline && kind === 'open');
      if (from === to || from.pipeline !== to.pipeline) return;
      if (open.length === 1 && open[0] === from) return;
      const params = { pipeline_id: pipelines[from.pipeline]?.id as string, id: from.id };
      await first.api.deleteStage({ params, body: { replacement_stage_id: to.id } });
      stages.splice(stages.indexOf(from), 1);
      for (const deal of known.filter(({ stage }) => stage === from)) deal.stage = to;
    }

    /** Moved deals are written by the job: the model learns when. */
    async function finishMoves(): Promise<void> {
      await runMoves(workspace);
      for (const deal of known) {
        const { updated_at, stage_moved_at, created_at } = await dealOf(user(deal.owner), deal.id);
        deal.touched = Date.parse(updated_at ?? created_at);
        deal.moved = stage_moved_at === null ? null : Date.parse(stage_moved_at);
      }
    }

    async function take(step: Step): Promise<void> {
      workspace.setTime(new Date((now += MINUTE)));
      if (step.kind === 'create') {
        const stage = stageAt(step.stage);
        const place = { pipeline_id: pipelines[stage.pipeline]?.id as string, stage_id: stage.id };
        const { body } = await user(step.by).api.createDeal({
          body: { deal: { ...bodyOf(step.fields, ++created), ...place } },
        });
        const { id } = body.deal;
        const more = { created: now, touched: now, moved: null, shared: new Set<number>() };
        const marks = { number: created, tags: new Set<number>() };
        known.push({ id, owner: step.by, fields: step.fields, stage, ...more, ...marks });
      } else if (step.kind === 'member') {
        const params = { group_id: group.id };
        const user_id = user(step.who).user.id;
        if (step.on) await first.api.createMembership({ params, body: { user_id } });
        else await first.api.deleteMembership({ params: { ...params, user_id } }).catch(() => undefined);
        members[step.on ? 'add' : 'delete'](step.who);
      } else if (step.kind === 'replace') {
        await replaceStage(stageAt(step.stage), stageAt(step.by));
        if (step.moves) await finishMoves();
      } else await change(step, step.which % known.length);
    }

    async function change(step: Exclude<Step, { kind: 'create' | 'member' | 'replace' }>, at: number) {
      const deal = known[at];
      if (!deal) return;
      const { api } = user(deal.owner);
      const params = { id: deal.id };
      const on = { record_type: 'deals' as const, record_id: deal.id };
      if (step.kind === 'change' || step.kind === 'move') {
        const stage = step.kind === 'move' ? stageAt(step.stage) : deal.stage;
        const place = { pipeline_id: pipelines[stage.pipeline]?.id as string, stage_id: stage.id };
        const sent =
          step.kind === 'move'
            ? { ...place, position: deal.fields.position }
            : bodyOf(step.fields, deal.number);
        const { body } = await api.updateDeal({ params, body: { deal: sent } });
        const written = body.deal.updated_at === new Date(now).toISOString();
        if (written) deal.touched = now;
        if (written && stage !== deal.stage) deal.moved = now;
        deal.stage = stage;
        if (step.kind === 'change') deal.fields = step.fields;
      } else if (step.kind === 'share') {
        if (step.target === deal.owner) return;
        const target = step.target === 3 ? { group_id: group.id } : { user_id: user(step.target).user.id };
        const { body } = await api.createShare({ params: on, body: { share: target } });
        if (!step.on) await api.deleteShare({ params: { ...on, id: body.share.id } });
        deal.shared[step.on ? 'add' : 'delete'](step.target);
      } else if (step.kind === 'tag') {
        const tag_id = tag_ids[step.tag] as string;
        await api.applyTag({ params: on, body: { tag_id } });
        if (!step.on) await api.removeTag({ params: { ...on, tag_id } as never });
        deal.tags[step.on ? 'add' : 'delete'](step.tag);
      } else {
        await api.deleteDeal({ params });
        known.splice(at, 1);
      }
    }

    function inSlice(deal: Known, i: number, slice: Question['slice']): boolean {
      const day = deal.fields.expected_close_on;
      switch (slice) {
        case undefined:
          return true;
        case 'mine':
          return isOf(deal, i);
        case 'shared':
          return holds(deal.shared, i);
        case 'overdue':
          return deal.stage.kind === 'open' && day !== null && day < TODAY;
        default:
          return deal.stage.kind === slice;
      }
    }

    const dealAt = (place: number) => known[place % Math.max(1, known.length)];

    const inSpace = ({ fields: { contact, organization }, tags }: Known, space: number) =>
      [contact, organization, tags.size > 0][space] === true;

    function hasTags(deal: Known, { tags, tag_operator }: Question): boolean {
      const carried = tags?.filter((place) => deal.tags.has(place)).length ?? 0;
      return tags === undefined || (tag_operator === 'all' ? carried === tags.length : carried > 0);
    }

    function keeps(deal: Known, i: number, asked: Question): boolean {
      const words = deal.fields.name.toLowerCase().replaceAll('łódź', 'lodz').split(' ');
      const day = deal.fields.expected_close_on;
      const { expected_close_before: before, expected_close_after: after } = asked;
      return (
        sees(deal, i) &&
        inSlice(deal, i, asked.slice) &&
        (asked.query?.split(' ') ?? []).every((term) => words.some((word) => word.startsWith(term))) &&
        (asked.status === undefined || asked.status.includes(deal.stage.kind)) &&
        (asked.pipeline === undefined || asked.pipeline.includes(deal.stage.pipeline)) &&
        (asked.stage === undefined || asked.stage.some((at) => deal.stage === stageAt(at))) &&
        (asked.assigned === undefined || asked.assigned.some((at) => deal.fields.assigned === at)) &&
        (!asked.contact || deal.fields.contact) &&
        (!asked.organization || deal.fields.organization) &&
        hasTags(deal, asked) &&
        (asked.space === undefined || inSpace(deal, asked.space)) &&
        (asked.external === undefined || (deal.fields.external && deal === dealAt(asked.external))) &&
        (before === undefined || (day !== null && day < before)) &&
        (after === undefined || (day !== null && day > after)) &&
        isWithin(deal, asked)
      );
    }

    /** In ascending order; null without a value. */
    function valueFor(deal: Known, sort: (typeof sorts)[number]): string | number | null {
      const { name, amount, position, expected_close_on } = deal.fields;
      const folded = name.toLowerCase().replaceAll('łódź', 'lodz');
      const values = { name: folded, amount, position, expected_close_on };
      if (sort in values) return values[sort as keyof typeof values];
      return sort === 'created_at' ? deal.created : sort === 'updated_at' ? deal.touched : deal.moved;
    }

    function sorted(deals: Known[], { sort = 'updated_at', order = 'desc' }: Question): string[] {
      const sign = order === 'asc' ? 1 : -1;
      return deals
        .map((deal) => ({ id: deal.id, value: valueFor(deal, sort) }))
        .sort((a, b) => {
          if (a.value === null || b.value === null)
            return a.value === b.value ? sign * (a.id < b.id ? -1 : 1) : a.value === null ? 1 : -1;
          if (a.value !== b.value) return sign * (a.value < b.value ? -1 : 1);
          return sign * (a.id < b.id ? -1 : 1);
        })
        .map(({ id }) => id);
    }

    const queryOf = ({
      pipeline,
      status,
      stage,
      assigned,
      contact: c,
      organization: o,
      space,
      external,
      tags,
      ...plain
    }: Question) => ({
      ...withMoments(plain),
      ...(status ? { status: status.join(',') } : {}),
      ...(pipeline ? { pipeline_id: pipeline.map((at) => pipelines[at]?.id).join(',') } : {}),
      ...(stage ? { stage_id: stage.map((at) => stageAt(at).id).join(',') } : {}),
      ...(assigned ? { assigned_user_id: assigned.map((at) => user(at).user.id).join(',') } : {}),
      ...(c ? { contact_id: contact.id } : {}),
      ...(o ? { organization_id: organization.id } : {}),
      ...(space === undefined ? {} : { space_id: spaces[space]?.id }),
      ...(external === undefined ? {} : { external_id: externalIdOf(dealAt(external)?.number) }),
      ...(tags ? { tags: tags.map((place) => tag_ids[place]).join(',') } : {}),
    });

    async function check(i: number, asked: Question, per_page: number): Promise<void> {
      const context = JSON.stringify([i, asked, per_page]);
      const matching = known.filter((deal) => keeps(deal, i, asked));
      const wanted = sorted(matching, asked);
      const { reader } = user(i);
      const query = queryOf(asked);
      const found: DealRecord[] = [];
      for (let page = 1; page <= Math.ceil(wanted.length / per_page) + 1; page++) {
        const { collection } = (await reader.listDeals({ query: { ...query, page, per_page } as never }))
          .body;
        expect(collection.total_results, context).toBe(wanted.length);
        found.push(...collection.records);
      }
      expect(
        found.map(({ id }) => id),
        context,
      ).toEqual(wanted);
      for (const deal of found) {
        const { stage } = known.find(({ id }) => id === deal.id) as Known;
        expect([deal.stage_id, deal.status, deal.closed_at !== null], context).toEqual([
          stage.id,
          stage.kind,
          stage.kind !== 'open',
        ]);
      }
      const { sort: _, order: __, ...filters } = query;
      const { count } = (await reader.countDeals({ query: filters as never })).body;
      expect(count, context).toEqual({ total: wanted.length, exact: true, capped: false, cap: null });
    }

    /** Of each user, with the counters of days alone. */
    async function checkOverdue(): Promise<void> {
      for (const sort of sorts)
        for (const i of [0, 1, 2])
          await check(i, { slice: 'overdue', sort, order: i === 1 ? 'asc' : 'desc' }, 2 + i);
    }

    /** The counts of stages are those of all deals, hidden ones too. */
    async function checkStages(): Promise<void> {
      const all = (await first.reader.listPipelines()).body.pipelines.flatMap((each) => each.stages);
      for (const stage of stages)
        expect(all.find(({ id }) => id === stage.id)?.deal_count).toBe(
          known.filter((deal) => deal.stage === stage).length,
        );
    }

    return { take, check, checkOverdue, checkStages, finishMoves };
  }

  it('have exactly the deals that a scan of all finds, in order, after any changes', async () => {
    const steps = fc.array(step, { minLength: 12, maxLength: 30 });
    const questions = fc.array(fc.tuple(question, fc.integer({ min: 2, max: 9 })), {
      minLength: 15,
      maxLength: 15,
    });
    await fc.assert(
      fc.asyncProperty(steps, questions, async (taken, asked) => {
        const { take, check, checkOverdue, checkStages, finishMoves } = await world();
        for (const each of taken) await take(each);
        for (const [i, [each, per_page]] of asked.entries()) await check(i % 3, each, per_page);
        await checkOverdue();
        await checkStages();
        await finishMoves();
        await checkOverdue();
        expect(await openJobs(workspace.table, 'move-deals')).toEqual([]);
        for (const [i, [each, per_page]] of asked.slice(0, 5).entries()) await check(i % 3, each, per_page);
        await checkStages();
      }),
      { numRuns: rounds(3, 50), endOnFailure: true },
    );
  }, 900_000);
});
