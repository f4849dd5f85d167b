import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interactions } from '#shared/composition/interactions.ts';
import { findByEncounter, type Met } from '#shared/domain/collaboration/record-lists/by-encounter.ts';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { ListedItem } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import type { KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import { employersAhead } from '#shared/domain/crm/contacts/employers-ahead.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { metContacts, metOrganizations } from '#shared/domain/crm/contacts/met.ts';
import { spacesAhead } from '#shared/domain/crm/details/spaces-ahead.ts';
import { organizationIndex } from '#shared/domain/crm/organizations/lists.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { callerOf } from '../../../support/callers.ts';
import { cases, rounds } from '../../../support/long.ts';
import { contactsDrawn, lastSeen, metWorld, NOW, stepsDrawn } from '../../../support/met-world.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/**
 * The slice `recent` of contacts and organizations, and their order by the last interaction, against naive ones: all
 * records, each retrieved, and what these say.
 */

interface Shown {
  id: string;
  created_at: string | null;
  updated_at: string | null;
  last_interaction_at: string | null;
}

/** A list as a user sees it. */
interface Listed {
  list(query: object): Promise<{ id: string }[]>;
  count(query: object): Promise<{ total: number }>;
  /** With the last moment that follows from what else the user sees. */
  retrieve(id: string): Promise<Shown & { expected: string | null }>;
}

const latestOf = (moments: (string | null | undefined)[]) =>
  moments
    .filter((each) => typeof each === 'string')
    .sort()
    .at(-1) ?? null;

type Seen = ReadonlyMap<string, string>;

const contactIn = async ({ reader }: TestUser, id: string, seen: Seen) => {
  const { contact } = (await reader.retrieveContact({ params: { id } })).body;
  const addresses = contact.email_addresses.map(({ email_address }) => email_address);
  return { ...contact, expected: latestOf(addresses.map((each) => seen.get(each))) };
};

const listedContacts = (user: TestUser, seen: Seen): Listed => ({
  list: async (query) => (await user.reader.listContacts({ query })).body.collection.records,
  count: async (query) => (await user.reader.countContacts({ query })).body.count,
  retrieve: (id) => contactIn(user, id, seen),
});

const listedOrganizations = (user: TestUser, seen: Seen): Listed => ({
  list: async (query) => (await user.reader.listOrganizations({ query })).body.collection.records,
  count: async (query) => (await user.reader.countOrganizations({ query })).body.count,
  async retrieve(id) {
    const { organization } = (await user.reader.retrieveOrganization({ params: { id } })).body;
    const people = (organization.employments ?? []).map(({ contact }) =>
      contactIn(user, contact?.id ?? '', seen),
    );
    const moments = (await Promise.all(people)).map(({ expected }) => expected);
    return { ...organization, expected: latestOf(moments) };
  },
});

const idsOf = (records: { id: string }[]) => records.map(({ id }) => id);

const DAY = 86_400_000;

const isRecent = ({ created_at, updated_at, last_interaction_at }: Shown) =>
  [updated_at ?? created_at, last_interaction_at].some(
    (each) => each !== null && Date.parse(each) > NOW - 14 * DAY,
  );

const orders = cases(
  [
    { sort: 'name', order: 'asc' },
    { sort: 'updated_at', order: 'desc' },
  ],
  [
    { sort: 'name', order: 'desc' },
    { sort: 'updated_at', order: 'asc' },
    { sort: 'created_at', order: 'asc' },
    { sort: 'created_at', order: 'desc' },
  ],
);

/** The slice in every order, and its count, are what is left of the whole list. */
async function checkRecent({ list, count }: Listed, shown: Shown[]): Promise<void> {
  const recent = new Set(idsOf(shown.filter(isRecent)));
  for (const inOrder of orders) {
    const all = idsOf(await list(inOrder));
    const found = idsOf(await list({ ...inOrder, slice: 'recent' }));
    expect(found, JSON.stringify(inOrder)).toEqual(all.filter((id) => recent.has(id)));
  }
  expect(await count({ slice: 'recent' })).toMatchObject({ total: recent.size, exact: true });
  const some = Math.max(1, recent.size - 1);
  expect(await count({ slice: 'recent', cap: some })).toMatchObject({ total: Math.min(recent.size, some) });
}

type Order = 'asc' | 'desc';

/** Those without a moment come last in both directions, by their creation. */
function sorted(shown: Shown[], order: Order): string[] {
  const by = (rank: (each: Shown) => string) => (a: Shown, b: Shown) =>
    (rank(a) < rank(b) ? -1 : 1) * (order === 'asc' ? 1 : -1);
  const met = shown.filter((each) => each.last_interaction_at !== null);
  const others = shown.filter((each) => each.last_interaction_at === null);
  return idsOf([
    ...met.sort(by((each) => `${each.last_interaction_at} ${each.id}`)),
    ...others.sort(by((each) => `${each.created_at} ${each.id}`)),
  ]);
}

const filters = cases<object>(
  [{}, { slice: 'recent' }],
  [{ slice: 'mine' }, { slice: 'shared' }, { query: 'contact' }],
);

/** What the API returns, for filters that leave few records. */
async function checkSort({ list }: Listed, shown: Shown[]): Promise<void> {
  for (const order of ['desc', 'asc'] as const)
    for (const filter of filters) {
      const kept = new Set(idsOf(await list(filter)));
      const found = idsOf(await list({ ...filter, sort: 'last_interaction_at', order }));
      const story = JSON.stringify([order, filter, shown]);
      expect(found, story).toEqual(sorted(shown, order).filter((id) => kept.has(id)));
    }
}

/** Pages of two, for criteria that leave any number of records. */
async function checkPages<R extends ListedItem>(
  ctx: CallerContext<KnowsInteractions>,
  index: RecordIndex<R>,
  metOf: (ctx: CallerContext<KnowsInteractions>) => Met<R>,
  shown: Shown[],
): Promise<void> {
  const half = new Set(idsOf(shown.filter((_, i) => i % 2 === 0)));
  const third = new Set(idsOf(shown.filter((_, i) => i % 3 === 0)));
  const keptByHalf: Criterion<R> = { keeps: ({ id }) => half.has(id) };
  const cases: [Criterion<R>[], (id: string) => boolean][] = [
    [[], () => true],
    [[keptByHalf], (id) => half.has(id)],
    [[{ ...keptByHalf, others: async () => ({ ids: [...third] }) }], (id) => half.has(id) || third.has(id)],
  ];
  for (const order of ['desc', 'asc'] as const)
    for (const [criteria, keeps] of cases) {
      const found: string[] = [];
      let after: string | undefined;
      do {
        const page = await findByEncounter(
          ctx,
          { index, criteria, order, met: metOf(ctx) },
          { limit: 2, after },
        );
        expect(page.next === null || page.rows.length === 2).toBe(true);
        found.push(...idsOf(page.rows));
        after = page.next ?? undefined;
      } while (after !== undefined);
      expect(found, `${order} ${criteria.length}`).toEqual(sorted(shown, order).filter(keeps));
    }
}

describe('contacts and organizations with whom a user had mail and meetings', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await workspace.stop();
  });

  async function check(user: TestUser) {
    const caller = await callerOf(workspace.table, user.user);
    const now = new Date(NOW);
    const ctx = { ...workspace.ctx, now, caller, ports: interactions };
    const seen = await lastSeen(user);
    const shownIn = async (listed: Listed) => {
      const shown: Shown[] = [];
      for (const { id } of await listed.list({})) {
        const each = await listed.retrieve(id);
        expect(each.last_interaction_at).toBe(each.expected);
        shown.push(each);
      }
      await checkRecent(listed, shown);
      await checkSort(listed, shown);
      return shown;
    };
    const contactsMet = (own: CallerContext<KnowsInteractions>) =>
      metContacts(own, { employers: employersAhead(own), spaces: spacesAhead(own) });
    await checkPages(ctx, contactIndex, contactsMet, await shownIn(listedContacts(user, seen)));
    const organizations = await shownIn(listedOrganizations(user, seen));
    const organizationsMet = (own: CallerContext<KnowsInteractions>) =>
      metOrganizations(own, spacesAhead(own));
    await checkPages(ctx, organizationIndex, organizationsMet, organizations);
    // As if there were too many to be read whole, in steps of a few people.
    const inSteps = (own: CallerContext<KnowsInteractions>) => {
      const { whole: _, ...met } = organizationsMet(own);
      return { ...met, first: 3 };
    };
    await checkPages(ctx, organizationIndex, inSteps, organizations);
  }

  it('are recent, and in the order of the last interaction, as they say themselves', async () => {
    await fc.assert(
      fc.asyncProperty(contactsDrawn, stepsDrawn(40), async (contacts, steps) => {
        const { users, create, take } = await metWorld(workspace);
        for (const each of contacts) await create(each);
        for (const each of steps) await take(each);
        workspace.setTime(new Date(NOW));
        for (const user of users) await check(user);
      }),
      { numRuns: rounds(1, 4), endOnFailure: true },
    );
  });
});
