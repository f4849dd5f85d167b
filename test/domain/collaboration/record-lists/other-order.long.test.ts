import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { keys } from '#shared/table/keys.ts';
import { givenDeal } from '../../../support/deals.ts';
import { countersOf, listedCopies } from '../../../support/listed.ts';
import { bestOfFive, type Cost, measureTable, splitCost } from '../../../support/meter.ts';
import { givenContact } from '../../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Records by words, in an order without lists of words: more than are read whole and sorted. */

const MANY = 1_400;
const NOW = Date.UTC(2060, 0, 1, 10, 30);
const MINUTE = 60_000;

/** Every second one, a quarter and an eighth of them, and 4 with a further word. */
const wordOf = (i: number) => {
  if (i % 2 === 0) return 'Half';
  if (i % 4 === 1) return 'Quarter';
  return i % 8 === 3 ? 'Eighth' : 'Other';
};
const nameOf = (i: number) => `${wordOf(i)} ${String(i).padStart(4, '0')}${i % 400 === 5 ? ' rare' : ''}`;

/** Factors without one in common with MANY: each order has the records in a way of its own. */
const createdAt = (i: number) => NOW - ((i * 7_919) % MANY) * MINUTE;
const writtenAt = (i: number) => NOW + ((i * 6_007) % MANY) * MINUTE;

/** Of a colleague alone; of the caller alone. */
const isHidden = (i: number) => i % 11 === 4;
const isOwn = (i: number) => i % 13 === 5;
const isTagged = (i: number) => i % 3 === 0;

interface Case {
  query: Record<string, string>;
  keeps(i: number): boolean;
  /** Round trips of the first page. */
  depth: number;
}

const has = (word: string) => (i: number) => nameOf(i).includes(word);

const ofContacts: Case[] = [
  { query: { query: 'half' }, keeps: has('Half'), depth: 3 },
  { query: { query: 'ha' }, keeps: has('Half'), depth: 3 },
  { query: { query: 'quarter' }, keeps: has('Quarter'), depth: 4 },
  { query: { query: 'eighth' }, keeps: has('Eighth'), depth: 3 },
  { query: { query: 'rare' }, keeps: has('rare'), depth: 3 },
  { query: { query: 'quarter rare' }, keeps: (i) => has('Quarter')(i) && has('rare')(i), depth: 3 },
  { query: { query: 'nowhere' }, keeps: () => false, depth: 1 },
  { query: { query: 'half', slice: 'mine' }, keeps: (i) => has('Half')(i), depth: 4 },
  { query: { query: 'quarter', tags: 'Third' }, keeps: (i) => has('Quarter')(i) && isTagged(i), depth: 4 },
  { query: { query: 'half', tags: 'Third' }, keeps: (i) => has('Half')(i) && isTagged(i), depth: 5 },
];
const ofDeals: Case[] = ofContacts.map((each) => ({
  ...each,
  depth: each.query.query === 'quarter' ? 4 : 3,
}));

const orders = [
  { sort: 'updated_at', order: 'desc' },
  { sort: 'updated_at', order: 'asc' },
  { sort: 'created_at', order: 'desc' },
] as const;

const sorted = (cases: Case[], among: readonly { sort: string; order: string }[]): Case[] =>
  cases.flatMap(({ query, ...each }) => among.map((order) => ({ ...each, query: { ...query, ...order } })));

