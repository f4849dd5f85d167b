import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../../support/accounts.ts';
import { givenCalendar, givenEvent, shareMailbox } from '../../../support/events.ts';
import { cases, long } from '../../../support/long.ts';
import { eml, importMail, listAllThreads } from '../../../support/mail.ts';
import { onMailbox, onThread } from '../../../support/shares.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/**
 * The slice `recent` of contacts and organizations against a naive one: all records, each retrieved, of which those are
 * recent that say that they were written or met within 14 days.
 */

const DAY = 86_400_000;
const START = Date.UTC(2093, 0, 1);
/** Two thirds of all mail and meetings are older than 14 days. */
const NOW = START + 42 * DAY;
const ADDRESSES = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@met.example`);

const day = fc.double({ min: 0.1, max: 45, noNaN: true });
const who = fc.nat(2);
const which = fc.nat(20);
const held = fc.subarray(ADDRESSES, { maxLength: 2 });
const seen = fc.constantFrom('account' as const, 'account' as const, 'private' as const);
const kind = <Kind extends string>(name: Kind) => fc.constant(name);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: kind('mail'), to: fc.nat(1), day, from: fc.constantFrom(...ADDRESSES) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind('meeting'),
      of: fc.nat(1),
      day,
      with: fc.constantFrom(...ADDRESSES),
      private: fc.boolean(),
      weekly: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('addresses'), which, held, day }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('access'), of: fc.nat(1), who, on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('share'), of: fc.nat(1), which, who }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('delete'), which }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const contact = fc.record({ by: who, held, visibility: seen, at: fc.nat(2) });

async function worldOf(workspace: Workspace) {
  const users = (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
  const homes = await Promise.all(
    users.slice(0, 2).map(async (owner) => ({ owner, ...(await givenCalendar(workspace, owner)) })),
  );
  const contacts: { id: string; by: TestUser }[] = [];
  const organizations = await Promise.all(
    ['One', 'Two'].map(async (name, i) => {
      const organization = { name, visibility: i === 0 ? ('account' as const) : ('private' as const) };
      return (await users[0].api.createOrganization({ body: { organization } })).body.organization.id;
    }),
  );
  const moment = (days: number) => new Date(START + days * DAY);
  const unlessRefused = (call: Promise<unknown>) =>
    call.catch((error: { status?: number }) => {
      if ((error.status ?? 500) >= 500) throw error;
    });
  const entries = (addresses: string[]) => addresses.map((email_address) => ({ email_address }));
  let mails = 0;

  async function create(drawn: {
    by: number;
    held: string[];
    visibility: 'account' | 'private';
    at: number;
  }) {
    const by = users[drawn.by] as TestUser;
    const employer =
      by === users[0] ? organizations[drawn.at] : drawn.at === 0 ? organizations[0] : undefined;
    const draft = {
      ...{ name: `Contact ${contacts.length}`, visibility: drawn.visibility },
      email_addresses: entries(drawn.held),
      employments: employer === undefined ? [] : [{ organization: { id: employer } }],
    };
    await unlessRefused(
      by.api.createContact({ body: { contact: draft } }).then(({ body }) => {
        contacts.push({ id: body.contact.id, by });
      }),
    );
  }

  async function meet({
    of,
    day,
    with: address,
    private: secret,
    weekly,
  }: Extract<Step, { kind: 'meeting' }>) {
    const { owner, calendar_id } = homes[of] as (typeof homes)[number];
    await givenEvent(owner, calendar_id, {
      ...{
        starts_at: moment(day).toISOString(),
        ends_at: moment(day + 0.05).toISOString(),
        time_zone: 'UTC',
      },
      ...{ attendees: entries([address]), private: secret },
      ...(weekly ? { recurrence: ['FREQ=WEEKLY;COUNT=3'] } : {}),
    });
  }

  async function take(drawn: Step): Promise<void> {
    workspace.setTime(new Date(START));
    const home = 'of' in drawn ? (homes[drawn.of] as (typeof homes)[number]) : undefined;
    const at = 'which' in drawn ? contacts[drawn.which % Math.max(1, contacts.length)] : undefined;
    if (drawn.kind === 'meeting') await meet(drawn);
    if (drawn.kind === 'mail') {
      const { owner, mailbox_id } = homes[drawn.to] as (typeof homes)[number];
      const date = moment(drawn.day).toUTCString().replace('GMT', '+0000');
      const mail = eml({
        id: `${mailbox_id}-${mails++}@x`,
        from: drawn.from,
        subject: `Mail ${mails}`,
        date,
      });
      await importMail(workspace, owner, mailbox_id, [mail]);
    }
    if (drawn.kind === 'addresses' && at) {
      workspace.setTime(moment(drawn.day));
      const body = { contact: { email_addresses: entries(drawn.held) } };
      await unlessRefused(at.by.api.updateContact({ params: { id: at.id }, body }));
    }
    if (drawn.kind === 'delete' && at && contacts.length > 3) {
      await at.by.api.deleteContact({ params: { id: at.id } });
      contacts.splice(contacts.indexOf(at), 1);
    }
    if (drawn.kind === 'access' && home) {
      const user = users[drawn.who] as TestUser;
      if (user === home.owner) return;
      if (drawn.on) return shareMailbox(home.owner, home.mailbox_id, user);
      const { shares } = (await home.owner.api.listShares({ params: onMailbox(home.mailbox_id) })).body;
      const given = shares.find(({ user_id }) => user_id === user.user.id);
      if (given)
        await home.owner.api.deleteShare({ params: { ...onMailbox(home.mailbox_id), id: given.id } });
    }
    if (drawn.kind === 'share' && home) {
      const threads = await listAllThreads(home.owner.reader, { mailbox_id: home.mailbox_id });
      const thread = threads[drawn.which % Math.max(1, threads.length)];
      const share = { user_id: (users[drawn.who] as TestUser).user.id };
      if (thread)
        await unlessRefused(home.owner.api.createShare({ params: onThread(thread.id), body: { share } }));
    }
  }

  return { users, create, take };
}

interface Moments {
  created_at: string | null;
  updated_at: string | null;
  last_interaction_at: string | null;
}

const isRecent = ({ created_at, updated_at, last_interaction_at }: Moments) =>
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
async function check(
  list: (query: object) => Promise<{ id: string }[]>,
  count: (query: object) => Promise<{ total: number }>,
  retrieve: (id: string) => Promise<Moments>,
): Promise<void> {
  const recent = new Set<string>();
  for (const { id } of await list({})) if (isRecent(await retrieve(id))) recent.add(id);
  for (const inOrder of orders) {
    const all = (await list(inOrder)).map(({ id }) => id);
    const found = (await list({ ...inOrder, slice: 'recent' })).map(({ id }) => id);
    expect(found, JSON.stringify(inOrder)).toEqual(all.filter((id) => recent.has(id)));
  }
  expect(await count({ slice: 'recent' })).toMatchObject({ total: recent.size, exact: true });
  const some = Math.max(1, recent.size - 1);
  expect(await count({ slice: 'recent', cap: some })).toMatchObject({ total: Math.min(recent.size, some) });
}

const checkContacts = ({ reader }: TestUser) =>
  check(
    async (query) => (await reader.listContacts({ query })).body.collection.records,
    async (query) => (await reader.countContacts({ query })).body.count,
    async (id) => (await reader.retrieveContact({ params: { id } })).body.contact,
  );

const checkOrganizations = ({ reader }: TestUser) =>
  check(
    async (query) => (await reader.listOrganizations({ query })).body.collection.records,
    async (query) => (await reader.countOrganizations({ query })).body.count,
    async (id) => (await reader.retrieveOrganization({ params: { id } })).body.organization,
  );

describe('recent contacts and organizations', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await workspace.stop();
  });

  it('are those that were written or met within 14 days, as far as the user sees mail and meetings', async () => {
    const drawn = [
      fc.array(contact, { minLength: 6, maxLength: 8 }),
      fc.array(step, { minLength: 12, maxLength: long ? 30 : 14 }),
    ] as const;
    await fc.assert(
      fc.asyncProperty(...drawn, async (contacts, steps) => {
        workspace.setTime(new Date(START));
        const { users, create, take } = await worldOf(workspace);
        for (const each of contacts) await create(each);
        for (const each of steps) await take(each);
        workspace.setTime(new Date(NOW));
        for (const user of users) {
          await checkContacts(user);
          await checkOrganizations(user);
        }
      }),
      { numRuns: long ? 4 : 1, endOnFailure: true },
    );
  });
});
