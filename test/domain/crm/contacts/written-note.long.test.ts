import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { AnyItem } from '#shared/table/table.ts';
import { countersOf, listedItems } from '../../../support/listed.ts';
import { givenContact } from '../../../support/proposals.ts';
import { countRequestTrips } from '../../../support/round-trips.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Contacts that were written since a moment, in the order of their names: more than are read whole and sorted. */

const MANY = 720;
const DAY = 86_400_000;
const NOW = Date.UTC(2060, 0, 1, 10, 30);

describe('contacts written since a moment, by name', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ada = workspace.ada;
    const { table } = workspace;
    const { id } = await givenContact(ada);
    const model = (await table.get<Contact>(keys.record('contacts', id))) as Contact;
    const items: AnyItem[] = [];
    for (let i = 0; i < MANY; i++) {
      const written = new Date(NOW - (i % 2 === 0 ? 1 : 30) * DAY + i);
      const copy = newId(written);
      const name = `${String(i).padStart(3, '0')} ${i % 2 === 0 ? 'New' : 'Old'}`;
      const contact: Contact = {
        ...model,
        ...keys.record('contacts', copy),
        ...{ id: copy, name, visibility: i % 10 === 4 ? 'private' : 'account' },
        user_id: i % 10 === 4 ? workspace.grace.user.id : model.user_id,
        created_at: new Date(NOW - 60 * DAY).toISOString(),
        updated_at: written.toISOString(),
      };
      const listed = await listedItems(table, contactIndex, contact);
      // As before there were notes: the record decides.
      items.push(...(i % 7 === 0 ? listed.map(({ written: _, ...item }) => item as AnyItem) : listed));
    }
    await ada.api.deleteContact({ params: { id } });
    await table.writeMany([...items, ...countersOf(items)].map((put) => ({ put })));
  });
  afterAll(() => workspace.stop());

  const numbers = [...Array(MANY).keys()].filter((i) => i % 2 === 0 && i % 10 !== 4);
  const queries = [{ slice: 'recent' }, { updated_after: new Date(NOW - 14 * DAY).toISOString() }];

  it.each(queries)('%o: three round trips for a page, all of them full', async (query) => {
    const found: number[] = [];
    let next_cursor: string | null = null;
    do {
      const asked = { ...query, ...(next_cursor ? { next_cursor } : {}) } as never;
      let names: string[] = [];
      const { depth } = await countRequestTrips(workspace, ada, async () => {
        const { collection } = (await ada.reader.listContacts({ query: asked })).body;
        names = collection.records.map(({ name }) => name);
        next_cursor = collection.page_info.next_cursor;
      });
      expect(names.length === 50 || next_cursor === null).toBe(true);
      // One of them authenticates.
      expect(depth).toBeLessThanOrEqual(4);
      found.push(...names.map((name) => Number(name.slice(0, 3))));
    } while (next_cursor);
    expect(found).toEqual(numbers);
    workspace.setTime(new Date(NOW));
    const { count } = (await ada.reader.countContacts({ query: query as never })).body;
    workspace.setTime(undefined);
    expect(count.total).toBe(numbers.length);
  });

  it('follows a change', async () => {
    const { reader, api } = ada;
    workspace.setTime(new Date(NOW));
    const { records } = (await reader.listContacts({ query: { query: '001' } })).body.collection;
    await api.updateContact({
      params: { id: records[0]?.id as string },
      body: { contact: { headline: 'x' } },
    });
    const first = (await reader.listContacts({ query: { slice: 'recent' } })).body.collection.records;
    workspace.setTime(undefined);
    expect(first.slice(0, 3).map(({ name }) => name)).toEqual(['000 New', '001 Old', '002 New']);
  });
});