describe('records by words in another order', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let third: string;
  let minutes = 0;

  const copies = <R extends GuardedItem>(index: RecordIndex<R>, model: unknown) =>
    listedCopies(workspace.table, index, { model: model as R, count: MANY, createdAt }, (i) => ({
      ...{ name: nameOf(i), visibility: isHidden(i) || isOwn(i) ? 'private' : 'account' },
      user_id: isHidden(i) ? workspace.grace.user.id : ada.user.id,
      updated_at: new Date(writtenAt(i)).toISOString(),
      // Known to the search over all records, and to no query.
      external_id: `quarter eighth ${i}`,
      ...(isTagged(i) ? { tag_ids: new Set([third]) } : {}),
    }));

  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada } = workspace);
    const { table } = workspace;
    third = (await ada.api.createTag({ body: { tag: { name: 'Third' } } })).body.tag.id;
    const contact = await givenContact(ada, { name: 'Model' });
    const deal = await givenDeal(ada, { name: 'Model', amount: 1 });
    const models = [
      await table.get(keys.record('contacts', contact.id)),
      await table.get(keys.record('deals', deal.id)),
    ] as const;
    await ada.api.deleteContact({ params: { id: contact.id } });
    await ada.api.deleteDeal({ params: { id: deal.id } });
    const items = [
      ...(await copies(contactIndex, models[0])),
      ...(await copies(dealIndex, { ...models[1], assigned_user_id: null })),
    ];
    await table.writeMany([...items, ...countersOf(items)].map((put) => ({ put })));
  }, 120_000);
  afterAll(() => workspace.stop());

  async function costOf<T>(work: () => Promise<T>): Promise<{ result: T; cost: Cost }> {
    let result: T | undefined;
    // Everything has a minute of its own, within the rate limits.
    workspace.setTime(new Date(NOW + ++minutes * MINUTE));
    await ada.reader.retrieveCurrentUser();
    const { operation } = splitCost(
      await measureTable(workspace.table, async () => {
        result = await work();
      }),
      'read',
    );
    workspace.setTime(undefined);
    return { result: result as T, cost: operation };
  }

  function wanted({ query, keeps }: Case): string[] {
    const by = query.sort === 'created_at' ? createdAt : writtenAt;
    const direction = query.order === 'asc' ? 1 : -1;
    return [...Array(MANY).keys()]
      .filter((i) => keeps(i) && !isHidden(i))
      .sort((a, b) => direction * (by(a) - by(b)))
      .map(nameOf);
  }

  const asked = (query: Record<string, string>, further: object) =>
    ({ query: { ...query, ...(query.tags ? { tags: third } : {}), ...further } }) as never;

  it.each(sorted(ofContacts, orders))(
    'contacts, $query: full pages of the right ones',
    bestOfFive,
    async (each) => {
      const all = wanted(each);
      const pageAt = async (next_cursor?: string) => {
        const { body } = await ada.reader.listContacts(
          asked(each.query, next_cursor === undefined ? {} : { next_cursor }),
        );
        const { records, page_info } = body.collection;
        return { names: records.map(({ name }) => name), next: page_info.next_cursor };
      };
      const { result: first, cost } = await costOf(() => pageAt());
      // The lists of the search are in this order.
      const isListed = each.query.sort === 'created_at';
      expect(cost.depth).toBeLessThanOrEqual(isListed ? Math.min(each.depth, 3) : each.depth);
      if (isListed) expect(cost.read_units).toBeLessThan(110);
      const pages = [first.names];
      let { next } = first;
      while (next !== null) {
        const page = await pageAt(next);
        pages.push(page.names);
        next = page.next;
      }
      expect(pages.flat()).toEqual(all);
      for (const names of pages.slice(0, -1)) expect(names).toHaveLength(50);
    },
  );

  it.each(sorted(ofDeals, [...orders.slice(2), { sort: 'name', order: 'asc' }]))(
    'deals, $query: pages of the right ones, and their number',
    bestOfFive,
    async (each) => {
      const all = wanted(each);
      if (each.query.sort === 'name') all.sort();
      const pages = Math.max(1, Math.ceil(all.length / 25));
      for (const page of new Set([1, 2, pages])) {
        const { result, cost } = await costOf(() =>
          ada.reader.listDeals(asked(each.query, { page: String(page), per_page: '25' })),
        );
        if (page === 1) expect(cost.depth).toBeLessThanOrEqual(each.depth);
        // Few are put in order by what the postings of their word say.
        const isRanked = each.query.query === 'eighth' || each.query.query === 'rare';
        if (page === 1) expect(cost.read_units).toBeLessThan(isRanked ? 80 : 250);
        const { records, total_results } = result.body.collection;
        expect(total_results).toBe(all.length);
        expect(records.map(({ name }) => name)).toEqual(all.slice(25 * (page - 1), 25 * page));
      }
    },
  );
});
