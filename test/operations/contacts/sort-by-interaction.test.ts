import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenCalendar, givenEvent } from '../../support/events.ts';
import { codeOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { givenContact } from '../../support/proposals.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const DAY = 86_400_000;
const LAST = 'last_interaction_at';

/** Besides test/domain/crm/contacts/met.long.test.ts, which compares the order with what records say themselves. */
describe('GET /contacts?sort=last_interaction_at', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let mailbox: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada } = workspace);
    mailbox = await givenMailbox(workspace, ada);
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await workspace.stop();
  });

  const address = (name: string) => `${name}@sort.example`;
  const given = (name: string, more: object = {}) =>
    givenContact(ada, { name, email_addresses: [{ email_address: address(name) }], ...more });
  const write = (drafts: Parameters<typeof eml>[0][]) => importMail(workspace, ada, mailbox, drafts.map(eml));
  const on = (day: number) => `${String(day).padStart(2, '0')} Oct 2026 10:00:00 +0000`;
  const names = async (query: object = {}, user = ada) => {
    const found: string[] = [];
    const lengths: number[] = [];
    let next_cursor: string | null = null;
    do {
      const asked: object = { sort: LAST, ...query, ...(next_cursor ? { next_cursor } : {}) };
      const { collection } = (await user.reader.listContacts({ query: asked as never })).body;
      found.push(...collection.records.map(({ name }) => name));
      lengths.push(collection.records.length);
      next_cursor = collection.page_info.next_cursor;
    } while (next_cursor);
    expect(lengths.slice(0, -1).every((length) => length === 50)).toBe(true);
    return found;
  };

  it('begins with the newest when no order is sent, and ends with those without one in both orders', async () => {
    for (const name of ['tom', 'una', 'vic', 'wim']) await given(name);
    await write([
      { id: 'una@x', from: address('una'), date: on(2) },
      { id: 'tom@x', from: address('tom'), date: on(1) },
    ]);
    expect(await names()).toEqual(['una', 'tom', 'wim', 'vic']);
    expect(await names({ order: 'asc' })).toEqual(['tom', 'una', 'vic', 'wim']);
    const { collection } = (await ada.reader.listContacts({ query: { sort: LAST } })).body;
    expect([collection.sort, collection.order]).toEqual([LAST, 'desc']);
    const { hank } = workspace;
    expect(await names({}, hank)).toEqual([]);
  });

  it('counts messages from and to the person, not later ones of the thread', async () => {
    await write([
      { id: 'cc1@x', from: address('tom'), cc: address('vic'), subject: 'Both', date: on(3) },
      { id: 'cc2@x', from: address('tom'), in_reply_to: 'cc1@x', subject: 'Re: Both', date: on(4) },
    ]);
    expect(await names()).toEqual(['tom', 'vic', 'una', 'wim']);
  });

  it('moves people with their addresses', async () => {
    const xia = await given('xia', { email_addresses: [] });
    const { id } = await given('yan');
    await write([{ id: 'yan@x', from: address('yan'), date: on(5) }]);
    expect(await names()).toEqual(['yan', 'tom', 'vic', 'una', 'xia', 'wim']);
    await ada.api.updateContact({ params: { id }, body: { contact: { email_addresses: [] } } });
    expect(await names()).toEqual(['tom', 'vic', 'una', 'yan', 'xia', 'wim']);
    const email_addresses = [{ email_address: address('yan') }, { email_address: address('unknown') }];
    await ada.api.updateContact({ params: { id: xia.id }, body: { contact: { email_addresses } } });
    expect(await names()).toEqual(['xia', 'tom', 'vic', 'una', 'yan', 'wim']);
    await ada.api.deleteContact({ params: { id: xia.id } });
    expect(await names()).toEqual(['tom', 'vic', 'una', 'yan', 'wim']);
    await given('zoe', { email_addresses: [{ email_address: address('yan') }] });
    expect(await names()).toEqual(['zoe', 'tom', 'vic', 'una', 'yan', 'wim']);
  });

  it('counts meetings when they are over, for a year', async () => {
    const { grace } = workspace;
    const { calendar_id } = await givenCalendar(workspace, grace);
    const start = Date.UTC(2027, 0, 1, 10);
    const at = (hours: number) => new Date(start + hours * 3_600_000);
    const meet = (name: string, from: number, to: number) =>
      givenEvent(grace, calendar_id, {
        ...{ starts_at: at(from).toISOString(), ends_at: at(to).toISOString(), time_zone: 'UTC' },
        attendees: [{ email_address: address(name) }],
      });
    workspace.setTime(at(-24));
    await meet('wim', 0, 1);
    await meet('vic', 0.5, 5);
    const first = async () => (await names({}, grace)).slice(0, 2);
    workspace.setTime(at(0.9));
    expect(await first()).toEqual(['zoe', 'yan']);
    workspace.setTime(at(1));
    expect(await first()).toEqual(['wim', 'zoe']);
    workspace.setTime(at(5));
    expect(await first()).toEqual(['vic', 'wim']);
    workspace.setTime(new Date(start + 365 * DAY + 2 * 3_600_000));
    expect(await first()).toEqual(['vic', 'zoe']);
    workspace.setTime(undefined);
  });

  it('pages through people of one moment and those without one', async () => {
    const group = Array.from({ length: 57 }, (_, i) => `g${i}`);
    const made = await Promise.all(group.map((name) => given(name)));
    const byId = made.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ name }) => name);
    const to = group.map(address);
    await write([
      { id: 'g@x', from: address('tom'), to: to.join(', '), date: on(1) },
      { id: 'once@x', from: address('g7'), date: on(20) },
    ]);
    const one = byId.filter((name) => name !== 'g7');
    const all = ['g7', 'zoe', 'tom', 'vic', 'una', ...one.toReversed(), 'yan', 'wim'];
    expect(await names()).toEqual(all);
    const ascending = [...one, 'una', 'vic', 'tom', 'zoe', 'g7', 'wim', 'yan'];
    expect(await names({ order: 'asc' })).toEqual(ascending);
  });

  it('keeps the filters, and refuses cursors of other orders', async () => {
    expect(await names({ query: 'tom' })).toEqual(['tom']);
    expect(await names({ email_address: `${address('una')},${address('vic')}` })).toEqual(['vic', 'una']);
    expect(await names({ slice: 'pinned' })).toEqual([]);
    const { collection } = (await ada.reader.listContacts({ query: { sort: LAST } })).body;
    const next_cursor = collection.page_info.next_cursor as string;
    for (const query of [{ next_cursor }, { sort: LAST, order: 'asc' as const, next_cursor }])
      expect(await codeOf(ada.reader.listContacts({ query }))).toBe('400 invalid_cursor');
  });

  longIt('has organizations by their people that the user sees', async () => {
    const list = async ({ reader }: TestUser) => {
      const { records } = (await reader.listOrganizations({ query: { sort: LAST } })).body.collection;
      return records.map(({ name }) => name);
    };
    const employ = async (name: string, organization: string, more: object = {}) => {
      const { id } = await givenOrganization(ada, { name: organization });
      await given(name, { employments: [{ organization: { id } }], ...more });
    };
    await employ('near', 'Near');
    await employ('far', 'Far', { visibility: 'private' });
    await employ('none', 'None');
    await write([
      { id: 'near@x', from: address('near'), date: on(11) },
      { id: 'far@x', from: address('far'), date: on(12) },
    ]);
    expect(await list(ada)).toEqual(['Far', 'Near', 'None']);
    expect(await list(workspace.grace)).toEqual(['None', 'Far', 'Near']);
  });

  const trips = async (user: TestUser, sort: 'name' | typeof LAST) =>
    (await countRequestTrips(workspace, user, () => user.reader.listContacts({ query: { sort } }))).depth;

  it('reads a page in two round trips more than by name: of one moment there are more than a page', async () => {
    expect(await trips(ada, LAST)).toBeLessThanOrEqual((await trips(ada, 'name')) + 2);
  });

  it('reads no more round trips than by name when nobody was met', async () => {
    const { hank } = workspace;
    for (const name of ['a', 'b']) await givenContact(hank, { name });
    expect(await trips(hank, LAST)).toBe(await trips(hank, 'name'));
  });
});
