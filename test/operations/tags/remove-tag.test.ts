import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf } from '../../support/failures.ts';
import { meanwhile } from '../../support/faults.ts';
import { long, reduced } from '../../support/long.ts';
import { givenTagged } from '../../support/tags.ts';
import { type GivenThread, givenThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /{record_type}/{record_id}/taggings/{tag_id}', () => {
  let workspace: Workspace;
  let thread: GivenThread;
  beforeAll(async () => {
    workspace = await startWorkspace();
    thread = await givenThread(workspace, { users: [workspace.grace] });
  });
  afterAll(() => workspace.stop());
  afterEach(() => vi.restoreAllMocks());

  const apply = async (name: string) => {
    const params = { record_type: 'threads' as const, record_id: thread.id };
    return (await workspace.grace.api.applyTag({ params, body: { tag: { name } } })).body.tagging;
  };
  const remove = (tag_id: string, user: TestUser = workspace.grace) =>
    user.api.removeTag({ params: { record_type: 'threads', record_id: thread.id, tag_id } });
  const countOf = async (id: string) =>
    (await workspace.grace.reader.retrieveTag({ params: { id } })).body.tag.thread_count;
  const tagIds = async () =>
    (await workspace.table.get<{ tag_ids?: Set<string> }>(keys.record('threads', thread.id)))?.tag_ids;

  it('204: the tag leaves the record and stays in the account', async () => {
    const { tag_id } = await apply('Leaving');
    const other = await apply('Staying');
    const { status, body } = await remove(tag_id);
    expect([status, body]).toEqual([204, null]);
    expect(await tagIds()).toEqual(new Set([other.tag_id]));
    expect(await countOf(tag_id)).toBe(0);
    expect(await countOf(other.tag_id)).toBe(1);
  });

  it('204: a tag that is not carried changes nothing', async () => {
    const { body } = await workspace.grace.api.createTag({ body: { tag: { name: 'Never applied' } } });
    expect((await remove(body.tag.id)).status).toBe(204);
    expect(await countOf(body.tag.id)).toBe(0);
  });

  it('204: twice counts once', async () => {
    const { tag_id } = await apply('Removed twice');
    await remove(tag_id);
    expect((await remove(tag_id)).status).toBe(204);
    expect(await countOf(tag_id)).toBe(0);
  });

  it('204: many concurrent requests count once', async () => {
    const { tag_id } = await apply('Removed by many');
    const responses = await Promise.all(Array.from({ length: reduced(50) }, () => remove(tag_id)));
    expect(responses.every(({ status }) => status === 204)).toBe(true);
    expect(await countOf(tag_id)).toBe(0);
  });

  it('204: somebody else who removes it between reading and writing is counted once', async () => {
    const { table } = workspace;
    const { tag_id } = await apply('Overtaken');
    const transact = table.transact.bind(table);
    vi.spyOn(table, 'transact').mockImplementationOnce(async (writes) => {
      await transact(writes);
      await transact(writes);
    });
    expect((await remove(tag_id)).status).toBe(204);
    expect(await countOf(tag_id)).toBe(0);
  });

  if (long)
    it('204: removes more taggings of replaced tags than fit into one transaction', async () => {
      const { ada, table, account_id } = workspace;
      const tagOf = async (name: string) =>
        (await ada.api.createTag({ body: { tag: { name } } })).body.tag.id;
      const kept = await tagOf('Kept');
      const next = await tagOf('Next');
      const old: string[] = [];
      for (let i = 0; i < 52; i++) old.push(await tagOf(`Old ${i}`));
      const { body } = await ada.api.createContact({ body: { contact: { name: 'Moira Bell' } } });
      const { id } = body.contact;
      const [tagged] = await givenTagged(workspace, account_id, [...old, kept], 1);
      // The contact carries what was written for a record of its type.
      const { PK } = keys.record('contacts', tagged as string);
      for (const item of await table.all(PK, 'TAGGING#'))
        await table.put({ ...item, PK: keys.record('contacts', id).PK, record_id: id, rank: id });
      await table.update<Contact>(keys.record('contacts', id), { set: { tag_ids: new Set([...old, kept]) } });
      for (const item of await table.all(PK)) await table.delete({ PK, SK: item.SK });
      for (const tag_id of old)
        await ada.session.deleteTag({ params: { id: tag_id }, body: { replacement_tag_id: next } });
      const params = { record_type: 'contacts' as const, record_id: id };
      const shown = async () =>
        (await ada.reader.retrieveContact({ params: { id } })).body.contact.tags?.map((tag) => tag.id);
      expect((await shown())?.toSorted()).toEqual([kept, next].toSorted());
      // Interrupted in the middle, after the lists of the first part, the record still carries the rest.
      const cut = meanwhile(
        table,
        'TransactWriteItemsCommand',
        () => Promise.reject(new Error('Cut off')),
        3,
      );
      expect(await codeOf(ada.api.removeTag({ params: { ...params, tag_id: next } }))).toBe('500 error');
      cut.remove();
      const rest = await table.all<{ tag_id: string }>(keys.record('contacts', id).PK, 'TAGGING#');
      const record = await table.get<{ tag_ids?: Set<string> }>(keys.record('contacts', id));
      expect(record?.tag_ids).toEqual(new Set(rest.map(({ tag_id }) => tag_id)));
      expect(rest.length).toBe(53 - 45);
      expect((await ada.api.removeTag({ params: { ...params, tag_id: next } })).status).toBe(204);
      expect(await shown()).toEqual([kept]);
      const left = await table.all<{ tag_id: string }>(keys.record('contacts', id).PK, 'TAGGING#');
      expect(left.map(({ tag_id }) => tag_id)).toEqual([kept]);
    });

  it('applying again makes a new tagging', async () => {
    const first = await apply('Again');
    await remove(first.tag_id);
    const second = await apply('Again');
    expect(second.id).not.toBe(first.id);
    expect(await countOf(first.tag_id)).toBe(1);
  });

  it('404: the id of the tagging instead of the tag', async () => {
    const tagging = await apply('By tagging id');
    expect(await codeOf(remove(tagging.id))).toBe('404 record_not_found');
    expect(await countOf(tagging.tag_id)).toBe(1);
  });

  it('404: a tag of another account, a random id, a malformed one', async () => {
    const foreign = await workspace.hank.api.createTag({ body: { tag: { name: 'Foreign' } } });
    for (const id of [foreign.body.tag.id, randomUUID(), 'x'])
      expect(await codeOf(remove(id))).toBe('404 record_not_found');
  });

  it('404: a record the user does not see keeps its tag', async () => {
    const { tag_id } = await apply('Guarded');
    for (const user of [workspace.linus, workspace.hank])
      expect(await codeOf(remove(tag_id, user))).toBe('404 record_not_found');
    expect(await countOf(tag_id)).toBe(1);
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const { tag_id } = await apply('Read only');
    const params = { record_type: 'threads' as const, record_id: thread.id, tag_id };
    expect(await codeOf(workspace.grace.reader.removeTag({ params }))).toBe('403 api_key_insufficient');
  });
});
