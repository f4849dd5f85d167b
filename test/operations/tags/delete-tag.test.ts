import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { longIt, reduced } from '../../support/long.ts';
import { bestOfFive } from '../../support/meter.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import {
  expectCleanedUp,
  expectConsistent,
  givenTagged,
  openCleanUps,
  runCleanUps,
} from '../../support/tags.ts';
import { type GivenThread, givenThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** No queue runs here: responses are those before the clean-up has begun. */
describe('DELETE /tags/{id}', () => {
  let workspace: Workspace;
  let thread: GivenThread;
  let contact_id: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
    const { body } = await workspace.ada.api.createContact({ body: { contact: { name: 'Somebody' } } });
    contact_id = body.contact.id;
  });
  afterAll(() => workspace.stop());
  afterEach(async () => {
    vi.restoreAllMocks();
    await expectConsistent(workspace.table, workspace.account_id);
    for (const { id } of await listed()) await remove(id);
    await runCleanUps(workspace);
    const { taggings } = await expectCleanedUp(workspace.table, workspace.account_id);
    expect(taggings).toEqual([]);
  });

  const create = async (name: string, user: TestUser = workspace.ada) =>
    (await user.api.createTag({ body: { tag: { name } } })).body.tag;
  const remove = (id: string, body?: unknown, user: TestUser = workspace.ada) =>
    user.api.deleteTag({ params: { id }, ...(body === undefined ? {} : { body: body as never }) });
  const onThread = () => ({ record_type: 'threads' as const, record_id: thread.id });
  const onContact = () => ({ record_type: 'contacts' as const, record_id: contact_id });
  const apply = async (tag_id: string, params: { record_type: 'threads' | 'contacts'; record_id: string }) =>
    (await workspace.ada.api.applyTag({ params, body: { tag_id } })).body.tagging;
  const names = (tags: { name: string }[] | null | undefined) => tags?.map(({ name }) => name);
  const listed = async () => (await workspace.ada.reader.listTags()).body.collection.records;
  const countsOf = async (id: string) =>
    (await workspace.ada.reader.retrieveTag({ params: { id } })).body.tag;

  /** The names of tags wherever a response shows those of thread and contact. */
  async function shown() {
    const { reader } = workspace.ada;
    const threads = (await reader.listThreads()).body.collection.records;
    const contacts = (await reader.listContacts()).body.collection.records;
    return {
      thread: names((await reader.retrieveThread({ params: { id: thread.id } })).body.thread.tags),
      threads: names(threads.find(({ id }) => id === thread.id)?.tags),
      contact: names((await reader.retrieveContact({ params: { id: contact_id } })).body.contact.tags),
      contacts: names(contacts.find(({ id }) => id === contact_id)?.tags),
    };
  }
  const everywhere = (tags: string[]) => ({ thread: tags, threads: tags, contact: tags, contacts: tags });

  it('204: without a replacement no response shows the tag from then on', async () => {
    const tag = await create('Deleted');
    await apply(tag.id, onThread());
    await apply(tag.id, onContact());
    expect(await shown()).toEqual(everywhere(['Deleted']));
    const { status, body } = await remove(tag.id);
    expect([status, body]).toEqual([204, null]);
    expect(await shown()).toEqual(everywhere([]));
    expect((await listed()).map(({ id }) => id)).not.toContain(tag.id);
    expect(await codeOf(workspace.ada.reader.retrieveTag({ params: { id: tag.id } }))).toBe(
      '404 record_not_found',
    );
    await runCleanUps(workspace);
    expect(await shown()).toEqual(everywhere([]));
  });

  longIt('204: with a replacement every record that carried the tag shows the replacement', async () => {
    const [old, next] = [await create('Old'), await create('Next')];
    await apply(old.id, onThread());
    await apply(old.id, onContact());
    await remove(old.id, { replacement_tag_id: next.id.toUpperCase() });
    expect(await shown()).toEqual(everywhere(['Next']));
    expect(await countsOf(next.id)).toMatchObject({ thread_count: 1, contact_count: 1, deal_count: 0 });
    await runCleanUps(workspace);
    expect(await shown()).toEqual(everywhere(['Next']));
    expect(await countsOf(next.id)).toMatchObject({ thread_count: 1, contact_count: 1, deal_count: 0 });
  });

  longIt('204: records that carry both show the replacement once, and count once', async () => {
    const [old, next] = [await create('Old'), await create('Next')];
    const kept = await apply(next.id, onThread());
    await apply(old.id, onThread());
    await apply(old.id, onContact());
    await remove(old.id, { replacement_tag_id: next.id });
    for (const cleanUp of [() => Promise.resolve(), () => runCleanUps(workspace)]) {
      await cleanUp();
      expect(await shown()).toEqual(everywhere(['Next']));
      expect(await countsOf(next.id)).toMatchObject({ thread_count: 1, contact_count: 1 });
      expect((await listed()).find(({ id }) => id === next.id)).toMatchObject({
        thread_count: 1,
        contact_count: 1,
      });
      expect((await apply(next.id, onThread())).id).toBe(kept.id);
    }
  });

  longIt('204: null means no replacement', async () => {
    const tag = await create('Nulled');
    await apply(tag.id, onThread());
    expect((await remove(tag.id, { replacement_tag_id: null })).status).toBe(204);
    expect((await shown()).thread).toEqual([]);
  });

  it('204: an empty body means no replacement', async () => {
    expect((await remove((await create('Bare')).id, {})).status).toBe(204);
  });

  longIt('keeps who applied the tag and when, as a tagging of the replacement', async () => {
    const [old, next] = [await create('Old'), await create('Next')];
    const before = await apply(old.id, onThread());
    await remove(old.id, { replacement_tag_id: next.id });
    const responses = [await apply(next.id, onThread())];
    await runCleanUps(workspace);
    responses.push(await apply(next.id, onThread()));
    for (const response of responses) expect(response).toEqual({ ...before, tag_id: next.id, tag: next });
  });

  longIt('frees the name at once', async () => {
    const tag = await create('Reusable');
    await apply(tag.id, onThread());
    await remove(tag.id);
    const again = await create('REUSABLE');
    expect((await shown()).thread).toEqual([]);
    expect(await countsOf(again.id)).toMatchObject({ thread_count: 0 });
  });

  longIt('a tag that is applied by the name of a deleted one is a new tag', async () => {
    const tag = await create('Phoenix');
    await apply(tag.id, onThread());
    await remove(tag.id);
    const params = onThread();
    const { body } = await workspace.ada.api.applyTag({ params, body: { tag: { name: 'phoenix' } } });
    expect(body.tagging.tag_id).not.toBe(tag.id);
    expect(await countsOf(body.tagging.tag_id)).toMatchObject({ thread_count: 1 });
  });

  longIt(
    '404: a deleted tag can be neither applied, removed, changed, deleted nor used as replacement',
    async () => {
      const [tag, other] = [await create('Dead'), await create('Living')];
      await apply(tag.id, onThread());
      await remove(tag.id, { replacement_tag_id: other.id });
      const { api } = workspace.ada;
      const params = { id: tag.id };
      expect([
        await codeOf(api.applyTag({ params: onThread(), body: { tag_id: tag.id } })),
        await codeOf(api.removeTag({ params: { ...onThread(), tag_id: tag.id } })),
        await codeOf(api.updateTag({ params, body: { tag: { color: '#000000' } } })),
        await codeOf(api.retrieveTag({ params })),
        await codeOf(api.deleteTag({ params })),
        await codeOf(remove(other.id, { replacement_tag_id: tag.id })),
      ]).toEqual(Array.from({ length: 6 }, () => '404 record_not_found'));
    },
  );

  longIt('removing the replacement removes both, and applying it does nothing', async () => {
    const [old, next] = [await create('Old'), await create('Next')];
    for (const tag of [old, next]) await apply(tag.id, onThread());
    await apply(old.id, onContact());
    await remove(old.id, { replacement_tag_id: next.id });
    await apply(next.id, onContact());
    expect(await countsOf(next.id)).toMatchObject({ thread_count: 1, contact_count: 1 });
    for (const params of [onThread(), onContact()])
      await workspace.ada.api.removeTag({ params: { ...params, tag_id: next.id } });
    expect(await shown()).toEqual(everywhere([]));
    expect(await countsOf(next.id)).toMatchObject({ thread_count: 0, contact_count: 0 });
    await runCleanUps(workspace);
    expect(await shown()).toEqual(everywhere([]));
  });

  longIt(
    'a replacement that is replaced in turn shows the last one, and one that is deleted shows nothing',
    async () => {
      const tags = await Promise.all(['First', 'Second', 'Third'].map((name) => create(name)));
      const [first, second, third] = tags.map(({ id }) => id) as [string, string, string];
      for (const id of [first, third]) await apply(id, onThread());
      for (const id of [first, second]) await apply(id, onContact());
      await remove(first, { replacement_tag_id: second });
      await remove(second, { replacement_tag_id: third });
      expect(await shown()).toEqual(everywhere(['Third']));
      expect(await countsOf(third)).toMatchObject({ thread_count: 1, contact_count: 1 });
      await remove(third);
      expect(await shown()).toEqual(everywhere([]));
    },
  );

  it('the tags of another account stay', async () => {
    const foreign = await create('Shared name', workspace.hank);
    await remove((await create('Shared name')).id);
    expect((await workspace.hank.reader.retrieveTag({ params: { id: foreign.id } })).status).toBe(200);
  });

  longIt('makes the same calls to the table for few and many records', bestOfFive, async () => {
    const costs = [];
    for (const number of [10, reduced(400)]) {
      const [old, next] = [await create(`Many ${number}`), await create(`More ${number}`)];
      await givenTagged(workspace, workspace.account_id, [old.id], number);
      costs.push(
        await countRequestTrips(workspace, workspace.ada, () =>
          remove(old.id, { replacement_tag_id: next.id }),
        ),
      );
      expect(await countsOf(next.id)).toMatchObject({ contact_count: number });
      await remove(next.id);
    }
    expect(costs[1]).toEqual(costs[0]);
    // Two of authentication, the two tags, one transaction.
    expect(costs[0]?.depth).toBe(4);
  });

  longIt('403 permission_denied: for users who are not admins, and nothing changes', async () => {
    const tag = await create('Guarded');
    await apply(tag.id, onThread());
    for (const user of [workspace.grace, workspace.linus]) {
      expect(await codeOf(remove(tag.id, undefined, user))).toBe('403 permission_denied');
      expect(await codeOf(user.session.deleteTag({ params: { id: tag.id } }))).toBe('403 permission_denied');
    }
    expect((await shown()).thread).toEqual(['Guarded']);
    expect(await openCleanUps(workspace)).toEqual([]);
  });

  it('204: for an admin who does not own the account', async () => {
    const tag = await create('Administered');
    const key = keys.user(workspace.account_id, workspace.grace.user.id);
    const become = (role: User['role']) => workspace.table.update<User>(key, { set: { role } });
    await become('admin');
    expect((await remove(tag.id, undefined, workspace.grace)).status).toBe(204);
    await become('member');
  });

  it('404 before 403: for a tag that a member does not see', async () => {
    const foreign = await create('Foreign', workspace.hank);
    const tag = await create('Seen');
    for (const id of [foreign.id, randomUUID()])
      expect(await codeOf(remove(id, undefined, workspace.grace))).toBe('404 record_not_found');
    expect(await codeOf(remove(tag.id, { replacement_tag_id: foreign.id }, workspace.grace))).toBe(
      '404 record_not_found',
    );
  });

  longIt('404: the same for a foreign, deleted or unknown tag or replacement', async () => {
    const tag = await create('Unharmed');
    const foreign = await create('Strange', workspace.hank);
    const gone = await create('Gone');
    await remove(gone.id);
    const ids = [foreign.id, gone.id, randomUUID()];
    const failures = await Promise.all([
      ...ids.map((id) => failureOf(remove(id))),
      ...ids.map((id) => failureOf(remove(tag.id, { replacement_tag_id: id }))),
    ]);
    expect(new Set(failures.map(({ message }) => message)).size).toBe(1);
    expect(failures[0]).toMatchObject({ status: 404, code: 'record_not_found' });
    expect((await listed()).map(({ id }) => id)).toContain(tag.id);
  });

  it('400: the tag itself as its replacement', async () => {
    const tag = await create('Ouroboros');
    for (const id of [tag.id, tag.id.toUpperCase()])
      expect(await problemsOf(remove(tag.id, { replacement_tag_id: id }))).toEqual({
        replacement_tag_id: 'invalid',
      });
    expect((await listed()).map(({ id }) => id)).toContain(tag.id);
  });

  it.each([
    ['no UUID', 'x', 'invalid_format'],
    ['empty', '', 'invalid_format'],
    ['a number', 1, 'invalid'],
    ['an object', {}, 'invalid'],
    ['a list', [randomUUID()], 'invalid'],
    ['a boolean', false, 'invalid'],
  ])('400: a replacement_tag_id that is %s', async (_, replacement_tag_id, code) => {
    const tag = await create(`Bad ${randomUUID()}`);
    expect(await problemsOf(remove(tag.id, { replacement_tag_id }))).toEqual({ replacement_tag_id: code });
  });

  it('404: deleted twice', async () => {
    const tag = await create('Twice');
    await remove(tag.id);
    expect(await codeOf(remove(tag.id))).toBe('404 record_not_found');
  });

  longIt('20 concurrent deletions give one 204, and one clean-up', async () => {
    const tag = await create('Contested');
    await apply(tag.id, onThread());
    const responses = await Promise.all(
      Array.from({ length: 20 }, () =>
        remove(tag.id).then(
          ({ status }) => `${status}`,
          (error) => `${error.status}`,
        ),
      ),
    );
    expect(responses.toSorted()).toEqual(['204', ...Array.from({ length: 19 }, () => '404')]);
    expect(await openCleanUps(workspace)).toHaveLength(1);
  });

  longIt('one of two tags is left that replace each other at once', async () => {
    const [one, two] = [await create('One'), await create('Two')];
    await apply(one.id, onThread());
    await apply(two.id, onThread());
    const responses = await Promise.allSettled([
      remove(one.id, { replacement_tag_id: two.id }),
      remove(two.id, { replacement_tag_id: one.id }),
    ]);
    expect(responses.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const left = (await listed()).filter(({ name }) => ['One', 'Two'].includes(name));
    expect(left).toMatchObject([{ thread_count: 1 }]);
  });

  it('a replacement that is deleted between reading and writing is a 404', async () => {
    const [old, next] = [await create('Old'), await create('Next')];
    const { table } = workspace;
    const transact = table.transact.bind(table);
    vi.spyOn(table, 'transact').mockImplementationOnce(async (writes) => {
      await remove(next.id);
      await transact(writes);
    });
    expect(await codeOf(remove(old.id, { replacement_tag_id: next.id }))).toBe('404 record_not_found');
    expect((await listed()).map(({ id }) => id)).toContain(old.id);
  });

  it('a tag that is renamed between reading and writing is deleted with its new name', async () => {
    const tag = await create('Before');
    const { table } = workspace;
    const transact = table.transact.bind(table);
    vi.spyOn(table, 'transact').mockImplementationOnce(async (writes) => {
      await workspace.ada.api.updateTag({ params: { id: tag.id }, body: { tag: { name: 'After' } } });
      await transact(writes);
    });
    await remove(tag.id);
    for (const name of ['Before', 'After']) await create(name);
  });

  it('a tag that is deleted while it is applied is not applied', async () => {
    const tag = await create('Racing');
    const { table } = workspace;
    const transact = table.transact.bind(table);
    vi.spyOn(table, 'transact').mockImplementationOnce(async (writes) => {
      await remove(tag.id);
      await transact(writes);
    });
    const call = workspace.ada.api.applyTag({ params: onThread(), body: { tag_id: tag.id } });
    expect(await codeOf(call)).toBe('404 record_not_found');
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const tag = await create('Read only');
    expect(await codeOf(workspace.ada.reader.deleteTag({ params: { id: tag.id } }))).toBe(
      '403 api_key_insufficient',
    );
  });
});
