import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '#shared/api/client.ts';
import { families, operations } from '../../functions/catalogue.ts';
import { givenAccount } from '../support/accounts.ts';
import { withAssets } from '../support/assets.ts';
import { STRIDE } from '../support/long.ts';
import { eml, givenMailbox, importMail } from '../support/mail.ts';
import {
  bestOfFive,
  type Cost,
  type MeteredGateway,
  splitCost,
  startMeteredGateway,
} from '../support/meter.ts';
import { givenNotifications } from '../support/notifications.ts';
import { type ApiClient, startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';
import { caseOf, cases, readWorld, type World } from './cases.ts';
import { planted } from './threads/chosen.ts';
import { measureFanOut } from './threads/fan-out.ts';
import { listCases, type Place, placeOf } from './threads/lists.ts';
import { sample } from './threads/measure.ts';
import { changes, measureChange } from './threads/operations.ts';
import { givenThreads } from './threads/world.ts';

/** Budgets for the calls of operations to AWS: counts, never times. */

const DEPTH = 4;

/** Operations that may wait longer after authentication, and why. */
const exceptions: Record<string, { depth: number; reason: string }> = {
  createComment: {
    depth: 5,
    reason: 'the record, commenters, users, who of them sees it, then one transaction',
  },
  updateComment: {
    depth: 5,
    reason: 'mentioned users beside the pointer, the record, its items, who of them sees it, one transaction',
  },
  ...Object.fromEntries(
    ['createMembership', 'deleteMembership', 'updateGroup', 'deleteGroup'].map((name) => [
      name,
      {
        depth: 5,
        reason:
          'group and users, one transaction; then the job of the lists: its item, what is shared, its end',
      },
    ]),
  ),
  ...Object.fromEntries(
    ['applyTag', 'removeTag'].map((name) => [
      name,
      {
        depth: 6,
        reason:
          'the record, tag and taggings, one transaction; then its lists: read, custom fields, one transaction',
      },
    ]),
  ),
  showTimeline: {
    depth: 6,
    reason:
      'whose it is, and mailboxes that tell; its lists; comments and names, records, what these are linked to; who was asked',
  },
  searchRecords: {
    depth: 6,
    reason:
      'titles, their records, other texts, their records, what tells records apart; one more for linked ones',
  },
  updateDeal: {
    depth: 6,
    reason:
      'deal and stages, the last of the stage, who is told, who of them sees it, one transaction, its people',
  },
  createAccessToken: {
    depth: 5,
    reason: 'the limit, the session, its user and account, the access token, the session as it is refreshed',
  },
  createAccount: {
    depth: 6,
    reason: 'the limit, the try of the code, the try given back, the address, one transaction',
  },
  createSession: {
    depth: 6,
    reason: 'the limit, the try of the code, the try given back, the address, its user, one transaction',
  },
  restoreRecord: {
    depth: 14,
    reason:
      'the record, what it was linked to, its names and stage, one transaction; then its job: what was linked to it, its tags, its end; then the record as it is retrieved',
  },
  mergeContacts: {
    depth: 5,
    reason: 'both contacts, their addresses and places, one transaction; then the job, and the tags',
  },
  mergeDuplicate: {
    depth: 8,
    reason: 'the contact, what others have as well, these others; then as mergeContacts',
  },
  unmergeContacts: {
    depth: 5,
    reason:
      'both contacts as they were, what they are linked to, addresses and places, one transaction; then tags',
  },
  createShare: {
    depth: 12,
    reason: 'the share is given in two; then a page of the lists of those who see it',
  },
  approveShareRequest: {
    depth: 14,
    reason:
      'the request, the record and who asks, one transaction; then as createShare, and the record to show',
  },
  createShareRequest: {
    depth: 10,
    reason:
      'the counter, the record, its mailboxes, who is asked, what was asked before and how much, who sees it, one transaction',
  },
  deleteShare: {
    depth: 14,
    reason: 'the share is taken in three; then a page of the lists of those who saw it',
  },
  resolveProposals: {
    depth: 5,
    reason:
      'the proposal, its record, who has its addresses, one transaction; then what became of all of them',
  },
  createCalendarEvent: {
    depth: 5,
    reason: 'the mailbox, who is invited, places in lists, one transaction; then contacts and tags to show',
  },
  ...Object.fromEntries(
    ['updateCalendarEvent', 'respondToCalendarEvent', 'remindOfCalendarEvent'].map((name) => [
      name,
      { depth: 5, reason: 'the occurrence, its series, places in lists, one transaction; then what to show' },
    ]),
  ),
  deleteCalendarEvent: {
    depth: 9,
    reason:
      'the occurrence and its series; an item for it, in four; both again, places in lists, one transaction, one message to SQS',
  },
  createTranscript: {
    depth: 10,
    reason:
      'the occurrence and its series; an item for it, in four; both again, whether an agent follows, one transaction',
  },
  enrichContact: {
    depth: 6,
    reason:
      'the contact, the limit of questions, the last request, one transaction, one message to SQS; then its tags',
  },
  createBrief: {
    depth: 13,
    reason: 'as createTranscript, after the question was allowed and counted; then one message to SQS',
  },
  createFile: {
    depth: 9,
    reason:
      'the upload, its links, the job that would remove the bytes, copy, size, links, places, one transaction, tags',
  },
  createImport: {
    depth: 6,
    reason:
      'upload, size in S3, its beginning as cards, then as a table, one transaction, one message to SQS',
  },
  createContact: {
    depth: 5,
    reason:
      'who has its addresses, one transaction; then the last mail with new addresses, their lists, the end of that job',
  },
  retrieveCalendarIcs: {
    depth: 16,
    reason: 'the calendar; its series, with exceptions; then single events: two requests for each 250',
  },
  attachToDraft: {
    depth: 9,
    reason:
      'the draft, the upload; a file of it, as in createFile; the draft again, one transaction, its attachments',
  },
  createMailbox: {
    depth: 7,
    reason:
      'the address, two limits of attempts, the owner, other mailboxes, one transaction, one message to SQS',
  },
  deleteMailbox: {
    depth: 5,
    reason: 'the mailbox, its owner, other mailboxes, one transaction, one message to SQS',
  },
  updateMailboxCredentials: {
    depth: 7,
    reason:
      'the mailbox before the body is refused, before the sign-in and after it, two limits of attempts, one transaction, one message to SQS',
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
  // The set-up of the cases asks more questions than the rate limit allows.
  workspace.ctx.config.assistant.questions_per_minute = Number.POSITIVE_INFINITY;
  dropAssets = await withAssets(workspace.ctx);
  // Away from the first minute of an hour, in which authentication reads one more item.
  workspace.setTime(new Date('2060-01-01T10:30:00Z'));
  gateway = await startMeteredGateway(workspace.ctx, operations);
  const { ada } = workspace;
  await fill(ada);
  world = await readWorld({
    table: workspace.table,
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

let runs = 0;

async function costOfCase(name: string) {
  runs += 1;
  const call = await caseOf(name)(world, `budget-${name.toLowerCase()}-${runs}`);
  await call();
  return lastCost(name);
}

describe('every operation', bestOfFive, () => {
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

describe('authentication', bestOfFive, () => {
  it('takes two round trips and two writes with both rate limits, and nothing after them', async () => {
    const { authentication, operation } = await costOfCase('retrieveCurrentUser');
    expect(authentication).toMatchObject({ depth: 2, writes: 2 });
    expect(operation.calls).toEqual([]);
  });
});

describe('changes of state', bestOfFive, () => {
  it.each([
    'flagThread',
    'unflagThread',
    'markThreadRead',
    'markThreadUnread',
    'resolveThread',
    'reopenThread',
    'snoozeThread',
    'unsnoozeThread',
  ])('%s: takes two more round trips, and one transaction of two items', async (name) => {
    const { operation } = await costOfCase(name);
    expect(operation.depth).toBeLessThanOrEqual(2);
    expect(operation.calls.filter(({ writes }) => writes > 0)).toMatchObject([
      { command: 'TransactWriteItemsCommand', writes: 2 },
    ]);
  });
});

describe('lists of threads', bestOfFive, () => {
  let few: Place;
  let many: Place;

  beforeAll(async () => {
    const [now, words] = [workspace.ctx.now, { subject: 3, snippet: 4 }];
    const given = async (rows: number) =>
      placeOf(workspace.table, gateway.url, await givenThreads(workspace.table, { rows, now, words }));
    [few, many] = await Promise.all([given(60), given(600)]);
  }, 180_000);

  /** A third in CI. */
  const some = listCases.filter((_, i) => i % Math.min(STRIDE, 3) === 0);
  it.each(some.map((each) => ({ depth: 3, ...each })))(
    '$name: takes at most $depth round trips, and for 600 at most 1.5 times the read units of 60',
    async ({ ask, stored, depth }) => {
      const [first, second] = [
        await sample(workspace.table, !stored, () => ask(few)),
        await sample(workspace.table, !stored, () => ask(many)),
      ];
      expect(first.rows).toBeGreaterThan(0);
      expect(second.rows).toBe(first.rows);
      expect(Math.max(first.cost.depth, second.cost.depth)).toBeLessThanOrEqual(depth);
      expect(first.cost.read_units).toBeGreaterThan(0);
      expect(second.cost.read_units).toBeLessThanOrEqual(1.5 * first.cost.read_units);
    },
  );

  it('are counted up to a cap, at the cost of the cap', async () => {
    const query = { query: planted.common, cap: '10' };
    const count = async ({ api }: Place) => (await api.countThreads({ query })).body.count.total;
    const [first, second] = [
      await sample(workspace.table, true, () => count(few)),
      await sample(workspace.table, true, () => count(many)),
    ];
    expect([first.rows, second.rows]).toEqual([10, 10]);
    expect(second.cost.read_units).toBeLessThanOrEqual(1.5 * first.cost.read_units);
  });

  it('have the same cost on every page', async () => {
    const listPage = async (next_cursor?: string | null) => {
      const query = next_cursor ? { next_cursor } : {};
      const { collection } = (await many.api.listThreads({ query })).body;
      return { ...lastCost('listThreads').operation, collection };
    };
    const first = await listPage();
    let page = first;
    for (let i = 2; i <= 11; i++) page = await listPage(page.collection.page_info.next_cursor);
    expect(page.collection.records).toHaveLength(50);
    expect(page.depth).toBe(first.depth);
    expect(page.read_units).toBeLessThanOrEqual(1.2 * first.read_units);
  });

  it.each(Object.keys(changes))('%s: takes at most two write requests', async (name) => {
    expect((await measureChange(many, name, 1)).write_requests).toBeLessThanOrEqual(2);
  });
});

describe('a new message', bestOfFive, () => {
  it('reaches the lists of one user and of forty in two steps', async () => {
    const now = workspace.ctx.now;
    const measured = [];
    for (const users of [1, 40]) measured.push(await measureFanOut(workspace.table, users, now, 1));
    for (const { first, later, steps } of measured) {
      expect(first.writes).toBeGreaterThan(0);
      expect(later.writes).toBeGreaterThan(0);
      expect(steps).toBe(2);
    }
    const [one, forty] = measured;
    expect(forty?.first.depth).toBe(one?.first.depth);
    expect(forty?.later.depth).toBe(one?.later.depth);
  });
});

describe('marking all notifications read', bestOfFive, () => {
  it('costs the same for 10 and for 1,000', async () => {
    const costs = [];
    const [one, other] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
    for (const [user, count] of [
      [one, 10],
      [other, 1_000],
    ] as const) {
      // The newest are marked one by one, which happens before the measured call.
      await metered(user).markAllNotificationsRead({ body: {} });
      await givenNotifications(
        workspace,
        user,
        Array.from({ length: count }, () => 'comment_added'),
        new Date(Date.now() - 3_600_000),
      );
      await metered(user).markAllNotificationsRead({ body: {} });
      costs.push(lastCost('markAllNotificationsRead').operation);
    }
    const [few, many] = costs;
    const { depth, writes, write_units } = few as Cost;
    expect(many).toMatchObject({ depth, writes, write_units });
    expect(Math.abs((many?.read_units ?? 0) - (few?.read_units ?? 0))).toBeLessThanOrEqual(1);
    expect(many?.writes).toBe(1);
    expect(many?.depth).toBeLessThanOrEqual(3);
  });
});
