import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visibility } from '#shared/composition/visibility.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { fileIndex } from '#shared/domain/work/files/lists.ts';
import { taskIndex } from '#shared/domain/work/tasks/lists.ts';
import { keys } from '#shared/table/keys.ts';
import type { AnyItem } from '#shared/table/table.ts';
import { givenDeal } from '../../../support/deals.ts';
import { countersOf, listedCopies } from '../../../support/listed.ts';
import { STRIDE } from '../../../support/long.ts';
import { bestOfFive, measureTable, splitCost } from '../../../support/meter.ts';
import { givenContact } from '../../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Records by a moment, in an order that is not by it: more than are read whole and sorted. */

const MANY = 720;
const DAY = 86_400_000;
const NOW = Date.UTC(2060, 0, 1, 10, 30);

const momentOf = (i: number, days: number) => NOW - days * DAY + i * 1_000;
/** Every second one was created lately; every second two were written since. */
const createdAt = (i: number) => momentOf(i, i % 2 === 0 ? 20 : 60);
const writtenAt = (i: number) => (i % 4 >= 2 ? momentOf(i, 1) : createdAt(i));
const closesOn = (i: number) => new Date(momentOf(0, i % 3 === 0 ? 30 : -30)).toISOString().slice(0, 10);
/** Of a colleague alone. */
const isHidden = (i: number) => i % 10 === 4;

const since = (days: number) => new Date(momentOf(0, days)).toISOString();

type Families = 'contacts' | 'deals' | 'files' | 'tasks';

interface Case {
  query: Record<string, string>;
  keeps(i: number): boolean;
}

const created: Case[] = [
  { query: { created_after: since(40) }, keeps: (i) => i % 2 === 0 },
  { query: { created_before: since(40) }, keeps: (i) => i % 2 === 1 },
];
const written: Case[] = [
  { query: { updated_after: since(10) }, keeps: (i) => i % 4 >= 2 },
  { query: { updated_before: since(10) }, keeps: (i) => i % 4 < 2 },
];
const both: Case = {
  query: { created_before: since(40), updated_after: since(10) },
  keeps: (i) => i % 4 === 3,
};
const between: Case = {
  query: { created_after: since(70), created_before: since(40) },
  keeps: (i) => i % 2 === 1,
};
const recent: Case = { query: { slice: 'recent' }, keeps: (i) => i % 4 >= 2 };
const closing: Case[] = [
  { query: { expected_close_before: since(0).slice(0, 10) }, keeps: (i) => i % 3 === 0 },
  { query: { expected_close_after: since(0).slice(0, 10) }, keeps: (i) => i % 3 !== 0 },
];
const byName = (cases: Case[]) =>
  cases.map(({ query, keeps }) => ({ query: { ...query, sort: 'name', order: 'asc' }, keeps }));

const cases: [Families, Case][] = [
  ...[...created, ...written, both, between, recent].map((each): [Families, Case] => ['contacts', each]),
  ...[...created, ...written, both, between].map((each): [Families, Case] => ['tasks', each]),
  ...byName([...created, ...written, both, between, recent]).map((each): [Families, Case] => ['files', each]),
  ...byName([...created, between, ...closing]).map((each): [Families, Case] => ['deals', each]),
];
/** Half in CI. */
const some = cases.filter((_, i) => i % Math.min(STRIDE, 2) === 0);

