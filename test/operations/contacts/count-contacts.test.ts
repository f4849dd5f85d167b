import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remove, restore } from '../../support/deletions.ts';
import { mergeWhole, unmergeWhole } from '../../support/duplicates.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { expectCounted } from '../../support/list-places.ts';
import { long } from '../../support/long.ts';
import { givenContact } from '../../support/proposals.ts';
import { runRemovals } from '../../support/removed-records.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /contacts/count', () => {
  let workspace: Workspace;
  let hank: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ hank } = workspace);
    for (const name of ['Ann One', 'Ann Two', 'Bo Three']) await givenContact(hank, { name });
    await givenContact(hank, { name: 'Ann Four', visibility: 'private' });
  });
  afterAll(() => workspace.stop());

  const ask = (query: object) => hank.reader.countContacts({ query });
  const count = async (query: object = {}) => (await ask(query)).body.count;

  it('200: exact without a cap, and below it', async () => {
    expect(await count()).toEqual({ total: 4, exact: true, capped: false, cap: null });
    expect(await count({ query: 'ann', cap: 4 })).toEqual({ total: 3, exact: true, capped: false, cap: 4 });
  });

  it('200: stops at the cap', async () => {
    expect(await count({ cap: 2 })).toEqual({ total: 2, exact: false, capped: true, cap: 2 });
    expect(await count({ query: 'ann', cap: 3 })).toEqual({ total: 3, exact: false, capped: true, cap: 3 });
  });

  it('200: of another account nothing', async () => {
    expect((await workspace.grace.reader.countContacts()).body.count.total).toBe(0);
  });

  it.each([
    ['slice', 'theirs', 'invalid'],
    ['cap', '0', 'invalid'],
    ['tags', 'no-id', 'invalid_format'],
    ['updated_after', 'yesterday', 'invalid_format'],
    ['query', ' ', 'required'],
    ['email_address', 'nobody', 'invalid_format'],
  ])('400: %s %s', async (name, value, code) => {
    expect(await problemsOf(ask({ [name]: value }))).toEqual({ [name]: code });
  });

  it('404: a tag of nobody', async () => {
    expect(await codeOf(ask({ tags: randomUUID() }))).toBe('404 record_not_found');
  });
});

describe('GET /contacts/count, of what is counted as it comes and goes', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());

  const counted = [{}, { slice: 'mine' }, { slice: 'unemployed' }] as const;

  /** The same as the lists have, for everybody. */
  async function expectRight() {
    await runRemovals(workspace);
    for (const { reader } of [workspace.ada, workspace.grace])
      for (const query of counted) {
        const { records } = (await reader.listContacts({ query })).body.collection;
        expect((await reader.countContacts({ query })).body.count.total, JSON.stringify(query)).toBe(
          records.length,
        );
      }
    await expectCounted(workspace.table);
  }

  it('200: the numbers of the lists after any change, also of two contacts with one share of the number', async () => {
    const { ada, grace } = workspace;
    const drafts = Array.from({ length: long ? 40 : 20 }, (_, i) => ({
      name: `Contact ${i}`,
      ...(i % 4 === 0 ? { visibility: 'private' as const } : {}),
    }));
    const made = await Promise.all(drafts.map((draft, i) => givenContact(i % 3 ? ada : grace, draft)));
    await expectRight();
    const own = made.filter(({ user_id }) => user_id === ada.user.id);
    const alike = (visibility: string) => own.filter((each) => each.visibility === visibility);
    // Of some 20 open ones some end alike.
    const [open] = alike('private');
    const into = alike('account').find(({ id }) => id.at(-1) === open?.id.at(-1)) ?? alike('account')[0];
    if (!into || !open) throw new Error('There are no two contacts.');
    await mergeWhole(workspace, ada, into.id, open.id);
    await expectRight();
    await unmergeWhole(workspace, ada, into.id, open.id);
    await expectRight();
    const params = { id: into.id };
    await ada.api.updateContact({ params, body: { contact: { visibility: 'private' } } });
    await ada.api.updateContact({
      params,
      body: { contact: { employments: [{ title: 'Pilot', current: true }] } },
    });
    await expectRight();
    await Promise.all(own.slice(5, 15).map(({ id }) => remove.contacts(ada, id)));
    await expectRight();
    for (const { id } of own.slice(5, 8)) await restore(ada, 'contacts', id);
    await expectRight();
  });

  it('200: reads the numbers of the account and the caller, and no contact', async () => {
    const { ada } = workspace;
    for (const query of counted) {
      const { calls } = await countRequestTrips(workspace, ada, () => ada.api.countContacts({ query }));
      // Three of authentication, and one for the names of tags, which is read beside.
      expect(calls.slice(3)).toEqual(Array(3).fill('QueryCommand'));
    }
  });
});
