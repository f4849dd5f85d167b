import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenCalendar, givenEvent, shareMailbox } from '../../support/events.ts';
import { longIt } from '../../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../../support/mail.ts';
import { takeMailbox } from '../../support/mailbox-access.ts';
import { bestOfFive } from '../../support/meter.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { givenContact } from '../../support/proposals.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { onThread } from '../../support/shares.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

const DAY = 86_400_000;
/** Contacts created in parallel. */
const AT_ONCE = 10;

describe('GET /contacts?slice=recent', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  const now = Date.UTC(2061, 5, 30, 12);
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    ({ ada, grace } = workspace);
    workspace.setTime(new Date(now));
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await workspace.stop();
  });

  const at = (days: number) => new Date(now + days * DAY);
  let made = 0;

  /** Contacts that were written a year ago, with an address for each. */
  async function given(user: TestUser, names: string[], more: object = {}) {
    const mark = `x${made++}.example`;
    workspace.setTime(at(-365));
    const create = async (name: string) => {
      const email_addresses = [
        { email_address: `${name}@other.${mark}` },
        { email_address: `${name}@${mark}` },
      ];
      await givenContact(user, { name: `${name} of ${mark}`, email_addresses, ...more });
    };
    for (let i = 0; i < names.length; i += AT_ONCE)
      await Promise.all(names.slice(i, i + AT_ONCE).map(create));
    workspace.setTime(at(0));
    const recent = async (reader: TestUser, query: object = {}) => {
      const names: (string | undefined)[] = [];
      let next_cursor: string | null = null;
      do {
        const asked: object = { slice: 'recent', ...query, ...(next_cursor ? { next_cursor } : {}) };
        const { collection } = (await reader.reader.listContacts({ query: asked as never })).body;
        const own = collection.records.filter(({ name }) => name.endsWith(mark));
        names.push(...own.map(({ name }) => name.split(' ')[0]));
        next_cursor = collection.page_info.next_cursor;
      } while (next_cursor);
      return names;
    };
    const write = (user: TestUser, mailbox: string, from: string[], days: number) => {
      const date = at(days).toUTCString().replace('GMT', '+0000');
      const mail = from.map((name) =>
        eml({ id: `${name}${days}@${mark}`, from: `${name}@${mark}`, subject: `From ${name}`, date }),
      );
      return importMail(workspace, user, mailbox, mail);
    };
    const meet = (user: TestUser, calendar_id: string, name: string, from: number, to: number, more = {}) =>
      givenEvent(user, calendar_id, {
        ...{ starts_at: at(from).toISOString(), ends_at: at(to).toISOString(), time_zone: 'UTC' },
        ...{ attendees: [{ email_address: `${name}@${mark}` }], ...more },
      });
    return { mark, recent, write, meet };
  }

  it('has those with mail within 14 days, by any of their addresses, as far as the user sees it', async () => {
    const { recent, write } = await given(grace, ['tom', 'una', 'vic']);
    const mailbox = await givenMailbox(workspace, ada);
    await write(ada, mailbox, ['tom'], -13.9);
    await write(ada, mailbox, ['una'], -14.1);
    expect([await recent(ada), await recent(grace)]).toEqual([['tom'], []]);
    await shareMailbox(ada, mailbox, grace);
    expect(await recent(grace)).toEqual(['tom']);
    await takeMailbox(workspace, grace, mailbox);
    expect(await recent(grace)).toEqual([]);
    const [thread] = await listAllThreads(ada.reader, { subject: 'From tom', mailbox_id: mailbox });
    const body = { share: { user_id: grace.user.id } };
    await ada.api.createShare({ params: onThread(thread?.id as string), body });
    expect(await recent(grace)).toEqual(['tom']);
  });

  longIt(
    'has those with meetings that are over, not with later ones, nor private ones of others',
    async () => {
      const { recent, meet } = await given(grace, ['over', 'old', 'under-way', 'later', 'secret', 'weekly']);
      const { mailbox_id, calendar_id } = await givenCalendar(workspace, ada);
      await shareMailbox(ada, mailbox_id, grace);
      await meet(ada, calendar_id, 'over', -2, -1.9);
      await meet(ada, calendar_id, 'old', -15, -14.9);
      await meet(ada, calendar_id, 'under-way', -0.01, 0.01);
      await meet(ada, calendar_id, 'later', 1, 1.1);
      await meet(ada, calendar_id, 'secret', -3, -2.9, { private: true });
      await meet(ada, calendar_id, 'weekly', -50, -49.9, { recurrence: ['FREQ=WEEKLY'] });
      expect(await recent(ada)).toEqual(['over', 'secret', 'weekly']);
      expect(await recent(grace)).toEqual(['over', 'weekly']);
      workspace.setTime(at(1.2));
      expect(await recent(grace)).toEqual(['later', 'over', 'under-way', 'weekly']);
      workspace.setTime(at(0));
    },
  );

  longIt('does not show hidden contacts, whoever met them', async () => {
    const { recent, write } = await given(grace, ['hidden'], { visibility: 'private' });
    const mailbox = await givenMailbox(workspace, ada);
    await write(ada, mailbox, ['hidden'], -1);
    expect([await recent(ada), await recent(grace)]).toEqual([[], []]);
    await shareMailbox(ada, mailbox, grace);
    expect(await recent(grace)).toEqual(['hidden']);
  });

  longIt(
    'pages through those that were written and those that were met together, in each order',
    async () => {
      const names = Array.from({ length: 56 }, (_, i) => `n${String(i).padStart(2, '0')}`);
      const { mark, recent, write } = await given(grace, names);
      const mailbox = await givenMailbox(workspace, ada);
      await write(ada, mailbox, names.slice(0, 30), -3);
      for (const name of names.slice(20, 52)) {
        const query = { email_address: `${name}@${mark}` };
        const [found] = (await ada.reader.listContacts({ query })).body.collection.records;
        const body = { contact: { headline: name } };
        await grace.api.updateContact({ params: { id: found?.id as string }, body });
      }
      for (const sort of ['name', 'updated_at'])
        for (const order of ['asc', 'desc']) {
          const query = { sort, order, ...(sort === 'name' ? { query: mark } : {}) };
          const all = await recent(ada, { ...query, slice: 'all' });
          const left = all.filter((name) => (name as string) < 'n52');
          expect(await recent(ada, query), `${sort} ${order}`).toEqual(left);
        }
      const counted = await ada.reader.countContacts({ query: { slice: 'recent', query: mark } });
      expect(counted.body.count).toEqual({ total: 52, exact: true, capped: false, cap: null });
    },
  );

  longIt('has the organizations of those whom the user sees and met', async () => {
    const open = await givenOrganization(grace, { name: 'Open' });
    const closed = await givenOrganization(grace, { name: 'Closed' });
    const employ = (...ids: string[]) => ({ employments: ids.map((id) => ({ organization: { id } })) });
    workspace.setTime(at(30));
    const seen = await given(grace, ['seen'], employ(open.id));
    const hidden = await given(grace, ['private'], { ...employ(closed.id), visibility: 'private' });
    workspace.setTime(at(30));
    const mailbox = await givenMailbox(workspace, ada);
    await seen.write(ada, mailbox, ['seen'], 29);
    await hidden.write(ada, mailbox, ['private'], 29);
    workspace.setTime(at(30));
    const recent = async ({ reader }: TestUser) => {
      const query = { slice: 'recent' as const };
      const [{ body }, counted] = await Promise.all([
        reader.listOrganizations({ query }),
        reader.countOrganizations({ query }),
      ]);
      const names = body.collection.records.map(({ name }) => name);
      expect(counted.body.count.total).toBe(names.length);
      return names;
    };
    expect([await recent(ada), await recent(grace)]).toEqual([['Open'], []]);
    await shareMailbox(ada, mailbox, grace);
    expect(await recent(grace)).toEqual(['Closed', 'Open']);
    workspace.setTime(at(0));
  });

  it('costs two round trips more than another slice, however much mail there is', bestOfFive, async () => {
    const trips = async (slice: 'all' | 'recent') =>
      (await countRequestTrips(workspace, ada, () => ada.reader.listContacts({ query: { slice } }))).depth;
    workspace.setTime(at(0));
    expect(await trips('recent')).toBeLessThanOrEqual((await trips('all')) + 2);
  });
});
