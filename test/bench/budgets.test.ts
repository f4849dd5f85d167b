import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { families, operations } from '../../functions/catalogue.ts';
import { createClient } from '../../shared/api/client.ts';
import { givenAccount } from '../support/accounts.ts';
import { withAssets } from '../support/assets.ts';
import { eml, givenEntry, givenMailbox, importMail } from '../support/mail.ts';
import { type MeteredGateway, splitCost, startMeteredGateway } from '../support/meter.ts';
import { givenNotifications } from '../support/notifications.ts';
import { type ApiClient, startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';
import { caseOf, cases, readWorld, type World } from './cases.ts';

/** Budgets on what operations ask of AWS: counts, never times. */

const DEPTH = 4;

/** Operations that may wait longer after authentication, and why. */
const exceptions: Record<string, { depth: number; reason: string }> = {
  createComment: {
    depth: 5,
    reason: 'the record, commenters, users, who of them sees it, then one transaction',
  },
  createMailImport: {
    depth: 5,
    reason: 'mailbox, upload, size of the object in S3, one transaction, one message to SQS',
  },
};

let workspace: Workspace;
let gateway: MeteredGateway;
let world: World;
let dropAssets: () => Promise<void>;

async function fill(user: TestUser): Promise<void> {
  const mailbox = await givenMailbox(workspace, user);
  await importMail(workspace, user, mailbox, [eml({ id: 'one@x', subject: 'One' })]);
  await user.api.createContact({ body: { contact: { name: 'Somebody' } } });
  await givenNotifications(workspace, user, ['comment_added'], new Date());
}

beforeAll(async () => {
  workspace = await startWorkspace({ mail: true });
  dropAssets = await withAssets(workspace.services);
  // Away from the first minute of an hour, in which authentication reads one more item.
  workspace.setTime(new Date('2060-01-01T10:30:00Z'));
  gateway = await startMeteredGateway(operations, workspace.services);
  const { ada } = workspace;
  await fill(ada);
  world = await readWorld({
    base_url: gateway.url,
    write_key: ada.write_key,
    session_token: ada.session_token,
  });
});
afterAll(async () => {
  await gateway?.stop();
  await dropAssets?.();
  await workspace?.stop();
});

const metered = (user: TestUser): ApiClient =>
  createClient(families, { base_url: gateway.url, key: user.write_key });

const accessOf = (name: string) =>
  operations.find((operation) => operation.name === name)?.definition.access ?? 'read';

/** The cost of the operation that was called last. */
function lastCost(name: string) {
  const cost = gateway.last();
  expect(cost.operation).toBe(name);
  return splitCost(cost, accessOf(name));
}

async function costOfCase(name: string) {
  const call = await caseOf(name)(world, `budget-${name.toLowerCase()}`);
  await call();
  return lastCost(name);
}

describe('every operation', () => {
  it('has a case', () => {
    expect(Object.keys(cases).sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it.each(operations.map(({ name }) => name))('%s', async (name) => {
    const { authentication, operation } = await costOfCase(name);
    const authenticates = accessOf(name) !== 'public';
    expect(authentication.depth).toBe(authenticates ? 2 : 0);
    expect(operation.depth).toBeLessThanOrEqual(exceptions[name]?.depth ?? DEPTH);
  });
});

describe('authentication', () => {
  it('and both rate limits take two round trips and two writes, and nothing follows', async () => {
    const { authentication, operation } = await costOfCase('retrieveCurrentUser');
    expect(authentication).toMatchObject({ depth: 2, writes: 2 });
    expect(operation.calls).toEqual([]);
  });
});

describe('changes of state', () => {
  it.each(['flagThread', 'unflagThread', 'markThreadRead', 'markThreadUnread'])(
    '%s: one round trip more, two writes at most',
    async (name) => {
      const { operation } = await costOfCase(name);
      expect(operation.depth).toBeLessThanOrEqual(1);
      expect(operation.writes).toBeLessThanOrEqual(2);
    },
  );
});

describe('the list of threads', () => {
  const entries = [60, 600];
  let users: TestUser[];

  beforeAll(async () => {
    users = await givenAccount(workspace, entries.length);
    for (const [i, user] of users.entries()) {
      const mailbox = await givenMailbox({ ...workspace, account_id: user.user.account_id }, user);
      const numbers = Array.from({ length: entries[i] as number }, (_, number) => number);
      for (let at = 0; at < numbers.length; at += 50)
        await Promise.all(
          numbers
            .slice(at, at + 50)
            .map((number) =>
              givenEntry(workspace.table, user.user, { number, mailbox_ids: [mailbox], subject: 'Row' }),
            ),
        );
    }
  });

  async function listPage(user: TestUser | undefined, cursor?: string | null) {
    const query = cursor ? { next_cursor: cursor } : {};
    const { collection } = (await metered(user as TestUser).listThreads({ query })).body;
    return { ...lastCost('listThreads').operation, collection };
  }

  it('takes three round trips at most, and reads no more of 600 than of 60', async () => {
    const few = await listPage(users[0]);
    const many = await listPage(users[1]);
    expect([few.collection.records.length, many.collection.records.length]).toEqual([50, 50]);
    expect(many.depth).toBeLessThanOrEqual(3);
    expect(few.read_units).toBeGreaterThan(0);
    expect(many.read_units).toBeLessThanOrEqual(1.5 * few.read_units);
  });

  it('has the same price on every page', async () => {
    const first = await listPage(users[1]);
    let page = first;
    for (let i = 2; i <= 11; i++) page = await listPage(users[1], page.collection.page_info.next_cursor);
    expect(page.collection.records).toHaveLength(50);
    expect(page.depth).toBe(first.depth);
    expect(page.read_units).toBeLessThanOrEqual(1.2 * first.read_units);
  });
});

describe('marking all notifications read', () => {
  it('costs the same for 10 and for 1,000', async () => {
    const costs = [];
    for (const [user, count] of [
      [workspace.grace, 10],
      [workspace.linus, 1_000],
    ] as const) {
      await givenNotifications(
        workspace,
        user,
        Array.from({ length: count }, () => 'comment_added'),
        new Date(),
      );
      await metered(user).markAllNotificationsRead({ body: {} });
      costs.push(lastCost('markAllNotificationsRead').operation);
    }
    const [few, many] = costs;
    expect(many).toEqual(few);
    expect(many?.writes).toBe(1);
    expect(many?.depth).toBeLessThanOrEqual(3);
  });
});
