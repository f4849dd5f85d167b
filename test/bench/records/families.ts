import { visibility } from '#shared/composition/visibility.ts';
import type { Deal } from '#shared/domain/crm/deals/deal.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { organizationIndex } from '#shared/domain/crm/organizations/lists.ts';
import type { Organization } from '#shared/domain/crm/organizations/organization.ts';
import type { File } from '#shared/domain/work/files/file.ts';
import { fileIndex } from '#shared/domain/work/files/lists.ts';
import { taskIndex } from '#shared/domain/work/tasks/lists.ts';
import type { Task } from '#shared/domain/work/tasks/task.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { type Place, type Query, type RecordCase, tagCases, wordCases } from './cases.ts';
import { type Copied, givenCopies } from './copies.ts';
import { among } from './world.ts';

/** Families beside contacts in the account: their records, and what is asked of their lists. */

const DAY = 86_400_000;

export interface Family {
  name: string;
  /** Of the number of contacts. */
  share: number;
  /** How many items were written. */
  given(table: Table, place: Place): Promise<number>;
  pages: RecordCase[];
  /** Outside of the budgets. */
  hard: RecordCase[];
}

async function stored<R>(table: Table, type: 'deals' | 'organizations' | 'tasks', id: string): Promise<R> {
  const item = await table.get(keys.record(type, id));
  if (!item) throw new Error('The record is missing');
  return item as unknown as R;
}

const dayAfter = (now: Date, days: number) => new Date(now.getTime() + days * DAY).toISOString().slice(0, 10);

type List = (place: Place, query: Query) => Promise<{ body: { collection: { records: unknown[] } } }>;

const asking =
  (list: List) =>
  ([name, query]: readonly [string, (place: Place) => Query]): RecordCase => ({
    name,
    ask: async (place) => (await list(place, query(place))).body.collection.records.length,
  });

const plainly = (...queries: Query[]) =>
  queries.map((query) => {
    const name = Object.entries(query).map(([key, value]) => `${key}=${value}`);
    return [name.join(', '), () => query] as const;
  });

const noFilter = ['no filter', () => ({})] as const;
const words = wordCases.map(([name, query]) => [name, () => query()] as const);
const tags = tagCases.map(([name, query]) => [name, ({ world }: Place) => query(world)] as const);
const halfTagged = tags.at(-1) as (typeof tags)[number];

const organizations: Copied<Organization> = {
  share: 0.2,
  index: organizationIndex,
  tagged: true,
  async model({ api }, table) {
    const { organization } = (await api.createOrganization({ body: { organization: { name: 'Model' } } }))
      .body;
    return stored(table, 'organizations', organization.id);
  },
  own: () => ({}),
};

const listOrganizations = asking(({ api }, query) => api.listOrganizations({ query: query as never }));

const deals: Copied<Deal> = {
  share: 0.2,
  index: dealIndex,
  tagged: true,
  async model(place, table) {
    const draft = { name: 'Model', amount: 1, assigned_user_id: place.world.user_id };
    const { deal } = (await place.api.createDeal({ body: { deal: draft } })).body;
    place.stage_id = deal.stage_id;
    return stored(table, 'deals', deal.id);
  },
  own: (number, rows, now) => ({
    amount: number,
    position: number,
    // From two years ago to two years ahead.
    expected_close_on: dayAfter(now, (number / rows - 0.5) * 4 * 365),
    ...(among(number, rows, 0.3) ? {} : { assigned_user_id: null }),
  }),
};

const listDeals = asking(({ api }, query) => api.listDeals({ query: query as never }));

const tasks: Copied<Task> = {
  share: 0.5,
  index: taskIndex(visibility.records),
  tagged: false,
  async model({ api }, table) {
    const { task } = (await api.createTask({ body: { task: { name: 'Model', visibility: 'account' } } }))
      .body;
    return stored(table, 'tasks', task.id);
  },
  /** From years ago to years ahead, a tenth without a date, a tenth done. */
  own(number, rows, now) {
    const due = new Date(now.getTime() + ((number - rows / 2) * DAY) / 25);
    const done = among(number, rows, 0.1) ? { completed_at: now.toISOString() } : {};
    return number % 10 === 3 ? done : { ...done, due_at: due.toISOString() };
  },
};

