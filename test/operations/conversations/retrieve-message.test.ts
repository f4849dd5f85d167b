import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  allowAllQuestions,
  answer,
  ask,
  givenConversation,
  messagesOf,
} from '../../support/conversations.ts';
import { codeOf } from '../../support/failures.ts';
import { givenThread, hideThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /conversations/{conversation_id}/messages/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ada = workspace.ada;
    allowAllQuestions(workspace);
  });
  afterAll(() => workspace?.stop());

  const retrieve = (user: TestUser, conversation_id: string, id: string) =>
    user.reader.retrieveMessage({ params: { conversation_id, id } });

  it('200: a question and its reply, as the list has them, while it is pending and after', async () => {
    const conversation_id = await givenConversation(ada);
    const { message, reply } = (await ask(ada, conversation_id)).body;
    const both = async () =>
      Promise.all(
        [message, reply].map(async ({ id }) => (await retrieve(ada, conversation_id, id)).body.message),
      );
    expect(await both()).toEqual([message, reply]);
    await answer(workspace, reply, { status: 'complete', text: 'A berth.', blocks: [], refs: [] });
    expect(await both()).toEqual(await messagesOf(ada, conversation_id));
    expect((await both())[1]).toMatchObject({ status: 'complete', text: 'A berth.' });
  });

  it('shows names as the user sees them now', async () => {
    const { grace } = workspace;
    const thread = await givenThread(workspace, { users: [ada, grace] });
    const conversation_id = await givenConversation(grace);
    const { reply } = (await ask(grace, conversation_id)).body;
    const refs = [{ type: 'thread' as const, id: thread.id }];
    await answer(workspace, reply, { status: 'complete', text: 'There.', blocks: [], refs });
    const shown = async () => (await retrieve(grace, conversation_id, reply.id)).body.message.refs;
    expect(await shown()).toEqual([{ ...refs[0], label: 'Ferry times' }]);
    await hideThread(workspace, thread, grace);
    expect(await shown()).toEqual([{ ...refs[0], label: null }]);
  });

  it('404: of another user, of another conversation, and one that is not there', async () => {
    const { grace, hank } = workspace;
    const [mine, other] = [await givenConversation(ada), await givenConversation(ada)];
    const { message } = (await ask(ada, mine)).body;
    for (const [user, conversation_id, id] of [
      [grace, mine, message.id],
      [hank, mine, message.id],
      [ada, other, message.id],
      [ada, mine, randomUUID()],
      [ada, randomUUID(), message.id],
    ] as const)
      expect(await codeOf(retrieve(user, conversation_id, id))).toBe('404 record_not_found');
  });

  it('404: when its conversation is deleted', async () => {
    const conversation_id = await givenConversation(ada);
    const { message } = (await ask(ada, conversation_id)).body;
    await ada.api.deleteConversation({ params: { id: conversation_id } });
    expect(await codeOf(retrieve(ada, conversation_id, message.id))).toBe('404 record_not_found');
  });
});
