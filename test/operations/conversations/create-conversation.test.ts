import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { STRIDE } from '../../support/long.ts';
import { givenThread, hideThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /conversations', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());

  const create = (conversation: unknown, user = ada) =>
    user.api.createConversation({ body: { conversation } as never });
  const list = async (user: TestUser) => (await user.reader.listConversations()).body.collection.records;

  it('201: an empty conversation of its user', async () => {
    const { status, body } = await create({});
    expect(status).toBe(201);
    const { id, created_at, ...rest } = body.conversation;
    expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.now());
    expect(rest).toEqual({
      user_id: ada.user.id,
      title: null,
      record_type: null,
      record_id: null,
      message_count: 0,
      last_message_at: null,
      updated_at: null,
    });
    expect((await ada.reader.retrieveConversation({ params: { id } })).body).toEqual(body);
  });

  it('201: with a trimmed title; null and blank mean no title', async () => {
    expect((await create({ title: ' Ferries ' })).body.conversation.title).toBe('Ferries');
    for (const title of [null, '', ' \n '])
      expect((await create({ title })).body.conversation.title).toBeNull();
    const longest = '🦕'.repeat(255);
    expect((await create({ title: longest })).body.conversation.title).toBe(longest);
  });

  it('201: about a record that the user sees', async () => {
    const thread = await givenThread(workspace, { users: [ada] });
    const { contact } = (await grace.api.createContact({ body: { contact: { name: 'Priya' } } })).body;
    for (const [record_type, id] of [
      ['thread', thread.id],
      ['contact', contact.id],
    ] as const) {
      const { conversation } = (await create({ record_type, record_id: id.toUpperCase() })).body;
      expect(conversation).toMatchObject({ record_type, record_id: id });
    }
    const { conversation } = (await create({ record_type: null, record_id: null })).body;
    expect(conversation).toMatchObject({ record_type: null, record_id: null });
  });

  it('404: about a record that the user does not see, and nothing is created', async () => {
    const thread = await givenThread(workspace, { users: [ada, grace] });
    await hideThread(workspace, thread, grace);
    const foreign = await workspace.hank.api.createContact({ body: { contact: { name: 'Elsewhere' } } });
    const before = await list(grace);
    for (const [record_type, record_id] of [
      ['thread', thread.id],
      ['contact', thread.id],
      ['contact', foreign.body.contact.id],
    ])
      expect(await codeOf(create({ record_type, record_id }, grace))).toBe('404 record_not_found');
    expect(await list(grace)).toEqual(before);
  });

  it.each([
    ['a title of 256 characters', { title: 'a'.repeat(256) }, { title: 'too_long' }],
    ['NUL in the title', { title: 'a\0' }, { title: 'invalid_format' }],
    ['a lone surrogate in the title', { title: '\udc00' }, { title: 'invalid_format' }],
    ['a title that is no text', { title: 1 }, { title: 'invalid' }],
    ['a type without an id', { record_type: 'thread' }, { record_id: 'required' }],
    ['an id without a type', { record_id: randomUUID() }, { record_type: 'required' }],
    ['a type of no record', { record_type: 'threads', record_id: randomUUID() }, { record_type: 'invalid' }],
    [
      'a type without conversations',
      { record_type: 'task', record_id: randomUUID() },
      { record_type: 'invalid' },
    ],
    ['an id that is no UUID', { record_type: 'thread', record_id: '1' }, { record_id: 'invalid_format' }],
  ])('400: %s', async (_, conversation, problems) => {
    expect(await problemsOf(create(conversation))).toEqual(problems);
  });

  it('400: without the wrapper', async () => {
    const bare = ada.api.createConversation({ body: { title: 'X' } as never });
    expect(await problemsOf(bare)).toEqual({ conversation: 'required' });
  });

  it('creates one conversation or none, whichever call fails', async () => {
    for (const when of ['before', 'after'] as const)
      for (let call = 1, reached = true; reached; call += STRIDE) {
        const before = (await list(ada)).length;
        const fault = failCall(workspace.table, call, when);
        await create({}).catch((error) => expect(error.code).toBe('error'));
        fault.remove();
        reached = fault.hit;
        expect([before, before + 1]).toContain((await list(ada)).length);
      }
  });
});
