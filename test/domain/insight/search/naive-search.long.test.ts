import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiFailure } from '#shared/api/client.ts';
import { Dice } from '../../../support/dice.ts';
import { reduced, rounds } from '../../../support/long.ts';
import { naiveSearch, SearchWorld, visibleDocs } from '../../../support/search-world.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** A search finds what a naive one over all that the user sees finds, in the same order, page by page. */

const SEED = 81;
/** For each of two users: a thousand in all. */
const QUESTIONS = rounds(24, 500);

describe('a search', () => {
  let workspace: Workspace;
  let world: SearchWorld;
  const dice = new Dice(SEED);
  let users: TestUser[];

  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
    users = [workspace.ada, workspace.grace];
    world = new SearchWorld(workspace, dice);
    for (let i = 0; i < reduced(160); i++) await world.addRecord(dice.pick(users));
    await world.addMail(users, reduced(80));
    await world.shareThreads(workspace.ada, workspace.grace);
    await world.addEvents(workspace.ada, workspace.grace, reduced(64));
  }, 300_000);
  afterAll(() => workspace.stop());

  /** Within the limit of requests. */
  async function patiently<T>(ask: () => Promise<{ body: T }>): Promise<T> {
    for (;;)
      try {
        return (await ask()).body;
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.status !== 429) throw error;
        await setTimeout(5_000);
      }
  }

  async function pagesOf({ reader }: TestUser, query: string, limit: number) {
    const found: string[] = [];
    const scores: number[] = [];
    for (let page = 1; ; page++) {
      const { search } = await patiently(() => reader.searchRecords({ query: { query, page, limit } }));
      found.push(...search.results.map(({ type, id }) => `${type} ${id}`));
      scores.push(...search.results.map(({ score }) => score));
      expect(search.results.length === limit || !search.has_more, query).toBe(true);
      if (search.has_more) continue;
      // Results long before the last page are not all read.
      expect(found.length > 200 ? [found.length, null] : [found.length], query).toContain(search.total);
      expect(scores, query).toEqual(scores.toSorted((a, b) => b - a));
      return found;
    }
  }

  async function compare(count: number) {
    for (const user of users) {
      const docs = await visibleDocs(workspace, user);
      for (let i = 0; i < count; i++) {
        const query = world.question(docs);
        if (query.trim() === '') continue;
        const found = await pagesOf(user, query, dice.chance(20) ? dice.int(5, 50) : 50);
        expect(found, `seed ${SEED}: ${JSON.stringify(query)}`).toEqual(naiveSearch(docs, query));
      }
    }
  }

  it('finds what a naive search finds, in the stated order', () => compare(QUESTIONS), 600_000);

  it('finds changes at once: renamed, merged, deleted and restored records', async () => {
    // As many questions as before used up the requests of a minute.
    if (QUESTIONS > 300) await setTimeout(60_000);
    const [ada] = users as [TestUser];
    const { api } = ada;
    const [first, second, third] = [
      await world.addContact(ada),
      await world.addContact(ada),
      await world.addContact(ada),
    ];
    const ids = async (query: string) =>
      (await patiently(() => ada.reader.searchRecords({ query: { query } }))).search.results.map(
        ({ id }) => id,
      );
    await api.updateContact({ params: { id: first.id }, body: { contact: { name: 'Quartermaster' } } });
    expect(await ids('quarterm')).toEqual([first.id]);
    await api.updateContact({ params: { id: second.id }, body: { contact: { name: 'Coxswain' } } });
    await api.mergeContacts({ params: { contact_id: first.id }, body: { contact_id_to_merge: second.id } });
    expect(await ids('coxsw')).toEqual([]);
    await api.updateContact({ params: { id: third.id }, body: { contact: { name: 'Helmsman' } } });
    await api.deleteContact({ params: { id: third.id } });
    expect(await ids('helmsman')).toEqual([]);
    await api.restoreRecord({ params: { record_type: 'contacts', record_id: third.id } });
    expect(await ids('helmsman')).toEqual([third.id]);
    await compare(Math.ceil(QUESTIONS / 10));
  }, 300_000);
});
