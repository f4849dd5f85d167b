import fc from 'fast-check';
import { expect } from 'vitest';
import { listsOfRecords } from '#shared/composition/record-lists.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { indexRecord } from '#shared/domain/collaboration/record-lists/index-record.ts';
import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { foldForSearch } from '#shared/folding.ts';
import { addedOnce } from '#shared/table/additions.ts';
import type { Write } from '#shared/table/table.ts';
import { givenAccount } from './accounts.ts';
import { callerOf } from './callers.ts';
import { givenGroup } from './groups.ts';
import { addedTo, type Beside, besideOf } from './list-beside.ts';
import { type Moments, momentQuestions, momentsFrom } from './list-moments.ts';
import { questionsWith } from './list-questions.ts';
import { long, rounds } from './long.ts';
import { putAtOnce } from './seeding.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** Lists of a family's records and their counts, against a model that filters and sorts all records. */

/** What the fields of every family are drawn with. */
export interface CommonFields {
  name: string;
  visibility: 'account' | 'private';
}

/** A record of the model. */
export interface Known<Fields> {
  id: string;
  owner: string;
  fields: Fields;
  created: number;
  touched: number;
  pinned_by: Set<string>;
  tags: Set<number>;
  shared_with: Set<string>;
  /** In the space of records. */
  membership_id: string | undefined;
}

/** A filter of the family alone. */
interface OwnFilter<Fields> {
  drawn: fc.Arbitrary<number[]>;
  /** As it is sent; of some fields, those of a record that there is. */
  sent(drawn: number[], around: { beside: Beside; fieldsAt(place: number): Fields }): Record<string, string>;
  keeps(fields: Fields, sent: Record<string, string>, beside: Beside): boolean;
}

type Answer = {
  body: { collection: { records: { id: string }[]; page_info: { next_cursor: string | null } } };
};

export interface ListedFamily<Fields extends CommonFields> {
  type: 'contacts' | 'organizations';
  fields: fc.Arbitrary<Fields>;
  /** How one is created that is written together with others: nothing that must be unique may be in two of them. */
  plan(ctx: CallerContext, fields: Fields, beside: Beside): Promise<Plan<GuardedItem>>;
  distinct(fields: Fields, place: number): Fields;
  /** Undefined when another record has what must be unique. */
  create(user: TestUser, fields: Fields, beside: Beside): Promise<{ id: string }>;
  change(user: TestUser, id: string, fields: Fields, beside: Beside): Promise<{ updated_at: string | null }>;
  remove(user: TestUser, id: string): Promise<unknown>;
  pin?(user: TestUser, id: string, on: boolean): Promise<unknown>;
  list(user: TestUser, query: never): Promise<Answer>;
  count(user: TestUser, query: never): Promise<{ body: { count: object } }>;
  /** The errors of names that are taken, which do not matter here. */
  taken: string[];
  queries: string[];
  matches(fields: Fields, query: string): boolean;
  /** The slices of the family alone. */
  slices: Record<string, (record: Known<Fields>, reader: TestUser) => boolean>;
  filters: Record<string, OwnFilter<Fields>>;
}

interface Question extends Moments {
  slice?: string;
  query?: string;
  tags?: string;
  tag_operator?: string;
  space?: number;
  own?: Record<string, number[] | undefined>;
  sort?: string;
  order?: string;
}

const START = Date.UTC(2093, 0, 1);
const MINUTE = 60_000;
const PAGE = 50;
/** Three pages for everybody, in the long tests. */
const CROWD = long ? 106 : 0;
const AT_ONCE = 7;
const { isWithin, withMoments } = momentsFrom(START);

const split = (text: string) =>
  foldForSearch(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);

/** Every word of the query begins a word of the texts; digits also begin or end a phone number. */
export function matchesText(query: string, texts: (string | null)[], phones: string[]): boolean {
  const words = split([...texts, ...phones].join(' '));
  const numbers = phones.map((number) => number.replaceAll(/\D/g, ''));
  return split(query).every(
    (term) =>
      [...words, ...numbers].some((word) => word.startsWith(term)) ||
      (/^\d{4,}$/.test(term) && numbers.some((number) => number.endsWith(term))),
  );
}

