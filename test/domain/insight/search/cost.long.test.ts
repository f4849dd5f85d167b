import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { AnyItem } from '#shared/table/table.ts';
import { listedItems, sortRecords } from '../../../support/listed.ts';
import { bestOfFive, measureTable, splitCost } from '../../../support/meter.ts';
import { givenTeam } from '../../../support/pipelines.ts';
import { putAtOnce } from '../../../support/seeding.ts';
import { entryOf, givenThread, writeListed } from '../../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** What a page of results costs, among few and many contacts and threads. */

const FEW = 60;
const MANY = 1_000;

/** Sequential round trips after authentication, and read units, of any first page. */
const DEPTH = 6;
const UNITS = 400;

describe('pages of results', () => {
  let workspace: Workspace;
  const owners = new Map<number, TestUser>();

  async function givenContacts({ api }: TestUser, count: number): Promise<void> {
    const { table } = workspace;
    const { id } = (await api.createContact({ body: { contact: { name: 'Model' } } })).body.contact;
    const model = (await table.get<Contact>(keys.record('contacts', id))) as Contact;
    const items: AnyItem[] = [];
    for (let i = 0; i < count; i++) {
      const created = new Date(Date.now() - i * 60_000);
      const copy = newId(created);
      const email_address = `person${i}@strand.example`;
      const contact: Contact = {
        ...model,
        ...keys.record('contacts', copy),
        id: copy,
        name: `${i % 2 === 0 ? 'Anna' : 'Boris'} Kelp${i}`,
        email_addresses: [{ id: newId(created), email_address, label: null, primary: true }],
        created_at: created.toISOString(),
      };
      items.push(...(await listedItems(table, contactIndex, contact)));
    }
    await table.writeMany(items.map((put) => ({ put })));
    await sortRecords(table, [model.account_id]);
  }

  async function givenThreads(owner: TestUser, count: number): Promise<void> {
    const { mailbox_id } = await givenThread(workspace, { users: [owner] });
    await putAtOnce(workspace.table, async (gathering) => {
      for (let i = 0; i < count; i++) {
        const sent = Date.now() - i * 60_000;
        const id = newId(new Date(sent));
        const thread: Thread = {
          ...{ ...keys.record('threads', id), id, account_id: owner.user.account_id, version: 1, shares: {} },
          mailbox_ids: new Set([mailbox_id]),
        };
        await gathering.put(thread);
        const entry = entryOf(owner, thread, `Timetable ${i} of the ferry`, sent);
        const participant_names = { [`person${i}@strand.example`]: `Anna Kelp${i}` };
        await writeListed(gathering, { ...entry, participant_names });
      }
    });
  }

  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    for (const count of [FEW, MANY]) {
      const { owner } = await givenTeam(workspace);
      await givenContacts(owner, count);
      await givenThreads(owner, count);
      owners.set(count, owner);
    }
  }, 600_000);
  afterAll(() => workspace.stop());

  async function costOf(count: number, query: object) {
    const { reader } = owners.get(count) as TestUser;
    let results = 0;
    const cost = await measureTable(workspace.table, async () => {
      results = (await reader.searchRecords({ query: query as never })).body.search.results.length;
    });
    return { ...splitCost(cost, 'read').operation, results };
  }

  it.each<[string, object, number]>([
    ['a word of half of them', { query: 'anna' }, 20],
    ['a word of all threads', { query: 'timetable' }, 20],
    ['a prefix of three letters', { query: 'kel' }, 20],
    ['one letter', { query: 'k' }, 20],
    ['a domain of all of them', { query: 'strand.example' }, 20],
    ['an address', { query: 'person7@strand.example' }, 2],
    ['two words of which one is rare', { query: 'anna kelp12' }, 1],
    ['a word of nothing', { query: 'nobody' }, 0],
  ])('%s: six round trips at most', bestOfFive, async (_, query, least) => {
    const [few, many] = [await costOf(FEW, query), await costOf(MANY, query)];
    expect(few.depth).toBeLessThanOrEqual(DEPTH);
    expect(many.results).toBeGreaterThanOrEqual(least);
    expect(many.depth).toBeLessThanOrEqual(DEPTH);
    // DynamoDB takes a unit for a query without results, and DynamoDB Local none.
    expect(many.read_units + many.calls.length).toBeLessThanOrEqual(UNITS);
  });
});
