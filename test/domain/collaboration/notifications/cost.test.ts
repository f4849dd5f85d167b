import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '#shared/api/client.ts';
import { families, operations } from '../../../../functions/catalogue.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { type Cost, type MeteredGateway, splitCost, startMeteredGateway } from '../../../support/meter.ts';
import { givenNotifications } from '../../../support/notifications.ts';
import { type ApiClient, startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Operations on all notifications cost the same for any number of them (docs/specification/notifications.md). */

const MANY = 5_000;

describe('the cost of operations on all notifications', () => {
  let workspace: Workspace;
  let gateway: MeteredGateway;
  /** With 10 and with many. */
  let users: [TestUser, TestUser];
  const start = Date.UTC(2060, 0, 1, 10, 30);
  const at = (minute: number) => new Date(start + minute * 60_000);

  beforeAll(async () => {
    workspace = await startWorkspace();
    gateway = await startMeteredGateway(workspace.ctx, operations);
    users = (await givenAccount(workspace, 2)) as typeof users;
    for (const [i, count] of [10, MANY].entries())
      await givenNotifications(workspace, users[i] as TestUser, Array(count).fill('deal_won'), at(-1));
  });
  afterAll(async () => {
    await gateway?.stop();
    await workspace?.stop();
  });

  /** What the operation cost each of the two users, without authentication. */
  async function costs(call: (api: ApiClient) => Promise<unknown>): Promise<[Cost, Cost]> {
    const found: Cost[] = [];
    for (const { write_key } of users) {
      await call(createClient(families, { base_url: gateway.url, key: write_key }));
      found.push(splitCost(gateway.last(), 'write').operation);
    }
    return found as [Cost, Cost];
  }

  // In this order: each begins with the state that the previous one left.
  it.each<[string, number, number, number, (api: ApiClient) => Promise<unknown>]>([
    ['mark all read', 1, 2, 1, (api) => api.markAllNotificationsRead()],
    ['dismiss a slice', 2, 2, 2, (api) => api.dismissNotifications({ body: { slice: 'deal_won' } })],
    ['dismiss all', 3, 2, 2, (api) => api.dismissNotifications({ body: { global: true } })],
    [
      'dismiss all again, when there is nothing left',
      4,
      2,
      0,
      (api) => api.dismissNotifications({ body: { global: true } }),
    ],
    ['list', 5, 3, 0, (api) => api.listNotifications()],
    ['list unread ones', 6, 3, 0, (api) => api.listNotifications({ query: { status: 'unread' } })],
    ['count', 7, 2, 0, (api) => api.countNotifications()],
    [
      'count unread ones of a slice',
      8,
      2,
      0,
      (api) => api.countNotifications({ query: { status: 'unread', slice: 'deal_won' } }),
    ],
  ])('%s: the same for 10 and for thousands', async (_, minute, depth, writes, call) => {
    workspace.setTime(at(minute));
    const [few, many] = await costs(call);
    expect(many).toEqual(few);
    expect(many).toMatchObject({ depth, writes });
    expect(many.read_units).toBeLessThanOrEqual(4);
    expect(many.write_units).toBeLessThanOrEqual(2 * writes);
  });
});
