import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageKey } from '#shared/domain/assistant/conversations/store.ts';
import { keys } from '#shared/table/keys.ts';
import { deliverQuestion, openQuestions } from '../support/assistant.ts';
import { givenMessages } from '../support/conversations.ts';
import { mergeWhole, unmergeWhole } from '../support/duplicates.ts';
import { longIt } from '../support/long.ts';
import { givenContact } from '../support/proposals.ts';
import { type ApiClient, startWorkspace, type Workspace } from '../support/workspace.ts';

/** Answers in conversations (docs/specification/assistant.md, "Conversations"): the same engine as for comments. */
describe('queue reply-as-assistant, for conversations', () => {
  let workspace: Workspace;
  let contact: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    const draft = { name: 'Priya Raman', email_addresses: [{ email_address: 'priya@ferries.example' }] };
    contact = (await workspace.ada.api.createContact({ body: { contact: draft } })).body.contact.id;
  });
  afterAll(() => workspace?.stop());

  async function begin(api: ApiClient, draft = {}): Promise<{ conversation_id: string }> {
    const { conversation } = (await api.createConversation({ body: { conversation: draft } })).body;
    return { conversation_id: conversation.id };
  }
  async function ask(api: ApiClient, params: { conversation_id: string }, text: string): Promise<string> {
    return (await api.createMessage({ params, body: { message: { text } } })).body.reply.id;
  }
  const messages = async (api: ApiClient, params: { conversation_id: string }) =>
    (await api.listMessages({ params })).body.messages;

  it('completes the pending reply, with text, blocks and refs, and tells nobody', async () => {
    const { api, reader } = workspace.ada;
    const params = await begin(api);
    const id = await ask(api, params, 'Who is Priya Raman?');
    expect(await deliverQuestion(id)).toBe(0);
    const [question, reply] = await messages(reader, params);
    expect(question).toMatchObject({ role: 'user', status: 'complete', text: 'Who is Priya Raman?' });
    expect(reply).toMatchObject({ id, role: 'assistant', status: 'complete' });
    expect(reply?.text).toContain('priya@ferries.example');
    expect(reply?.blocks[0]).toEqual({ type: 'text', text: reply?.text });
    expect(reply?.refs).toEqual([{ type: 'contact', id: contact, label: 'Priya Raman' }]);
    expect((await reader.listNotifications()).body.collection.records).toEqual([]);
  });

  it('knows the record of the conversation', async () => {
    const { api, reader } = workspace.ada;
    const params = await begin(api, { record_type: 'contact', record_id: contact });
    await deliverQuestion(await ask(api, params, 'Who is this?'));
    expect((await messages(reader, params))[1]?.text).toContain('Priya Raman');
  });

  it('knows the earlier messages, in order', async () => {
    const { api, reader } = workspace.ada;
    const params = await begin(api);
    await deliverQuestion(await ask(api, params, 'Who is Priya Raman?'));
    await deliverQuestion(await ask(api, params, 'What is her email address?'));
    expect((await messages(reader, params))[3]?.text).toContain('priya@ferries.example');
  });

  it('proposes nothing once the conversation is deleted, also while its messages are still there', async () => {
    const { api, reader } = workspace.ada;
    const params = await begin(api, { record_type: 'contact', record_id: contact });
    await givenMessages(workspace, workspace.ada, params.conversation_id, 99);
    const id = await ask(api, params, 'Tag this as Printing');
    await api.deleteConversation({ params: { id: params.conversation_id } });
    expect(await deliverQuestion(id)).toBe(0);
    expect((await reader.listProposals()).body.collection.records).toEqual([]);
    expect(await openQuestions(workspace)).toEqual([]);
  });

  it('sees only what its user sees', async () => {
    const draft = { name: 'Quinn Secret', visibility: 'private' as const, headline: 'Auditor' };
    await workspace.grace.api.createContact({ body: { contact: draft } });
    for (const [user, seen] of [
      [workspace.grace, true],
      [workspace.ada, false],
    ] as const) {
      const params = await begin(user.api);
      await deliverQuestion(await ask(user.api, params, 'Who is Quinn Secret?'));
      const text = (await messages(user.reader, params))[1]?.text ?? '';
      expect(text.includes('Auditor')).toBe(seen);
    }
  });

  longIt('is about the survivor of a merge, and after that about the contact again', async () => {
    const { ada } = workspace;
    const [into, from] = [
      await givenContact(ada, { name: 'Marga Quist' }),
      await givenContact(ada, { name: 'M. Quist' }),
    ];
    const params = await begin(ada.api, { record_type: 'contact', record_id: from.id });
    const told = async () => {
      await deliverQuestion(await ask(ada.api, params, 'Who is this?'));
      return (await messages(ada.reader, params)).at(-1)?.text;
    };
    await mergeWhole(workspace, ada, into.id, from.id);
    expect(await told()).toContain('Marga Quist');
    await unmergeWhole(workspace, ada, into.id, from.id);
    expect(await told()).toContain('M. Quist');
  });

  it('fails with a reason when the record of the conversation has been hidden', async () => {
    const { api, reader } = workspace.ada;
    const theirs = { name: 'Rory', visibility: 'private' as const };
    const { body } = await api.createContact({ body: { contact: theirs } });
    const params = await begin(api, { record_type: 'contact', record_id: body.contact.id });
    const id = await ask(api, params, 'Who is this?');
    await workspace.table.delete(keys.record('contacts', body.contact.id));
    expect(await deliverQuestion(id)).toBe(0);
    expect((await messages(reader, params))[1]).toMatchObject({
      status: 'failed',
      text: 'You can no longer see what you asked about.',
    });
  });

  it('a late answer restores no deleted conversation', async () => {
    const { api, reader } = workspace.ada;
    const params = await begin(api);
    const id = await ask(api, params, 'Who is Priya Raman?');
    await api.deleteConversation({ params: { id: params.conversation_id } });
    expect(await deliverQuestion(id)).toBe(0);
    await expect(reader.listMessages({ params })).rejects.toMatchObject({ status: 404 });
    expect(await workspace.table.all(messageKey(params.conversation_id, '').PK)).toEqual([]);
  });
});