function stepsOf<Fields extends CommonFields>({ fields, pin }: ListedFamily<Fields>) {
  const kind = <Kind extends string>(name: Kind) => fc.constant(name);
  const which = fc.nat();
  const pinning = fc.record({ kind: kind('pin'), which, by: fc.nat(2), on: fc.boolean() });
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: kind('create'), by: fc.nat(2), fields }) },
    { weight: 2, arbitrary: fc.record({ kind: kind('change'), which, fields }) },
    ...(pin ? [{ weight: 2, arbitrary: pinning }] : []),
    {
      weight: 2,
      arbitrary: fc.record({ kind: kind('tag'), which, tag: fc.nat(1), on: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.record({ kind: kind('share'), which, with: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('join'), which, on: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('member'), who: fc.nat(2), on: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: kind('delete'), which }) },
  );
}

type Step<Fields extends CommonFields> =
  ReturnType<typeof stepsOf<Fields>> extends fc.Arbitrary<infer T> ? T : never;

function questionsOf<Fields extends CommonFields>({ slices, queries, filters }: ListedFamily<Fields>) {
  const own = Object.entries(filters).map(([name, { drawn }]) => [name, drawn] as const);
  const asked = {
    slice: fc.constantFrom('all', 'mine', 'shared', 'recent', ...Object.keys(slices)),
    query: fc.constantFrom(...queries),
    tags: fc.constantFrom('0', '1', '0,1'),
    tag_operator: fc.constantFrom('any', 'all'),
    space: fc.nat(2),
    ...momentQuestions(long ? 90 : 40),
    own: fc.oneof(
      fc.record(Object.fromEntries(own), { requiredKeys: [] }),
      ...own.map(([name, drawn]) => fc.record({ [name]: drawn })),
    ),
    sort: fc.constantFrom('name', 'created_at', 'updated_at'),
    order: fc.constantFrom('asc', 'desc'),
  };
  return questionsWith(asked) as fc.Arbitrary<Question>;
}

