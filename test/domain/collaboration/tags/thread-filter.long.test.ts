import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextEntry, stateOf, valuesOf } from '#shared/domain/mail/threads/entry.ts';
import { writeEntry } from '#shared/domain/mail/threads/lists/write-entry.ts';
import type { ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import { codeOf } from '../../../support/failures.ts';
import { failCall } from '../../../support/faults.ts';
import { STRIDE } from '../../../support/long.ts';
import { allItems, openCleanUps, runCleanUps, runListJobs } from '../../../support/tags.ts';
import { givenThread } from '../../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

describe('threads by tag', () => {
  let workspace: Workspace;
  let threads: string[];
  beforeEach(async () => {
    workspace = await startWorkspace({ own_table: true });
    const { ada, grace } = workspace;
    threads = [];
    for (let i = 0; i < 3; i++) threads.push((await givenThread(workspace, { users: [ada, grace] })).id);
  });
  afterEach(() => workspace.stop());

  const create = async (name: string) =>
    (await workspace.ada.api.createTag({ body: { tag: { name } } })).body.tag.id;
  const on = (i: number) => ({ record_type: 'threads' as const, record_id: threads[i] as string });
  const apply = (i: number, tag_id: string) =>
    workspace.ada.api.applyTag({ params: on(i), body: { tag_id } });
  const untag = (i: number, tag_id: string) => workspace.ada.api.removeTag({ params: { ...on(i), tag_id } });
  const remove = (id: string, replacement_tag_id: string | null = null) =>
    workspace.ada.api.deleteTag({ params: { id }, body: { replacement_tag_id } });

  /** The numbers of the threads that match the filter; list and count agree. */
  async function found(tags: string, query = {}, user: TestUser = workspace.ada): Promise<number[]> {
    const { collection } = (await user.reader.listThreads({ query: { tags, ...query } })).body;
    const { count } = (await user.reader.countThreads({ query: { tags, ...query } })).body;
    expect(count.total).toBe(collection.records.length);
    return collection.records.map(({ id }) => threads.indexOf(id)).toSorted();
  }

  const expire = (tag_id: string) => workspace.table.delete(keys.tag(workspace.account_id, tag_id));
  /** The number of postings of the tag, over all users. */
  const places = async (tag_id: string) =>
    (await allItems(workspace.table)).filter(({ PK }) => PK.startsWith('LIST#') && PK.includes(tag_id))
      .length;

  it('finds a tag as soon as it is applied, for everyone who sees the thread, and not after it is removed', async () => {
    const tag = await create('Found');
    await apply(0, tag);
    await workspace.ada.api.applyTag({ params: on(2), body: { tag: { name: 'found' } } });
    for (const user of [workspace.ada, workspace.grace]) expect(await found(tag, {}, user)).toEqual([0, 2]);
    expect(await found(tag, {}, workspace.linus)).toEqual([]);
    await untag(0, tag);
    for (const user of [workspace.ada, workspace.grace]) expect(await found(tag, {}, user)).toEqual([2]);
    expect(await places(tag)).toBe(2);
  });

  it('a new tag that is applied by name is found', async () => {
    const { body } = await workspace.ada.api.applyTag({
      params: on(1),
      body: { tag: { name: 'Brand new' } },
    });
    expect(await found(body.tagging.tag_id)).toEqual([1]);
  });

  it('the replacement finds the threads of a deleted tag, before, while and after the clean-up, and when it is forgotten', async () => {
    const [old, next, other] = [await create('Old'), await create('Next'), await create('Other')];
    await apply(0, old);
    for (const tag of [old, next]) await apply(1, tag);
    for (const tag of [old, other]) await apply(2, tag);
    await remove(old, next);
    const expected = async () => {
      expect(await found(next)).toEqual([0, 1, 2]);
      expect(await found(`${next},${other}`, { tag_operator: 'all' })).toEqual([2]);
    };
    await expected();
    await runCleanUps(workspace);
    await expected();
    await expire(old);
    await expected();
    expect([await places(old), await places(next)]).toEqual([0, 6]);
  });

  it('a tag that is deleted without a replacement leaves its lists', async () => {
    const [tag, other] = [await create('Gone'), await create('Other')];
    for (const i of [0, 1]) await apply(i, tag);
    await apply(1, other);
    await remove(tag);
    await runCleanUps(workspace);
    expect([await places(tag), await places(other)]).toEqual([0, 2]);
    expect(await found(other)).toEqual([1]);
  });

  it('404: a deleted tag as filter', async () => {
    const [tag, next] = [await create('Gone'), await create('Next')];
    await remove(tag, next);
    expect(await codeOf(workspace.ada.reader.listThreads({ query: { tags: tag } }))).toBe(
      '404 record_not_found',
    );
    expect(await codeOf(workspace.ada.reader.countThreads({ query: { tags: `${next},${tag}` } }))).toBe(
      '404 record_not_found',
    );
  });

  it('removing the replacement takes a thread out that still carried the deleted tag', async () => {
    const [old, next] = [await create('Old'), await create('Next')];
    for (const tag of [old, next]) await apply(0, tag);
    await apply(1, old);
    await remove(old, next);
    await untag(0, next);
    expect(await found(next)).toEqual([1]);
    await runCleanUps(workspace);
    await expire(old);
    expect(await found(next)).toEqual([1]);
    expect([await places(old), await places(next)]).toEqual([0, 2]);
  });

  it('applied and removed by many at once, the filter keeps what carries the tag', async () => {
    const tag = await create('Contested');
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => (i % 5 < 3 ? apply(i % 3, tag) : untag(i % 3, tag))),
    );
    await runListJobs(workspace);
    const carried: number[] = [];
    for (const i of threads.keys()) {
      const thread = await workspace.table.get<{ tag_ids?: Set<string> }>(
        keys.record('threads', threads[i] as string),
      );
      if (thread?.tag_ids?.has(tag)) carried.push(i);
    }
    expect(await found(tag)).toEqual(carried);
    expect(await places(tag)).toBe(2 * carried.length);
  });

  it('a tag that is applied again while its removal reaches the lists is found', async () => {
    const tag = await create('Back again');
    await apply(0, tag);
    const { table } = workspace;
    const write = table.writeMany.bind(table);
    const spy = vi.spyOn(table, 'writeMany').mockImplementation(async (writes) => {
      spy.mockRestore();
      await apply(0, tag);
      await write(writes);
    });
    await untag(0, tag);
    expect(await found(tag)).toEqual([0]);
    expect(await places(tag)).toBe(2);
  });

  it('a thread that gets mail while a tag on it is replaced is found', async () => {
    const [old, next] = [await create('Old'), await create('Next')];
    await apply(0, old);
    await remove(old, next);
    const key = keys.threadEntry(workspace.ada.user.id, threads[0] as string);
    const { table } = workspace;
    const transact = table.transact.bind(table);
    const spy = vi.spyOn(table, 'transact').mockImplementation(async (writes) => {
      spy.mockRestore();
      const before = (await table.get<ThreadEntry>(key)) as ThreadEntry;
      const rank = `${timeRank(Date.now() + 60_000)}#${threads[0]}`;
      const values = { ...valuesOf(before), version: before.version + 1, rank, inbox_rank: rank };
      await writeEntry(table, before, nextEntry(before, values, stateOf(before)), [old]);
      await transact(writes);
    });
    await runCleanUps(workspace);
    await expire(old);
    expect(await found(next)).toEqual([0]);
  });

  it('whichever call of the clean-up fails, every thread is found in the end', {
    timeout: 120_000,
  }, async () => {
    for (let call = 1, reached = true; reached; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        const [old, next] = [await create(`Old ${call} ${when}`), await create(`Next ${call} ${when}`)];
        for (const i of [0, 1]) await apply(i, old);
        await apply(1, next);
        await remove(old, next);
        const fault = failCall(workspace.table, call, when);
        await runCleanUps(workspace).catch(() => undefined);
        fault.remove();
        reached = fault.hit;
        await runCleanUps(workspace);
        await runListJobs(workspace);
        expect(await openCleanUps(workspace)).toEqual([]);
        await expire(old);
        expect(await found(next)).toEqual([0, 1]);
      }
  });

  it('finds the thread after the job is sent again, whichever call of applying fails', {
    timeout: 120_000,
  }, async () => {
    for (let call = 1, reached = true; reached; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        const tag = await create(`Tag ${call} ${when}`);
        const fault = failCall(workspace.table, call, when);
        await apply(0, tag).catch(() => undefined);
        fault.remove();
        reached = fault.hit;
        await apply(0, tag);
        await runListJobs(workspace);
        expect(await found(tag)).toEqual([0]);
      }
  });
});
