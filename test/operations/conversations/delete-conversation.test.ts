import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageKey } from '#shared/domain/assistant/conversations/store.ts';
import type { AssistantReply } from '#shared/domain/collaboration/replies/block.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import {
  allowAllQuestions,
  answer,
  ask,
  conversationOf,
  givenConversation,
  givenMessages,
  messagesOf,
  questionJobs,
  storedConversations,
  storedMessages,
} from '../../support/conversations.ts';
import { codeOf } from '../../support/failures.ts';
import { failCall, meanwhile } from '../../support/faults.ts';
import { longIt, STRIDE } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /conversations/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ada = workspace.ada;
    allowAllQuestions(workspace);
  });
  afterAll(() => workspace.stop());

  const remove = (id: string, user = ada) => user.api.deleteConversation({ params: { id } });
  const removals = async (id: string) => {
    const shards = [0, 1, 2, 3].map((shard) => workspace.table.all<Job>(keys.jobShard(shard).PK));
    const jobs = (await Promise.all(shards)).flat().filter(({ queue }) => queue === 'remove-messages');
    return jobs.filter(({ body }) => body.conversation_id === id);
  };
  const isGone = async (id: string) => {
    const params = { conversation_id: id };
    const codes = [
      await codeOf(ada.reader.retrieveConversation({ params: { id } })),
      await codeOf(ada.reader.listMessages({ params })),
      await codeOf(ask(ada, id)),
      await codeOf(ada.api.updateConversation({ params: { id }, body: { conversation: { title: 'X' } } })),
      await codeOf(remove(id)),
    ];
    expect(new Set(codes)).toEqual(new Set(['404 record_not_found']));
    const { records } = (await ada.reader.listConversations()).body.collection;
    expect(records.map((each) => each.id)).not.toContain(id);
  };

  it('204: deletes it with its messages, and no others', async () => {
    const [id, other] = [await givenConversation(ada), await givenConversation(ada)];
    for (const each of [id, other, id]) await ask(ada, each);
    expect((await remove(id)).status).toBe(204);
    await isGone(id);
    expect(await storedMessages(workspace, id)).toEqual([]);
    expect(await removals(id)).toEqual([]);
    expect((await conversationOf(ada, other)).message_count).toBe(2);
    expect(await messagesOf(ada, other)).toHaveLength(2);
  });

  it('204: one without messages', async () => {
    const id = await givenConversation(ada);
    expect((await remove(id)).status).toBe(204);
    await isGone(id);
  });

  it('404: a conversation of another user, of another account, and an unknown one', async () => {
    const id = await givenConversation(ada);
    await ask(ada, id);
    for (const user of [workspace.grace, workspace.hank])
      for (const each of [id, randomUUID()])
        expect(await codeOf(remove(each, user))).toBe('404 record_not_found');
    expect(await messagesOf(ada, id)).toHaveLength(2);
  });

  longIt.each([
    ['98 messages go with it', 98, 0],
    ['99 messages are left to a job', 99, 1],
  ])('%s', async (_, count, jobs) => {
    const id = await givenConversation(ada);
    await givenMessages(workspace, ada, id, count);
    await remove(id);
    expect(await removals(id)).toHaveLength(jobs);
    expect(await storedMessages(workspace, id)).toHaveLength(jobs * count);
    await isGone(id);
  });

  longIt('leaves few but long messages to a job, because a transaction has at most 4 MB', async () => {
    const id = await givenConversation(ada);
    await givenMessages(workspace, ada, id, 80);
    const [, ...long] = await storedMessages(workspace, id);
    await workspace.table.writeMany(long.map((put) => ({ put: { ...put, text: '🦕'.repeat(10_000) } })));
    await remove(id);
    expect(await removals(id)).toHaveLength(1);
    await isGone(id);
  });

  const late: AssistantReply = { status: 'complete', text: 'Too late.', blocks: [], refs: [] };

  it('a late answer restores nothing', async () => {
    const id = await givenConversation(ada);
    const { reply } = (await ask(ada, id)).body;
    await remove(id);
    await expect(answer(workspace, reply, late)).rejects.toThrow(ConditionFailed);
    expect(await storedMessages(workspace, id)).toEqual([]);
    await isGone(id);
  });

  it('deletes a concurrent question as well', async () => {
    const id = await givenConversation(ada);
    await ask(ada, id);
    const asked = meanwhile(workspace.table, 'TransactWriteItemsCommand', () => ask(ada, id));
    expect((await remove(id)).status).toBe(204);
    asked.remove();
    expect(asked.hit).toBe(true);
    expect(await storedMessages(workspace, id)).toEqual([]);
    await isGone(id);
  });

  it('leaves no posting of a question that is asked between its reads', async () => {
    const id = await givenConversation(ada);
    await ask(ada, id);
    const asked = meanwhile(workspace.table, 'QueryCommand', () => ask(ada, id));
    expect((await remove(id)).status).toBe(204);
    asked.remove();
    expect(asked.hit).toBe(true);
    const { conversations, postings } = await storedConversations(workspace, ada.user.id);
    expect(postings).toHaveLength(conversations.length);
    await isGone(id);
  });

  it('a question is not asked when the conversation is deleted meanwhile', async () => {
    const id = await givenConversation(ada);
    await ask(ada, id);
    const before = (await questionJobs(workspace, id)).length;
    const deleted = meanwhile(workspace.table, 'TransactWriteItemsCommand', () => remove(id));
    expect(await codeOf(ask(ada, id))).toBe('404 record_not_found');
    deleted.remove();
    expect(deleted.hit).toBe(true);
    expect(await storedMessages(workspace, id)).toEqual([]);
    expect(await questionJobs(workspace, id)).toHaveLength(before);
    await isGone(id);
  });

  longIt(
    'is deleted once and leaves nothing when it is also asked, answered and renamed at once',
    async () => {
      const status = (call: Promise<{ status: number }>) =>
        call.then(
          (done) => done.status,
          (error: { status: number }) => error.status,
        );
      for (let round = 0; round < 3; round++) {
        const id = await givenConversation(ada);
        const { reply } = (await ask(ada, id)).body;
        const rename = { params: { id }, body: { conversation: { title: 'At once' } } };
        const [first, second, ...others] = await Promise.all([
          status(remove(id)),
          status(remove(id)),
          status(ask(ada, id)),
          status(ada.api.updateConversation(rename)),
          answer(workspace, reply, late).then(
            () => 200,
            () => 404,
          ),
        ]);
        expect([first, second].toSorted()).toEqual([204, 404]);
        for (const each of others) expect([200, 202, 404]).toContain(each);
        expect(await storedMessages(workspace, id)).toEqual([]);
        await isGone(id);
      }
    },
  );

  longIt.each([2, 120])('one of %i messages is complete or deleted, whichever call fails', async (count) => {
    let calls = 0;
    for (const when of ['before', 'after'] as const)
      for (let call = 1, reached = true; reached; call += STRIDE) {
        const id = await givenConversation(ada);
        await givenMessages(workspace, ada, id, count);
        const fault = failCall(workspace.table, call, when);
        const removed = await remove(id).catch((error: { status: number }) => error);
        fault.remove();
        reached = fault.hit;
        calls = call;
        expect(removed.status).toBe(reached ? 500 : 204);
        const found = await workspace.table.get(keys.conversation(ada.user.id, id));
        if (found) {
          expect((await storedMessages(workspace, id)).length).toBe(count);
          expect(await removals(id)).toEqual([]);
          expect((await remove(id)).status).toBe(204);
        }
        expect(await removals(id)).toHaveLength(count < 100 ? 0 : 1);
        if (count < 100) expect(await workspace.table.all(messageKey(id, '').PK)).toEqual([]);
        expect(await codeOf(remove(id))).toBe('404 record_not_found');
      }
    // Authentication, two reads and the transaction.
    expect(calls).toBeGreaterThan(5);
  });
});
