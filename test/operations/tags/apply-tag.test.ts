import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { taggable } from '#shared/composition/tagging.ts';
import { keys } from '#shared/table/keys.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { reduced } from '../../support/long.ts';
import { type GivenThread, givenThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /{record_type}/{record_id}/taggings', () => {
  let workspace: Workspace;
  let thread: GivenThread;
  beforeAll(async () => {
    workspace = await startWorkspace();
    thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
  });
  afterAll(() => workspace.stop());
  afterEach(() => vi.restoreAllMocks());

  const apply = (body: unknown, user: TestUser = workspace.grace, id = thread.id) =>
    user.api.applyTag({ params: { record_type: 'threads', record_id: id }, body: body as never });
  const newTag = async (name: string) =>
    (await workspace.grace.api.createTag({ body: { tag: { name } } })).body.tag;
  const countOf = async (id: string) =>
    (await workspace.grace.reader.retrieveTag({ params: { id } })).body.tag.thread_count;
  const tagsOf = async (id: string) =>
    (await workspace.table.get<{ tag_ids?: Set<string> }>(keys.record('threads', id)))?.tag_ids ?? new Set();

  it('200: by id; the tagging names the record, the user and the tag without counts', async () => {
    const tag = await newTag('By id');
    const { status, body } = await apply({ tag_id: tag.id.toUpperCase() });
    expect(status).toBe(200);
    expect(body.tagging).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tag_id: tag.id,
      taggable_type: 'thread',
      taggable_id: thread.id,
      user_id: workspace.grace.user.id,
      created_at: expect.stringMatching(/Z$/),
      tag,
    });
    expect(tag.thread_count).toBeNull();
    expect(await countOf(tag.id)).toBe(1);
    expect(await tagsOf(thread.id)).toContain(tag.id);
  });

  it('403 with a share to view, also to take it off; 200 with one to edit', async () => {
    const { grace, linus } = workspace;
    const tag = await newTag('For editors');
    const contact = { name: 'Shared', visibility: 'private' as const };
    const { id } = (await grace.api.createContact({ body: { contact } })).body.contact;
    const params = { record_type: 'contacts' as const, record_id: id };
    const { share } = (
      await grace.api.createShare({ params, body: { share: { user_id: linus.user.id, access: 'view' } } })
    ).body;
    const tagIt = () => linus.api.applyTag({ params, body: { tag_id: tag.id } });
    const takeOff = () => linus.api.removeTag({ params: { ...params, tag_id: tag.id } });
    for (const call of [tagIt, takeOff]) expect(await codeOf(call())).toBe('403 permission_denied');
    await grace.api.updateShare({ params: { ...params, id: share.id }, body: { share: { access: 'edit' } } });
    expect([(await tagIt()).status, (await takeOff()).status]).toEqual([200, 204]);
  });

  it('200: by name; the tag is created with the color sent', async () => {
    const { body } = await apply({ tag: { name: 'Brand new', color: '#112233' } });
    expect(body.tagging.tag).toMatchObject({ name: 'Brand new', color: '#112233', thread_count: null });
    expect(await countOf(body.tagging.tag_id)).toBe(1);
    expect(await tagsOf(thread.id)).toContain(body.tagging.tag_id);
    expect(await codeOf(workspace.ada.api.createTag({ body: { tag: { name: 'brand NEW' } } }))).toBe(
      '409 tag_name_taken',
    );
  });

  it('200: by the name of an existing tag; the tag is used as is and the color ignored', async () => {
    const tag = await newTag('Existing');
    const { body } = await apply({ tag: { name: ' EXISTING ', color: '#112233' } });
    expect(body.tagging.tag).toEqual(tag);
  });

  it('200: returns the existing tagging of a tag that the record carries, to any user', async () => {
    const tag = await newTag('Twice');
    const first = await apply({ tag_id: tag.id });
    const again = await apply({ tag_id: tag.id }, workspace.ada);
    const byName = await apply({ tag: { name: 'twice' } }, workspace.ada);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(byName.body).toEqual(first.body);
    expect(await countOf(tag.id)).toBe(1);
  });

  it('many concurrent requests make one tagging, which counts once', async () => {
    const responses = await Promise.all(
      Array.from({ length: reduced(100) }, (_, i) =>
        apply({ tag: { name: i % 2 ? 'Stampede' : 'stampede' } }, i % 3 ? workspace.ada : workspace.grace),
      ),
    );
    expect(new Set(responses.map(({ body }) => body.tagging.id)).size).toBe(1);
    expect(await countOf(responses[0]?.body.tagging.tag_id as string)).toBe(1);
  });

  it('applied and removed by many at once, the count is what the records carry', async () => {
    const tag = await newTag('Contested');
    const threads = await Promise.all(
      Array.from({ length: 4 }, () => givenThread(workspace, { users: [workspace.ada, workspace.grace] })),
    );
    await Promise.all(
      Array.from({ length: reduced(80) }, (_, i) => {
        const { id } = threads[i % 4] as GivenThread;
        const params = { record_type: 'threads' as const, record_id: id, tag_id: tag.id };
        return i % 5 < 3
          ? apply({ tag_id: tag.id }, workspace.ada, id)
          : workspace.ada.api.removeTag({ params });
      }),
    );
    const carried = await Promise.all(threads.map(async ({ id }) => (await tagsOf(id)).has(tag.id)));
    const taggings = await workspace.table.getMany(
      threads.map(({ id }) => keys.tagging('threads', id, tag.id)),
    );
    expect(await countOf(tag.id)).toBe(carried.filter(Boolean).length);
    expect(taggings).toHaveLength(carried.filter(Boolean).length);
  });

  it('uses the tag that somebody else creates with that name between reading and writing', async () => {
    const { table } = workspace;
    const transact = table.transact.bind(table);
    vi.spyOn(table, 'transact').mockImplementationOnce(async (writes) => {
      await newTag('Overtaken');
      await transact(writes);
    });
    const { body } = await apply({ tag: { name: 'overtaken' } });
    expect(body.tagging.tag?.name).toBe('Overtaken');
    expect(await countOf(body.tagging.tag_id)).toBe(1);
  });

  it('404: a record that is deleted between reading and writing, and no tag is created', async () => {
    const { table } = workspace;
    const gone = await givenThread(workspace, { users: [workspace.grace] });
    const transact = table.transact.bind(table);
    vi.spyOn(table, 'transact').mockImplementationOnce(async (writes) => {
      await table.delete(keys.record('threads', gone.id));
      await transact(writes);
    });
    expect(await codeOf(apply({ tag: { name: 'Too late' } }, workspace.grace, gone.id))).toBe(
      '404 record_not_found',
    );
    expect((await newTag('Too late')).name).toBe('Too late');
  });

  it.each([
    ['neither', {}, { tag_id: 'required' }],
    ['both', { tag_id: randomUUID(), tag: { name: 'a' } }, { tag: 'not_allowed' }],
    ['a tag_id that is no UUID', { tag_id: 'a' }, { tag_id: 'invalid_format' }],
    ['a number as tag_id', { tag_id: 1 }, { tag_id: 'invalid' }],
    ['a string as tag', { tag: 'a' }, { tag: 'invalid' }],
    ['a tag without a name', { tag: {} }, { 'tag.name': 'required' }],
    ['a blank name', { tag: { name: ' ' } }, { 'tag.name': 'required' }],
    ['a NUL in the name', { tag: { name: '\0' } }, { 'tag.name': 'invalid_format' }],
    ['a name of 10,000', { tag: { name: 'x'.repeat(10_000) } }, { 'tag.name': 'too_long' }],
    ['wrong types', { tag: { name: [], color: 7 } }, { 'tag.name': 'invalid', 'tag.color': 'invalid' }],
    ['another thread_id', { thread_id: randomUUID(), tag: { name: 'a' } }, { thread_id: 'not_allowed' }],
  ])('400: %s', async (_, body, problems) => {
    expect(await problemsOf(apply(body))).toEqual(problems);
  });

  it('404: the same for a tag of another account as for an unknown one', async () => {
    const foreign = await workspace.hank.api.createTag({ body: { tag: { name: 'Foreign' } } });
    const failures = await Promise.all(
      [foreign.body.tag.id, randomUUID()].map(async (tag_id) => (await failureOf(apply({ tag_id }))).message),
    );
    expect(failures[0]).toMatch(/^404 record_not_found/);
    expect(failures[1]).toBe(failures[0]);
  });

  it('404: a record the user does not see, and nothing is written', async () => {
    const tag = await newTag('Unseen');
    expect(await codeOf(apply({ tag_id: tag.id }, workspace.linus))).toBe('404 record_not_found');
    expect(await codeOf(apply({ tag: { name: 'Intruder' } }, workspace.hank))).toBe('404 record_not_found');
    expect(await countOf(tag.id)).toBe(0);
    expect(
      (await workspace.hank.reader.listTags()).body.collection.records.map((each) => each.name),
    ).not.toContain('Intruder');
  });

  it.each(taggable)('404: %s that do not exist', async (record_type) => {
    const params = { record_type, record_id: randomUUID() };
    const call = workspace.grace.api.applyTag({ params, body: { tag: { name: 'Nothing' } } });
    expect(await codeOf(call)).toBe('404 record_not_found');
  });

  it('403 api_key_insufficient: with a read key', async () => {
    const params = { record_type: 'threads' as const, record_id: thread.id };
    const call = workspace.grace.reader.applyTag({ params, body: { tag: { name: 'Read only' } } });
    expect(await codeOf(call)).toBe('403 api_key_insufficient');
  });

  it('200: a contact carries tags as well', async () => {
    const { body } = await workspace.grace.api.createContact({ body: { contact: { name: 'Ada Byron' } } });
    const params = { record_type: 'contacts' as const, record_id: body.contact.id };
    const applied = await workspace.grace.api.applyTag({ params, body: { tag: { name: 'Customer' } } });
    expect(applied.body.tagging.taggable_type).toBe('contact');
    const tag = await workspace.grace.reader.retrieveTag({ params: { id: applied.body.tagging.tag_id } });
    expect(tag.body.tag).toMatchObject({ contact_count: 1, thread_count: 0 });
    const contact = await workspace.grace.reader.retrieveContact({ params: { id: body.contact.id } });
    expect(contact.body.contact.tags).toEqual([applied.body.tagging.tag]);
  });
});
