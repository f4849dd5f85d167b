import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { searchIndexOf } from '#shared/domain/collaboration/record-lists/searched.ts';
import { sortIndex } from '#shared/domain/platform/text-index/sort.ts';
import { allPostings, findState } from '#shared/domain/platform/text-index/store.ts';
import { keys } from '#shared/table/keys.ts';
import { givenDeal } from '../../../support/deals.ts';
import { cases } from '../../../support/long.ts';
import { givenContact } from '../../../support/proposals.ts';
import { doWhatIsDue } from '../../../support/purged.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** The indexes in which records are found by several words: those of the account, and of users for what not everybody sees. */

describe('records with several words', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let time = Date.now();
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace } = workspace);
  });
  beforeEach(() => workspace.setTime(new Date((time += 60_000))));
  afterAll(() => workspace.stop());

  const sort = async () => {
    for (const owner of [workspace.account_id, ada.user.id, grace.user.id])
      await sortIndex(workspace.ctx, searchIndexOf(owner), { timeIsUp: () => false, enough: 1 });
  };
  const search = async ({ reader }: TestUser, query: string, more: object = {}) =>
    (await reader.searchRecords({ query: { query, ...more } })).body.search;
  const found = async (user: TestUser, query: string, more: object = {}) =>
    (await search(user, query, more)).results.map(({ id }) => id);
  /** All that the index of an owner says, in its segments and beside them. */
  const wordsOf = async (owner: string) => {
    const { table } = workspace;
    const index = searchIndexOf(owner);
    const all: string[] = [];
    for (const { id } of (await findState(table, index))?.segments ?? [])
      for await (const { word } of allPostings(table, index, id)) all.push(word);
    const { PK } = keys.textIndex(index);
    return `${all.join(' ')} ${JSON.stringify(await table.all(PK, 'LOG#'))}`;
  };
  const states = cases<[where: string, prepare: () => Promise<void>]>(
    [['in segments', sort]],
    [['in the log', async () => {}]],
  );

  it.each(states)('are found as they are now, once each and the newest first, %s', async (how, prepare) => {
    const name = `Osprey ${how}`;
    const first = await givenDeal(ada, { name: `${name} first` });
    workspace.setTime(new Date((time += 60_000)));
    const second = await givenDeal(ada, { name: `${name} second` });
    await prepare();
    expect(await found(ada, 'osprey first')).toEqual([first.id]);
    expect(await found(ada, `osprey ${how.slice(3)}`)).toEqual([second.id, first.id]);
    workspace.setTime(new Date((time += 60_000)));
    await ada.api.updateDeal({ params: { id: first.id }, body: { deal: { name: `${name} renamed` } } });
    await prepare();
    expect(await found(ada, `osprey ${how.slice(3)}`)).toEqual([first.id, second.id]);
    expect(await found(ada, 'osprey first')).toEqual([]);
    expect(await found(ada, 'osprey renamed')).toEqual([first.id]);
    expect(await search(ada, `osprey ${how.slice(3)}`, { types: 'deal', limit: 1 })).toMatchObject({
      results: [{ id: first.id }],
      has_more: true,
    });
    expect(await found(ada, `osprey ${how.slice(3)}`, { types: 'task,contact' })).toEqual([]);
    for (const { id } of [first, second]) await ada.api.deleteDeal({ params: { id } });
    expect(await found(ada, `osprey ${how.slice(3)}`)).toEqual([]);
  });

  it.each(states)('are at the moment that they were moved to, earlier or later, %s', async (how, prepare) => {
    const due = (day: number) => `2027-01-${String(day).padStart(2, '0')}T09:00:00Z`;
    const task = async (day: number) =>
      (await ada.api.createTask({ body: { task: { name: `Plover ${how}`, due_at: due(day) } } })).body.task
        .id;
    const [one, two, three] = [await task(10), await task(20), await task(30)];
    const query = `plover ${how.slice(3)}`;
    const move = async (id: string, day: number) => {
      await ada.api.updateTask({ params: { id }, body: { task: { due_at: due(day) } } });
      await prepare();
    };
    await prepare();
    expect(await found(ada, query)).toEqual([three, two, one]);
    await move(three, 5);
    expect(await found(ada, query)).toEqual([two, one, three]);
    await move(one, 25);
    expect(await found(ada, query)).toEqual([one, two, three]);
    await move(three, 30);
    expect(await found(ada, query)).toEqual([three, one, two]);
    expect((await search(ada, query)).total).toBe(3);
  });

  it.each(states)('are only in the indexes of those who see them, %s', async (how, prepare) => {
    const name = `Sandpiper ${how.replaceAll(' ', '')}`;
    const { id } = await givenContact(ada, { name, visibility: 'private' });
    await prepare();
    const word = name.split(' ')[1]?.toLowerCase() as string;
    expect(await wordsOf(workspace.account_id)).not.toContain(word);
    expect(await wordsOf(ada.user.id)).toContain(word);
    const all = async () => [await found(ada, name), await found(grace, name)];
    expect(await all()).toEqual([[id], []]);
    await ada.api.updateContact({ params: { id }, body: { contact: { visibility: 'account' } } });
    await prepare();
    expect(await all()).toEqual([[id], [id]]);
    await ada.api.updateContact({ params: { id }, body: { contact: { visibility: 'private' } } });
    expect(await all()).toEqual([[id], []]);
    const params = { record_type: 'contacts' as const, record_id: id };
    await ada.api.createShare({ params, body: { share: { user_id: grace.user.id } } });
    await prepare();
    expect(await all()).toEqual([[id], [id]]);
    const [share] = (await ada.reader.listShares({ params })).body.shares;
    await ada.api.deleteShare({ params: { ...params, id: share?.id as string } });
    expect(await all()).toEqual([[id], []]);
    await sort();
    expect(await wordsOf(workspace.account_id)).not.toContain(word);
    expect(await wordsOf(grace.user.id)).not.toContain(word);
  });

  it('leave no words behind when they are purged, also where they were before', async () => {
    const { id } = await givenContact(ada, { name: 'Dunlin Dowitcher', visibility: 'private' });
    await sort();
    await ada.api.updateContact({ params: { id }, body: { contact: { visibility: 'account' } } });
    await sort();
    expect(await wordsOf(workspace.account_id)).toContain('dunlin;');
    const body = { contact: { name: 'Dunlin Dotterel', visibility: 'private' as const } };
    await ada.api.updateContact({ params: { id }, body });
    await sortIndex(workspace.ctx, searchIndexOf(ada.user.id), { timeIsUp: () => false, enough: 1 });
    for (const owner of [workspace.account_id, ada.user.id])
      expect(await wordsOf(owner)).toContain('dunlin;');
    await ada.api.deleteContact({ params: { id } });
    expect(await found(ada, 'dunlin dow')).toEqual([]);
    await doWhatIsDue(workspace);
    workspace.setTime(new Date((time += 31 * 86_400_000)));
    await doWhatIsDue(workspace);
    for (const owner of [workspace.account_id, ada.user.id])
      expect(await wordsOf(owner)).not.toContain('dunlin');
  });

  it('are found by beginnings of one character, by words of a name and others, and by more than are looked up', async () => {
    const email_addresses = [{ email_address: 'q.whimbrel@marsh.example' }];
    const { id } = await givenContact(ada, { name: 'Quill Xanthe Yarrow Zephyr Wren', email_addresses });
    workspace.setTime(new Date((time += 60_000)));
    const { id: other } = await givenContact(ada, { name: 'Quill Xanthe Yarrow Zephyr Wrasse' });
    for (const prepare of [async () => {}, sort]) {
      await prepare();
      expect(await found(ada, 'q z y x')).toEqual([other, id]);
      expect(await found(ada, 'quill marsh')).toEqual([id]);
      expect(await found(ada, 'quill xanthe yarrow zephyr wre')).toEqual([id]);
      expect(await found(ada, 'quill marsh', { types: 'organization' })).toEqual([]);
    }
  });

  it('are found by words longer than the index keeps', async () => {
    const long = 'x'.repeat(90);
    const { id } = await givenContact(ada, { name: `${long} Turnstone` });
    await givenContact(ada, { name: `${'x'.repeat(80)} Turnstone` });
    for (const prepare of [async () => {}, sort]) {
      await prepare();
      expect(await found(ada, `turnstone ${long}`)).toEqual([id]);
    }
  });
});
