import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { STRIDE } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /conversations/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ada = workspace.ada;
  });
  afterAll(() => workspace.stop());

  const given = async (title: string | null = null) =>
    (await ada.api.createConversation({ body: { conversation: { title } } })).body.conversation;
  const update = (id: string, conversation: unknown, user = ada) =>
    user.api.updateConversation({ params: { id }, body: { conversation } as never });
  const read = async (id: string) =>
    (await ada.reader.retrieveConversation({ params: { id } })).body.conversation;

  it('200: with the new title, and updated_at', async () => {
    const { id, ...before } = await given();
    workspace.setTime(new Date('2027-01-01T10:00:00.000Z'));
    const { status, body } = await update(id, { title: ' Ferries ' });
    workspace.setTime(undefined);
    expect(status).toBe(200);
    expect(body.conversation).toEqual({
      ...before,
      id,
      title: 'Ferries',
      updated_at: '2027-01-01T10:00:00.000Z',
    });
    expect(await read(id)).toEqual(body.conversation);
  });

  it('200: null and blank clear the title', async () => {
    const { id } = await given('Ferries');
    for (const title of [null, ' ']) {
      await update(id, { title: 'Ferries' });
      expect((await update(id, { title })).body.conversation.title).toBeNull();
    }
    expect((await read(id)).title).toBeNull();
  });

  it('200: nothing sent changes nothing, and unknown keys are ignored', async () => {
    const conversation = await given('Ferries');
    for (const nothing of [{}, { color: 'red' }])
      expect((await update(conversation.id, nothing)).body.conversation).toEqual(conversation);
  });

  it('404: a conversation of another user, of another account, and an unknown one, which is not created', async () => {
    const { id } = await given('Ferries');
    const unknown = randomUUID();
    for (const user of [workspace.grace, workspace.hank])
      for (const each of [id, unknown])
        for (const changes of [{}, { title: 'Mine' }, { title: null }])
          expect(await codeOf(update(each, changes, user))).toBe('404 record_not_found');
    expect((await read(id)).title).toBe('Ferries');
    expect((await workspace.grace.reader.listConversations()).body.collection.records).toEqual([]);
  });

  it.each([
    ['a title of 256 characters', { title: 'a'.repeat(256) }, { title: 'too_long' }],
    ['NUL in the title', { title: 'a\0' }, { title: 'invalid_format' }],
    [
      'what cannot be changed',
      {
        id: 'x',
        user_id: null,
        record_type: 'thread',
        record_id: randomUUID(),
        message_count: 0,
        last_message_at: null,
        created_at: 1,
        updated_at: {},
      },
      {
        id: 'not_allowed',
        user_id: 'not_allowed',
        record_type: 'not_allowed',
        record_id: 'not_allowed',
        message_count: 'not_allowed',
        last_message_at: 'not_allowed',
        created_at: 'not_allowed',
        updated_at: 'not_allowed',
      },
    ],
  ])('400: %s', async (_, changes, problems) => {
    const conversation = await given('Ferries');
    expect(await problemsOf(update(conversation.id, changes))).toEqual(problems);
    expect(await read(conversation.id)).toEqual(conversation);
  });

  it('400: without the wrapper', async () => {
    const { id } = await given();
    const bare = ada.api.updateConversation({ params: { id }, body: { title: 'X' } as never });
    expect(await problemsOf(bare)).toEqual({ conversation: 'required' });
  });

  it('has the old title or the new one, whichever call fails, and a retry renames it', async () => {
    for (const when of ['before', 'after'] as const)
      for (let call = 1, reached = true; reached; call += STRIDE) {
        const { id } = await given('Old');
        const fault = failCall(workspace.table, call, when);
        await update(id, { title: 'New' }).catch((error) => expect(error.code).toBe('error'));
        fault.remove();
        reached = fault.hit;
        expect(['Old', 'New']).toContain((await read(id)).title);
        expect((await update(id, { title: 'New' })).body.conversation.title).toBe('New');
      }
  });
});
