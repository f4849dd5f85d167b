import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { givenContact } from '../../support/proposals.ts';
import { givenSpace, join, readSpace } from '../../support/spaces.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /spaces/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const change = (id: string, space: object, user = ada) =>
    user.api.updateSpace({ params: { id }, body: { space: space as never } });
  const none = { contact_ids: null, organization_ids: null, thread_count: null, open_task_count: null };
  const givenTag = async () =>
    (await ada.api.createTag({ body: { tag: { name: randomUUID() } } })).body.tag.id;

  it('200: changes what is sent, clears what is null, keeps the rest; the same again changes nothing', async () => {
    const draft = { description: 'x', color: '#000000', icon: 'x' };
    const before = await givenSpace(ada, draft);
    const sent = { name: ' Other ', description: null, icon: ' ', archived: true };
    const { space } = (await change(before.id, sent, linus)).body;
    expect(space).toEqual({
      ...{ ...before, ...none, comments: null, tasks: null, name: 'Other', description: null, icon: null },
      ...{ archived: true, updated_at: expect.stringMatching(/Z$/) },
    });
    expect((await change(before.id, sent)).body.space).toEqual(space);
    expect((await change(before.id, {})).body.space).toEqual(space);
  });

  it('200: tags replace all tags; those of records, and unknown ones, are refused', async () => {
    const [first, second] = [await givenTag(), await givenTag()];
    const { id } = await givenSpace(ada, { kind: 'tags', tag_ids: [first] });
    expect((await change(id, { tag_operator: 'all' })).body.space.tag_ids).toEqual([first]);
    expect((await change(id, { tag_ids: [second, second] })).body.space.tag_ids).toEqual([second]);
    expect(await codeOf(change(id, { tag_ids: [first, randomUUID()] }))).toBe('404 record_not_found');
    expect((await change(id, { tag_ids: [] })).body.space.tag_ids).toEqual([]);
    const records = await givenSpace(ada);
    expect(await problemsOf(change(records.id, { tag_ids: [first] }))).toEqual({ tag_ids: 'invalid' });
    expect((await change(records.id, { tag_ids: [], tag_operator: 'all' })).status).toBe(200);
  });

  it('shows the replacement of a deleted tag, once, and none without one', async () => {
    const [first, second, third] = [await givenTag(), await givenTag(), await givenTag()];
    const { id } = await givenSpace(ada, { kind: 'tags', tag_ids: [first, second, third] });
    await ada.api.deleteTag({ params: { id: first }, body: { replacement_tag_id: second } });
    await ada.api.deleteTag({ params: { id: third } });
    expect((await readSpace(linus, id)).tag_ids).toEqual([second]);
    // Who sends back what was shown changes nothing that is seen.
    expect((await change(id, { tag_ids: [second] })).body.space.tag_ids).toEqual([second]);
  });

  it.each<[string, object, Record<string, string>]>([
    ['the kind', { kind: 'tags' }, { kind: 'not_allowed' }],
    ['the same kind', { kind: 'records' }, { kind: 'not_allowed' }],
    [
      'members',
      { contact_ids: [], organization_ids: [] },
      { contact_ids: 'not_allowed', organization_ids: 'not_allowed' },
    ],
    [
      'counts',
      { thread_count: 0, open_task_count: 0 },
      { thread_count: 'not_allowed', open_task_count: 'not_allowed' },
    ],
    ['an owner', { user_id: randomUUID() }, { user_id: 'not_allowed' }],
    ['null for the name', { name: null }, { name: 'invalid' }],
    ['null for the tags', { tag_ids: null }, { tag_ids: 'invalid' }],
    ['null for archived', { archived: null }, { archived: 'invalid' }],
  ])('400: %s', async (_, sent, problems) => {
    const { id } = await givenSpace(ada);
    expect(await problemsOf(change(id, sent))).toEqual(problems);
  });

  it('only its owner and admins make it private; then others lose it, and keep the contacts', async () => {
    const { id } = await givenSpace(ada);
    const contact = await givenContact(ada);
    await join(ada, id, { contact_id: contact.id });
    const seen = async () =>
      (await linus.reader.retrieveContact({ params: { id: contact.id } })).body.contact.space_ids;
    expect(await seen()).toEqual([id]);
    expect(await codeOf(change(id, { visibility: 'private' }, linus))).toBe('403 permission_denied');
    await change(id, { visibility: 'private' });
    expect(await codeOf(change(id, { name: 'Mine' }, linus))).toBe('404 record_not_found');
    expect(await seen()).toEqual([]);
    const params = { record_type: 'spaces' as const, record_id: id };
    await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    expect(await codeOf(change(id, { name: 'Mine' }, linus))).toBe('403 permission_denied');
    expect(await seen()).toEqual([id]);
  });

  it('404: another account’s, and an unknown one', async () => {
    const { id } = await givenSpace(ada);
    for (const [user, each] of [
      [workspace.hank, id],
      [ada, randomUUID()],
    ] as const)
      expect(await codeOf(change(each, { name: 'Mine' }, user))).toBe('404 record_not_found');
  });
});
