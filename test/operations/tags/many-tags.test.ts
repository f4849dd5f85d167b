import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newTag } from '#shared/domain/collaboration/tags/create.ts';
import { tagNames } from '#shared/domain/collaboration/tags/store.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import { refusalsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { type GivenThread, givenThread } from '../../support/threads.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** The limits of tags of an account and a record. */

let workspace: Workspace;
let thread: GivenThread;
let ids: string[];

/** Taggings of a thread, as applying leaves them. */
async function carry(tag_ids: string[], record_id = thread.id): Promise<void> {
  const tagging = { account_id: workspace.account_id, record_type: 'threads', record_id };
  const created_at = new Date().toISOString();
  await workspace.table.writeMany(
    tag_ids.map((tag_id) => ({
      put: {
        ...keys.tagging('threads', record_id, tag_id),
        id: tag_id,
        tag_id,
        ...tagging,
        user_id: tag_id,
        created_at,
      },
    })),
  );
  await workspace.table.update<Thread>(keys.record('threads', record_id), {
    add: { tag_ids: new Set(tag_ids) },
  });
}

/** Written straight into the table. */
async function givenTags(count: number): Promise<string[]> {
  const description = 'd'.repeat(1_500);
  const draft = { color: null, description, applicable_to_contacts: null, applicable_to_interactions: null };
  const tags = Array.from({ length: count }, (_, i) =>
    newTag(workspace.account_id, { ...draft, name: `Tag ${i}` }, new Date()),
  );
  const writes = tags.flatMap((tag) => [tagNames.hold(tag.account_id, tag.name, tag.id), { put: tag }]);
  await workspace.table.writeMany(writes.flatMap((write) => ('put' in write ? [{ put: write.put }] : [])));
  return tags.map(({ id }) => id);
}

beforeAll(async () => {
  workspace = await startWorkspace();
  thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
  ids = await givenTags(999);
});
afterAll(() => workspace?.stop());

const params = () => ({ record_type: 'threads' as const, record_id: thread.id });
const apply = (choice: object) => workspace.grace.api.applyTag({ params: params(), body: choice });
const full = { status: 400, code: 'invalid_request', fields: { tag: { code: 'invalid' } } };

describe('an account', () => {
  it('has at most 1,000 tags, also when they are applied by name', async () => {
    const create = (name: string) => workspace.grace.api.createTag({ body: { tag: { name } } });
    const { body } = await create('The last');
    await expect(create('One too many')).rejects.toMatchObject(full);
    await expect(apply({ tag: { name: 'One too many' } })).rejects.toMatchObject(full);
    await workspace.ada.api.deleteTag({ params: { id: body.tag.id } });
    expect((await create('One instead')).status).toBe(201);
    for (const id of ids.slice(-2)) await workspace.ada.api.deleteTag({ params: { id } });
    const { id } = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
    const on = { record_type: 'threads' as const, record_id: id };
    const some = Array.from({ length: 4 }, (_, i) => [
      create(`At once ${i}`),
      workspace.grace.api.applyTag({ params: on, body: { tag: { name: `Applied at once ${i}` } } }),
    ]).flat();
    expect(await refusalsOf(some)).toEqual(Array(6).fill(400));
  });

  it('lists all of them, and up to 1,000 characters of older, longer descriptions', async () => {
    const { body } = await workspace.grace.reader.listTags();
    expect(body.collection.total_results).toBe(1_000);
    expect(body.collection.records.at(-1)?.description).toBe('d'.repeat(1_000));
  });
});

describe('a record', () => {
  it('has at most 100 tags, until one is removed', async () => {
    await carry(ids.slice(0, 99));
    await apply({ tag_id: ids[99] });
    await expect(apply({ tag_id: ids[100] })).rejects.toMatchObject(full);
    await expect(apply({ tag: { name: 'Tag 200' } })).rejects.toMatchObject(full);
    // A tag that it carries already does not count again.
    expect((await apply({ tag_id: ids[7] })).status).toBe(200);
    await workspace.ada.api.removeTag({ params: { ...params(), tag_id: ids[99] as string } });
    expect((await apply({ tag_id: ids[100] })).status).toBe(200);
    const { body } = await workspace.ada.reader.retrieveThread({ params: { id: thread.id } });
    expect(body.thread.tags).toHaveLength(100);
    expect(body.thread.tags?.[0]?.description).toHaveLength(1_000);
    const stored = await workspace.table.get<{ tag_ids: Set<string> }>(keys.record('threads', thread.id));
    expect(stored?.tag_ids.size).toBe(100);
  });

  longIt('has no more of some that are applied at once', async () => {
    const other = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
    await carry(ids.slice(0, 98), other.id);
    const on = { record_type: 'threads' as const, record_id: other.id };
    const some = ids
      .slice(100, 106)
      .map((tag_id) => workspace.grace.api.applyTag({ params: on, body: { tag_id } }));
    expect(await refusalsOf(some)).toEqual(Array(4).fill(400));
    const { body } = await workspace.ada.reader.retrieveThread({ params: { id: other.id } });
    expect(body.thread.tags).toHaveLength(100);
  });
});