const listTasks = asking(({ api }, query) => api.listTasks({ query: { limit: 50, ...query } as never }));

const files: Copied<File> = {
  share: 0.5,
  index: fileIndex(visibility.records),
  tagged: true,
  async model({ world: { account_id, user_id, now } }) {
    const id = newId(new Date(now));
    return {
      ...{ ...keys.record('files', id), id, account_id, user_id },
      ...{ name: 'Model', file_name: 'offer.pdf', extension: 'pdf', content_type: 'application/pdf' },
      ...{ description: null, size: 1_000, source: 'upload', decorative: false, links: [] },
      ...{ visibility: 'account', shares: {}, created_at: new Date(now).toISOString(), updated_at: null },
    };
  },
  own: (number, rows) => ({
    size: number,
    ...(among(number, rows, 0.1) ? { extension: 'csv', content_type: 'text/csv' } : {}),
  }),
};

const listFiles = asking(({ api }, query) => api.listFiles({ query: query as never }));

/** Page 100 of lists of page numbers. */
const HUNDREDTH = 100;

export const families: Family[] = [
  {
    name: 'organizations',
    share: organizations.share,
    given: (table, place) => givenCopies(table, place, organizations),
    pages: [
      noFilter,
      ...plainly({ slice: 'mine' }, { slice: 'recent' }),
      ...words,
      ...tags,
      ...plainly({ order: 'desc' }, { sort: 'created_at' }, { sort: 'updated_at' }),
    ].map(listOrganizations),
    hard: [],
  },
  {
    name: 'deals',
    share: deals.share,
    given: (table, place) => givenCopies(table, place, deals),
    pages: [
      noFilter,
      ...plainly({ slice: 'open' }, { slice: 'mine' }, { slice: 'overdue' }, { status: 'open' }),
      ['stage_id, sort=position', ({ stage_id = '' }: Place) => ({ stage_id, sort: 'position' })] as const,
      ['assigned_user_id', ({ world }: Place) => ({ assigned_user_id: world.user_id })] as const,
      ...plainly(...['name', 'amount', 'expected_close_on', 'created_at'].map((sort) => ({ sort })), {
        sort: 'amount',
        order: 'asc',
      }),
      ...tags.slice(0, 1),
    ].map(listDeals),
    hard: [...plainly({ page: HUNDREDTH, per_page: 25 }), ...words, ...tags.slice(1)].map(listDeals),
  },
  {
    name: 'tasks',
    share: tasks.share,
    given: (table, place) => givenCopies(table, place, tasks),
    pages: [
      noFilter,
      ...plainly(
        ...['open', 'today', 'overdue', 'upcoming', 'unscheduled', 'completed', 'assigned', 'created'].map(
          (slice) => ({ slice }),
        ),
        { completed: false },
      ),
      ['assigned_user_id', ({ world }: Place) => ({ assigned_user_id: world.user_id })] as const,
      ['due_after', ({ world }: Place) => ({ due_after: new Date(world.now).toISOString() })] as const,
      ...words,
    ].map(listTasks),
    hard: [],
  },
  {
    name: 'files',
    share: files.share,
    given: (table, place) => givenCopies(table, place, files),
    pages: [
      noFilter,
      ...plainly(
        ...['mine', 'uploads', 'recent'].map((slice) => ({ slice })),
        { extension: 'csv' },
        { content_type: 'text/csv' },
        ...['name', 'size', 'updated_at'].map((sort) => ({ sort })),
      ),
      ...tags,
      ...words.slice(0, 1),
    ].map(listFiles),
    hard: [...words.slice(1), halfTagged, ...plainly({ extension: 'csv', sort: 'size' })].map(listFiles),
  },
];