describe('records by a moment in another order', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let minutes = 0;

  const copies = <R extends GuardedItem>(
    index: RecordIndex<R>,
    model: R,
    own: (i: number) => object = () => ({}),
  ): Promise<AnyItem[]> =>
    listedCopies(workspace.table, index, { model, count: MANY, createdAt }, (i) => ({
      ...{ name: String(i).padStart(3, '0'), visibility: isHidden(i) ? 'private' : 'account' },
      user_id: isHidden(i) ? workspace.grace.user.id : ada.user.id,
      updated_at: i % 4 >= 2 ? new Date(writtenAt(i)).toISOString() : null,
      ...own(i),
    }));

  /** A record that the service made, which is nowhere any more. */
  async function modelOf<R>(type: 'contacts' | 'deals' | 'tasks', id: string): Promise<R> {
    const model = await workspace.table.get(keys.record(type, id));
    const { api } = ada;
    const remove = { contacts: api.deleteContact, deals: api.deleteDeal, tasks: api.deleteTask };
    await remove[type]({ params: { id } });
    return model as R;
  }

  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada } = workspace);
    const { table } = workspace;
    const contact = await givenContact(ada, { name: 'Model' });
    const deal = await givenDeal(ada, { name: 'Model' });
    const { task } = (await ada.api.createTask({ body: { task: { name: 'Model', visibility: 'account' } } }))
      .body;
    const file = {
      ...{ account_id: ada.user.account_id, description: null, size: 1, source: 'upload', decorative: false },
      ...{ file_name: 'a.pdf', extension: 'pdf', content_type: 'application/pdf', links: [], shares: {} },
    };
    const items = [
      ...(await copies(contactIndex, await modelOf('contacts', contact.id))),
      ...(await copies(taskIndex(visibility.records), await modelOf('tasks', task.id), (i) => ({
        due_at: new Date(momentOf(i, 0)).toISOString(),
        assigned_user_id: null,
      }))),
      ...(await copies(fileIndex(visibility.records), file as never)),
      ...(await copies(dealIndex, await modelOf('deals', deal.id), (i) => ({
        expected_close_on: closesOn(i),
        assigned_user_id: null,
      }))),
    ];
    await table.writeMany([...items, ...countersOf(items)].map((put) => ({ put })));
  }, 120_000);
  afterAll(() => workspace.stop());

  interface Page {
    names: string[];
    next: Record<string, string> | undefined;
  }

  async function pageOf(type: Families, query: Record<string, string>): Promise<Page> {
    const asked = { query: query as never };
    if (type === 'deals') {
      const { collection } = (await ada.reader.listDeals(asked)).body;
      const next = collection.page < collection.pages ? { page: String(collection.page + 1) } : undefined;
      return { names: collection.records.map(({ name }) => name), next };
    }
    const list = {
      contacts: ada.reader.listContacts,
      tasks: ada.reader.listTasks,
      files: ada.reader.listFiles,
    };
    const { collection } = (await list[type](asked as never)).body;
    const { next_cursor } = collection.page_info;
    return {
      names: collection.records.map(({ name }) => name),
      next: next_cursor === null ? undefined : { next_cursor },
    };
  }

  const countOf = async (type: Families, query: object) => {
    const { sort: _, order: __, ...asked } = query as Record<string, string>;
    const { reader } = ada;
    const count = {
      contacts: reader.countContacts,
      deals: reader.countDeals,
      files: reader.countFiles,
      tasks: reader.countTasks,
    };
    return (await count[type]({ query: asked as never })).body.count.total;
  };

  const costOf = async (work: () => Promise<unknown>) => {
    // Everything has a minute of its own, within the rate limits.
    workspace.setTime(new Date(NOW + ++minutes * 60_000));
    await ada.reader.retrieveCurrentUser();
    const { operation } = splitCost(await measureTable(workspace.table, work), 'read');
    workspace.setTime(undefined);
    return operation;
  };

  it.each(some)(
    '%s, %o: full pages of the right ones, in three round trips',
    bestOfFive,
    async (type, each) => {
      const { query, keeps } = each;
      const wanted = [...Array(MANY).keys()]
        .filter((i) => keeps(i) && !isHidden(i))
        .map((i) => String(i).padStart(3, '0'));
      const found: string[] = [];
      let next: Record<string, string> | undefined = {};
      const sizes: number[] = [];
      while (next) {
        let page: Page | undefined;
        const asked = { ...query, ...(type === 'tasks' ? { limit: '50' } : {}), ...next };
        const { depth } = await costOf(async () => {
          page = await pageOf(type, asked);
        });
        expect(depth).toBeLessThanOrEqual(3);
        found.push(...(page?.names ?? []));
        sizes.push(page?.names.length ?? 0);
        next = page?.next;
      }
      expect(found).toEqual(wanted);
      expect(new Set(sizes.slice(0, -1)).size).toBeLessThanOrEqual(1);
      let total = 0;
      const { read_units } = await costOf(async () => {
        total = await countOf(type, query);
      });
      expect(total).toBe(wanted.length);
      // Postings alone; a record takes one.
      expect(read_units).toBeLessThan(MANY / 10);
    },
  );

  it('follows a change', async () => {
    workspace.setTime(new Date(NOW));
    const { reader, api } = ada;
    const [old] = (await reader.listContacts({ query: { query: '001' } })).body.collection.records;
    await api.updateContact({ params: { id: old?.id as string }, body: { contact: { headline: 'x' } } });
    const { records } = (await reader.listContacts({ query: { slice: 'recent' } })).body.collection;
    workspace.setTime(undefined);
    expect(records.slice(0, 3).map(({ name }) => name)).toEqual(['001', '002', '003']);
  });
});