/** Three users of an account with two tags and a group of the second user, and the model of their records. */
async function worldOf<Fields extends CommonFields>(workspace: Workspace, family: ListedFamily<Fields>) {
  const users = (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
  const [ada] = users;
  const tag_ids = await Promise.all(
    ['One', 'Two'].map(async (name) => (await ada.api.createTag({ body: { tag: { name } } })).body.tag.id),
  );
  const others =
    family.type === 'contacts' ? { organizations: 2, contacts: 0 } : { organizations: 0, contacts: 2 };
  const beside = await besideOf(ada, { tag_ids, ...others });
  const group = await givenGroup(ada, [users[1]]);
  const members = new Set([users[1].user.id]);
  const known: Known<Fields>[] = [];
  let now = START;
  const tick = () => workspace.setTime(new Date((now += MINUTE)));

  const isShared = ({ shared_with }: Known<Fields>, { user }: TestUser) =>
    shared_with.has(user.id) || (shared_with.has(group.id) && members.has(user.id));
  const sees = (record: Known<Fields>, reader: TestUser) =>
    record.fields.visibility === 'account' || record.owner === reader.user.id || isShared(record, reader);
  const userOf = (id: string) => users.find(({ user }) => user.id === id) as TestUser;
  const unlessTaken = <T>(call: Promise<T>) =>
    call.catch((error: { code?: string }) => {
      if (family.taken.includes(error.code ?? '')) return undefined;
      throw error;
    });

  function add(id: string, by: TestUser, fields: Fields): void {
    const marks = { pinned_by: new Set<string>(), tags: new Set<number>(), shared_with: new Set<string>() };
    const written = { created: now, touched: now, membership_id: undefined };
    known.push({ id, owner: by.user.id, fields, ...written, ...marks });
  }

  async function create(by: TestUser, fields: Fields): Promise<void> {
    const created = await unlessTaken(family.create(by, fields, beside));
    if (created) add(created.id, by, fields);
  }

  async function change(record: Known<Fields>, fields: Fields): Promise<void> {
    const changed = await unlessTaken(family.change(userOf(record.owner), record.id, fields, beside));
    if (changed && changed.updated_at === new Date(now).toISOString()) record.touched = now;
    if (changed) record.fields = fields;
  }

  async function join(who: TestUser, on: boolean): Promise<void> {
    const { id: user_id } = who.user;
    const params = { group_id: group.id };
    if (on) await ada.api.createMembership({ params, body: { user_id } });
    else await ada.api.deleteMembership({ params: { ...params, user_id } }).catch(() => undefined);
    members[on ? 'add' : 'delete'](user_id);
  }

  async function tag(record: Known<Fields>, place: number, on: boolean): Promise<void> {
    const { api } = userOf(record.owner);
    const params = { record_type: family.type, record_id: record.id };
    const tag_id = tag_ids[place] as string;
    if (on) await api.applyTag({ params, body: { tag_id } });
    else await api.removeTag({ params: { ...params, tag_id } });
    record.tags[on ? 'add' : 'delete'](place);
  }

  async function share(record: Known<Fields>, place: number): Promise<void> {
    const target = place === 3 ? group.id : (users[place] as TestUser).user.id;
    if (target === record.owner) return;
    const params = { record_type: family.type, record_id: record.id };
    const draft = target === group.id ? { group_id: target } : { user_id: target };
    await userOf(record.owner).api.createShare({ params, body: { share: draft } });
    record.shared_with.add(target);
  }

  async function pin(record: Known<Fields>, by: TestUser, on: boolean): Promise<void> {
    if (!sees(record, by)) return;
    await family.pin?.(by, record.id, on);
    record.pinned_by[on ? 'add' : 'delete'](by.user.id);
  }

  /** By the first user, whose space it is. */
  async function joinSpace(record: Known<Fields>, on: boolean): Promise<void> {
    if (!sees(record, ada) || on === (record.membership_id !== undefined)) return;
    record.membership_id = await addedTo(ada, beside, { ...record, type: family.type });
    record.touched = now;
  }

  /** Records that there are before, several of the same moment, most of them visible to all. */
  async function crowd(drawn: Fields[]): Promise<void> {
    const { ctx, table } = workspace;
    const callers = await Promise.all(users.map(({ user }) => callerOf(table, user)));
    const writes = new Map<string, Write>();
    const counts: Write[] = [];
    const unlisted: string[] = [];
    for (const [i, plain] of drawn.entries()) {
      if (i % AT_ONCE === 0) tick();
      const by = users[i % 3] as TestUser;
      const caller = callers[i % 3] as Caller;
      const visibility = i % 20 === 0 ? plain.visibility : 'account';
      const fields = family.distinct({ ...plain, visibility }, i);
      const plan = await family.plan({ ...ctx, now: new Date(now), caller }, fields, beside);
      const change = await plan.change();
      // Jobs of new addresses look for their mail: there is none. Others are of what is too much for a transaction.
      unlisted.push(
        ...change.jobs.flatMap(({ body }) => ('record_ids' in body ? (body.record_ids as string[]) : [])),
      );
      // Nothing changes what is checked meanwhile, and some write the same.
      for (const write of change.writes)
        if ('put' in write) writes.set(`${write.put.PK} ${write.put.SK}`, write);
        else if ('key' in write && write.key.SK.startsWith('COUNT')) counts.push(write);
      add(plan.after.id, by, fields);
    }
    await putAtOnce(table, (gathering) => gathering.transact([...writes.values()]));
    for (const count of addedOnce(counts)) await table.transact([count]);
    const index = listsOfRecords.indexes[family.type];
    for (const id of unlisted) await indexRecord(ctx, index as RecordIndex, id);
    expect(unlisted.length).toBeLessThanOrEqual(drawn.length / 10);
  }

  async function take(step: Step<Fields>): Promise<void> {
    tick();
    if (step.kind === 'create') return create(users[step.by] as TestUser, step.fields);
    if (step.kind === 'member') return join(users[step.who] as TestUser, step.on);
    const at = step.which % known.length;
    const record = known[at];
    if (!record) return;
    if (step.kind === 'change') return change(record, step.fields);
    if (step.kind === 'pin') return pin(record, users[step.by] as TestUser, step.on);
    if (step.kind === 'tag') return tag(record, step.tag, step.on);
    if (step.kind === 'share') return share(record, step.with);
    if (step.kind === 'join') return joinSpace(record, step.on);
    await family.remove(userOf(record.owner), record.id);
    known.splice(at, 1);
  }

  function inSlice(record: Known<Fields>, reader: TestUser, slice = 'all'): boolean {
    if (slice === 'mine') return record.owner === reader.user.id;
    if (slice === 'shared') return isShared(record, reader);
    return family.slices[slice]?.(record, reader) ?? true;
  }

  /** Added to it, or with any, or all, of both tags. */
  const inSpace = ({ membership_id, tags }: Known<Fields>, space: number | undefined) =>
    space === undefined || (space === 0 ? membership_id !== undefined : tags.size >= space);

  type Own = [filter: OwnFilter<Fields>, sent: Record<string, string>];

  function ownOf({ own = {} }: Question): Own[] {
    const fieldsAt = (place: number) => (known[place % known.length] as Known<Fields>).fields;
    return Object.entries(own).flatMap(([name, drawn]): Own[] => {
      const filter = family.filters[name] as OwnFilter<Fields>;
      return drawn === undefined || known.length === 0
        ? []
        : [[filter, filter.sent(drawn, { beside, fieldsAt })]];
    });
  }

  function keeps(record: Known<Fields>, reader: TestUser, asked: Question, own: Own[]): boolean {
    const { slice, query, tags, tag_operator, space } = asked;
    const wanted = tags?.split(',').map(Number) ?? [];
    const carried = wanted.filter((each) => record.tags.has(each)).length;
    return (
      inSpace(record, space) &&
      own.every(([filter, sent]) => filter.keeps(record.fields, sent, beside)) &&
      sees(record, reader) &&
      inSlice(record, reader, slice) &&
      (query === undefined || family.matches(record.fields, query)) &&
      (wanted.length === 0 || (tag_operator === 'all' ? carried === wanted.length : carried > 0)) &&
      isWithin(record, asked)
    );
  }

  /** In order; the same where only the id decides, which the model does not know better. */
  const place = ({ fields, created, touched }: Known<Fields>, sort: Question['sort']) =>
    sort === 'created_at' ? created : sort === 'updated_at' ? touched : foldForSearch(fields.name);

  function queryOf({ tags, space, own: _, ...plain }: Question, own: Own[]): Record<string, string> {
    const ids = tags?.split(',').map((at) => tag_ids[Number(at)]);
    const query = {
      ...(withMoments(plain) as Record<string, string>),
      ...(ids ? { tags: ids.join(',') } : {}),
      ...(space === undefined ? {} : { space_id: beside.space_ids[space] as string }),
    };
    return Object.assign(query, ...own.map(([, sent]) => sent));
  }

  async function walk(reader: TestUser, query: object): Promise<string[]> {
    const ids: string[] = [];
    for (let more: object | undefined = {}; more; ) {
      const answer = await family.list(reader, { ...query, ...more } as never);
      const { records, page_info }: Answer['body']['collection'] = answer.body.collection;
      ids.push(...records.map(({ id }) => id));
      if (page_info.next_cursor !== null) expect(records.length, JSON.stringify(query)).toBe(PAGE);
      more = page_info.next_cursor === null ? undefined : { next_cursor: page_info.next_cursor };
    }
    return ids;
  }

  async function check(reader: TestUser, asked: Question): Promise<void> {
    const own = ownOf(asked);
    const wanted = known.filter((record) => keeps(record, reader, asked, own));
    const query = queryOf(asked, own);
    const found = await walk(reader, query);
    const context = JSON.stringify([asked, query]);
    expect(found.toSorted(), context).toEqual(wanted.map(({ id }) => id).sort());
    const { sort = 'name', order = sort === 'name' ? 'asc' : 'desc' } = asked;
    const places = found.map((id) => place(known.find((each) => each.id === id) as Known<Fields>, sort));
    const sorted = places.toSorted((a, b) => (a === b ? 0 : a < b ? -1 : 1));
    expect(places, context).toEqual(order === 'asc' ? sorted : sorted.reverse());
    const { sort: _, order: __, ...filters } = query;
    const { count } = (await family.count(reader, filters as never)).body;
    expect(count, context).toEqual({ total: wanted.length, exact: true, capped: false, cap: null });
  }

  return { users, crowd, take, check };
}

/** Any lists after any changes; fast-check prints the seed of a failure. */
export function checkLists<Fields extends CommonFields>(
  workspace: Workspace,
  family: ListedFamily<Fields>,
): Promise<void> {
  const steps = fc.array(stepsOf(family), { minLength: 10, maxLength: long ? 30 : 15 });
  const asked = long ? rounds(40, 84) : 8;
  const questions = fc.array(questionsOf(family), { minLength: asked, maxLength: asked });
  const crowds = fc.array(family.fields, { minLength: CROWD, maxLength: CROWD });
  return fc.assert(
    fc.asyncProperty(crowds, steps, questions, async (drawn, taken, asked) => {
      const { users, crowd, take, check } = await worldOf(workspace, family);
      await crowd(drawn);
      for (const each of taken) await take(each as Step<Fields>);
      for (const [i, each] of [{}, ...asked].entries()) await check(users[i % 3] as TestUser, each);
    }),
    // A thousand questions in the long tests.
    { numRuns: rounds(1, 12), endOnFailure: true },
  );
}
