import { expect } from 'vitest';
import type { ListSum } from '#shared/domain/collaboration/record-lists/sums.ts';
import type { DealRecord } from '#shared/domain/crm/deals/deal.ts';
import { type Key, keyOf, keys } from '#shared/table/keys.ts';
import { pipelinesOf } from './pipelines.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** What the dashboard must say, from the lists that it sums up. */

const CAP = 1_000;

export const dashboardOf = async ({ reader }: TestUser) => (await reader.showDashboard()).body.dashboard;

async function allDeals({ reader }: TestUser): Promise<DealRecord[]> {
  const deals: DealRecord[] = [];
  for (let page = 1; ; page++) {
    const { collection } = (await reader.listDeals({ query: { page, per_page: 100 } })).body;
    deals.push(...collection.records);
    if (page >= collection.pages) return deals;
  }
}

/** Amounts have four decimals at most. */
const sumOf = (amounts: number[]) =>
  Math.round(amounts.reduce((sum, amount) => sum + Math.round(amount * 10_000), 0)) / 10_000;

/** By listing every deal. `since` is when the first of the last days begins. */
async function expectedDeals(user: TestUser, default_currency: string | null, since: string) {
  const deals = await allDeals(user);
  return (await pipelinesOf(user)).map(({ id, name, currency: own }) => {
    const currency = own ?? default_currency;
    const here = deals.filter(({ pipeline_id }) => pipeline_id === id);
    const open = here.filter(({ status }) => status === 'open');
    const summed = (some: DealRecord[]) => some.filter((deal) => deal.currency === currency);
    const won = here.filter(({ status, closed_at }) => status === 'won' && (closed_at ?? '') >= since);
    const amounts = (some: DealRecord[]) => sumOf(summed(some).map(({ amount }) => amount ?? 0));
    return {
      ...{ pipeline_id: id, name, currency },
      open_count: open.length,
      open_amount: amounts(open),
      weighted_amount: sumOf(
        summed(open).map(({ amount, probability }) => ((amount ?? 0) * (probability ?? 0)) / 100),
      ),
      won_amount_30d: amounts(won),
    };
  });
}

/** Compares every number with its list. */
export async function expectEqualsLists(
  user: TestUser,
  { default_currency = null, since }: { default_currency?: string | null; since: string },
) {
  const { reader } = user;
  const dashboard = await dashboardOf(user);
  const { threads, tasks } = dashboard;
  const cap = CAP as never;
  const threadCounts = Object.keys(threads).map(async (slice) => {
    const { body } = await reader.countThreads({ query: { slice: slice as 'unread', cap } });
    return [slice, body.count];
  });
  const taskCounts = Object.keys(tasks).map(async (slice) => {
    const { body } = await reader.countTasks({ query: { slice: slice as 'today', cap } });
    return [slice, body.count];
  });
  expect([threads, tasks]).toEqual([
    Object.fromEntries(await Promise.all(threadCounts)),
    Object.fromEntries(await Promise.all(taskCounts)),
  ]);
  const events = await reader.listCalendarEvents({
    query: { slice: 'today', starts_after: dashboard.generated_at, limit: 10 },
  });
  expect(dashboard.calendar_events).toEqual(events.body.collection.records);
  const expected = await expectedDeals(user, default_currency, since);
  const exact = dashboard.deals.map((pipeline, i) => ({
    ...pipeline,
    // Halves of a ten-thousandth are rounded once here, and for each deal there.
    weighted_amount: expect.closeTo(expected[i]?.weighted_amount ?? 0, 2),
  }));
  expect(expected).toEqual(exact);
  const notifications = (await reader.listNotifications({ query: { limit: 100 } })).body.collection.records;
  expect(dashboard.notifications).toEqual({
    new_count: notifications.filter((each) => each.new).length,
    unread_count: notifications.filter(({ read_at }) => read_at === null).length,
  });
  const proposals = (await reader.listProposals()).body.collection.total_results;
  expect(dashboard.proposals).toEqual({ pending_count: proposals });
  const { share_requests } = (await reader.listShareRequests()).body;
  expect(dashboard.share_requests).toEqual({ pending_count: share_requests.length });
  const mailboxes = (await reader.listMailboxes()).body.collection.records;
  expect(dashboard.mailboxes).toEqual(
    mailboxes.map(({ id, email_address, status }) => ({ id, email_address, status })),
  );
  return dashboard;
}

/** One sum of the account has too much, one of the user is missing, and one is of no deal. */
export async function damageSums({ table, account_id }: Workspace, { user }: TestUser): Promise<void> {
  const [own] = await table.all<Key>(keys.listSum(user.id, 'deals', '').PK);
  const [common] = await table.all<Key>(keys.listSum(account_id, 'deals', '').PK);
  await table.delete(keyOf(own as Key));
  await table.update<ListSum>(keyOf(common as Key), { add: { record_count: 3, units: 7n } });
  await table.put({ ...keys.listSum(account_id, 'deals', 'open|x|EUR|-'), record_count: 1, units: 5 });
}
