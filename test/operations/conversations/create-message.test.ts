import { randomUUID } from 'node:crypto';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { clientOptions } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import { at } from '#shared/table/table.ts';
import { startQueues } from '../../../infra/local/queues.ts';
import {
  allowAllQuestions,
  ask,
  conversationOf,
  givenConversation,
  messagesOf,
  questionJobs,
  storedMessages,
} from '../../support/conversations.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { failCall, loseResponse, meanwhile } from '../../support/faults.ts';
import { longIt, STRIDE } from '../../support/long.ts';
import { givenThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /conversations/{conversation_id}/messages', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace } = workspace);
    allowAllQuestions(workspace);
  });
  afterAll(() => workspace.stop());

  /** The state of the conversation that shows whether an exchange is done. */
  const stateOf = async (id: string) => {
    const { message_count, last_message_at, title } = await conversationOf(ada, id);
    const messages = await messagesOf(ada, id);
    const jobs = await questionJobs(workspace, id);
    const last = messages.at(-1);
    expect(last_message_at).toBe(last?.created_at ?? null);
    expect(jobs.map((job) => job.id).sort()).toEqual(
      messages.filter(({ role }) => role === 'assistant').map((reply) => reply.id),
    );
    return { message_count, title, texts: messages.map(({ text }) => text), jobs: jobs.length };
  };

  it('202: the question, and a reply that is pending', async () => {
    const id = await givenConversation(ada);
    const { status, body } = await ask(ada, id, ' What did we promise the ferries?\n');
    expect(status).toBe(202);
    const common = { conversation_id: id, user_id: ada.user.id, blocks: [], refs: [], updated_at: null };
    const { id: message_id, created_at, ...message } = body.message;
    expect(message).toEqual({
      ...common,
      role: 'user',
      text: 'What did we promise the ferries?',
      status: 'complete',
    });
    const { id: reply_id, created_at: replied_at, ...reply } = body.reply;
    expect(reply).toEqual({ ...common, role: 'assistant', text: null, status: 'pending' });
    expect(reply_id > message_id && replied_at > created_at).toBe(true);
    expect(await messagesOf(ada, id)).toEqual([body.message, body.reply]);
  });

  it('counts both sides, and says when the last message was written; updated_at is not touched', async () => {
    const id = await givenConversation(ada);
    for (const count of [2, 4]) {
      const { reply } = (await ask(ada, id)).body;
      expect(await conversationOf(ada, id)).toMatchObject({
        message_count: count,
        last_message_at: reply.created_at,
        updated_at: null,
      });
    }
  });

  it('enqueues a job of the queue reply-as-assistant with the question and its record', async () => {
    const thread = await givenThread(workspace, { users: [ada] });
    for (const record of [null, { type: 'threads', id: thread.id }]) {
      const draft = record ? { record_type: 'thread', record_id: record.id } : {};
      const id = await givenConversation(ada, draft);
      const { reply } = (await ask(ada, id, 'When?')).body;
      const [job, ...others] = await questionJobs(workspace, id);
      expect(others).toEqual([]);
      expect(job).toMatchObject({ id: reply.id, queue: 'reply-as-assistant', body: {}, sends: 1 });
      expect(job?.question).toEqual({
        reply_id: reply.id,
        account_id: workspace.account_id,
        user_id: ada.user.id,
        text: 'When?',
        record,
        place: { kind: 'message', conversation_id: id },
        source: { type: 'conversation', id },
      });
    }
  });

  it('sends the job at once', async () => {
    const { config } = workspace.ctx;
    const before = { ...config };
    const { endpoint, urls, stop } = await startQueues();
    Object.assign(config, { sqs_endpoint: endpoint, queue_urls: urls });
    const client = new SQSClient({ ...clientOptions(endpoint), useQueueUrlAsEndpoint: false });
    try {
      const { reply } = (await ask(ada, await givenConversation(ada))).body;
      const QueueUrl = urls['reply-as-assistant'];
      const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl }));
      expect(Messages.map(({ Body }) => JSON.parse(Body as string))).toEqual([{ job_id: reply.id }]);
    } finally {
      Object.assign(config, before);
      client.destroy();
      await stop();
    }
  });

  it('another question may be asked while a reply is pending', async () => {
    const id = await givenConversation(ada);
    for (const text of ['First?', 'Second?']) await ask(ada, id, text);
    expect(await stateOf(id)).toMatchObject({ texts: ['First?', null, 'Second?', null], jobs: 2 });
  });

  it.each([
    ['a short question', 'What\n did   we promise?', 'What did we promise?'],
    ['80 characters', `${'a '.repeat(39)}bb`, `${'a '.repeat(39)}bb`],
    ['81, cut before the last word', `${'a '.repeat(39)}bbb`, 'a '.repeat(39).trim()],
    ['a word that ends with the 80th character', `${'a '.repeat(39)}bb cc`, `${'a '.repeat(39)}bb`],
    ['one long word', '🦕'.repeat(100), '🦕'.repeat(80)],
  ])('titles a conversation by the first words of its first question: %s', async (_, text, title) => {
    const id = await givenConversation(ada);
    await ask(ada, id, text);
    expect((await conversationOf(ada, id)).title).toBe(title);
    await ask(ada, id, 'Something else?');
    expect((await conversationOf(ada, id)).title).toBe(title);
  });

  it('keeps a title that was set before or meanwhile, and does not replace a cleared one', async () => {
    const id = await givenConversation(ada, { title: 'Given' });
    await ask(ada, id);
    expect((await conversationOf(ada, id)).title).toBe('Given');
    const params = { id };
    await ada.api.updateConversation({ params, body: { conversation: { title: null } } });
    await ask(ada, id);
    expect((await conversationOf(ada, id)).title).toBeNull();
    const other = await givenConversation(ada);
    const rename = meanwhile(workspace.table, 'TransactWriteItemsCommand', () =>
      ada.api.updateConversation({ params: { id: other }, body: { conversation: { title: 'Meanwhile' } } }),
    );
    await ask(ada, other);
    rename.remove();
    expect(rename.hit).toBe(true);
    expect((await conversationOf(ada, other)).title).toBe('Meanwhile');
  });

  it.each([
    ['10 characters', 'a'.repeat(10)],
    ['10,000 characters', 'a'.repeat(10_000)],
    ['10,000 characters of four bytes', '🦕'.repeat(10_000)],
  ])('takes a question of %s', async (_, text) => {
    const id = await givenConversation(ada);
    expect((await ask(ada, id, text)).body.message.text).toBe(text);
    expect((await messagesOf(ada, id))[0]?.text).toBe(text);
  });

  it.each([
    ['no text', {}, { text: 'required' }],
    ['0 characters', { text: '' }, { text: 'required' }],
    ['white space', { text: ' \n\t' }, { text: 'required' }],
    ['null', { text: null }, { text: 'required' }],
    ['10,001 characters', { text: 'a'.repeat(10_001) }, { text: 'too_long' }],
    ['100,000 characters', { text: 'a'.repeat(100_000) }, { text: 'too_long' }],
    ['NUL', { text: 'What\0?' }, { text: 'invalid_format' }],
    ['a lone high surrogate', { text: 'What \ud83e?' }, { text: 'invalid_format' }],
    ['a lone low surrogate', { text: '\udd95' }, { text: 'invalid_format' }],
    ['a number', { text: 1 }, { text: 'invalid' }],
    ['a list', { text: ['What?'] }, { text: 'invalid' }],
  ])('400: a question of %s, and nothing is asked', async (_, message, problems) => {
    const conversation_id = await givenConversation(ada);
    const asked = ada.api.createMessage({ params: { conversation_id }, body: { message } as never });
    expect(await problemsOf(asked)).toEqual(problems);
    expect(await stateOf(conversation_id)).toMatchObject({ message_count: 0, texts: [], jobs: 0 });
  });

  it('400: without the wrapper', async () => {
    const params = { conversation_id: await givenConversation(ada) };
    const bare = ada.api.createMessage({ params, body: { text: 'What?' } as never });
    expect(await problemsOf(bare)).toEqual({ message: 'required' });
  });

  it('404: a conversation of another user, of another account, and an unknown one', async () => {
    const id = await givenConversation(ada);
    for (const user of [grace, workspace.hank])
      for (const each of [id, randomUUID()])
        expect(await codeOf(ask(user, each))).toBe('404 record_not_found');
    expect(await stateOf(id)).toMatchObject({ message_count: 0, texts: [] });
  });

  describe('422 assistant_unavailable', () => {
    const withFeature = (on: boolean) =>
      workspace.table.update<Account>(keys.account(workspace.account_id), {
        set: { features: at('ask_assistant', on) },
      });
    const withOptIn = (on: boolean) =>
      workspace.table.update<User>(keys.user(workspace.account_id, ada.user.id), {
        set: { assistant_enabled: on },
      });
    const withProvider = async (on: boolean) => {
      workspace.ctx.config.assistant.provider = on ? 'built-in' : 'none';
    };

    it.each([
      ['the account has the feature off', withFeature],
      ['the user has opted out', withOptIn],
      ['the service has no assistant', withProvider],
    ])('when %s, after 404 and before 429', async (_, turn) => {
      const id = await givenConversation(ada);
      const { assistant } = workspace.ctx.config;
      await turn(false);
      assistant.questions_per_minute = 0;
      const able = (await ada.reader.retrieveCurrentUser()).body.user.capabilities?.ask_assistant;
      const codes = [await codeOf(ask(ada, id)), await codeOf(ask(ada, randomUUID()))];
      await turn(true);
      codes.push(await codeOf(ask(ada, id)));
      allowAllQuestions(workspace);
      expect(able).toBe(false);
      expect(codes).toEqual(['422 assistant_unavailable', '404 record_not_found', '429 rate_limited']);
      expect(await stateOf(id)).toMatchObject({ message_count: 0, texts: [], jobs: 0 });
      expect((await ask(ada, id)).status).toBe(202);
    });
  });

  longIt(
    '429 with Retry-After for the 21st question in a minute, over all conversations of the user',
    async () => {
      workspace.ctx.config.assistant.questions_per_minute = 20;
      workspace.setTime(new Date('2050-01-01T10:10:20Z'));
      const [first, second] = [await givenConversation(ada), await givenConversation(ada)];
      // Questions that are refused for another reason do not count.
      await codeOf(ask(ada, randomUUID()));
      for (let i = 0; i < 10; i++) for (const id of [first, second]) await ask(ada, id);
      const refused = await failureOf(ask(ada, first));
      expect([refused.status, refused.code]).toEqual([429, 'rate_limited']);
      expect(refused.message).toContain('The limit is 20 questions to the assistant in a minute for a user.');
      // Until no window of a minute covers the three seconds in which they were asked.
      expect(refused.headers.get('Retry-After')).toBe('61');
      expect((await ask(grace, await givenConversation(grace))).status).toBe(202);
      expect((await stateOf(first)).message_count).toBe(20);
      workspace.setTime(new Date('2050-01-01T10:11:21Z'));
      expect((await ask(ada, first)).status).toBe(202);
      workspace.setTime(undefined);
      allowAllQuestions(workspace);
    },
  );

  longIt(
    'accepts all concurrent questions, each with its reply, and no two messages with the same time',
    async () => {
      const id = await givenConversation(ada);
      workspace.setTime(new Date());
      const texts = Array.from({ length: 8 }, (_, i) => `Question ${i}?`);
      const responses = await Promise.all(texts.map((text) => ask(ada, id, text)));
      workspace.setTime(undefined);
      const messages = await messagesOf(ada, id);
      expect(new Set(messages.map(({ created_at }) => created_at)).size).toBe(16);
      expect(messages.map(({ created_at }) => created_at)).toEqual(
        messages.map(({ created_at }) => created_at).toSorted(),
      );
      for (const { body } of responses) {
        const at = messages.findIndex((message) => message.id === body.message.id);
        expect(messages.slice(at, at + 2)).toEqual([body.message, body.reply]);
      }
      const { message_count, title, jobs } = await stateOf(id);
      expect([message_count, jobs]).toEqual([16, 8]);
      expect(title).toBe(messages[0]?.text);
    },
  );

  it('a clock that goes back does not put a question before an earlier one', async () => {
    const id = await givenConversation(ada);
    workspace.setTime(new Date('2050-01-02T10:00:10Z'));
    await ask(ada, id, 'First?');
    workspace.setTime(new Date('2050-01-02T10:00:00Z'));
    await ask(ada, id, 'Second?');
    workspace.setTime(undefined);
    expect((await stateOf(id)).texts).toEqual(['First?', null, 'Second?', null]);
  });

  it('asks once when the response of the table is lost', async () => {
    const id = await givenConversation(ada);
    const lost = loseResponse(workspace.table, 'TransactWriteItemsCommand');
    expect((await ask(ada, id, 'What?')).status).toBe(202);
    lost.remove();
    expect(lost.hit).toBe(true);
    expect(await stateOf(id)).toEqual({ message_count: 2, title: 'What?', texts: ['What?', null], jobs: 1 });
  });

  longIt('writes an exchange completely or not at all, whichever call fails', async () => {
    let calls = 0;
    for (const when of ['before', 'after'] as const)
      for (let call = 1, reached = true; reached; call += STRIDE) {
        const id = await givenConversation(ada);
        const fault = failCall(workspace.table, call, when);
        const asked = await ask(ada, id, 'What?').catch((error: { status: number }) => error);
        fault.remove();
        reached = fault.hit;
        calls = call;
        expect(asked.status).toBe(reached ? 500 : 202);
        const none = { message_count: 0, title: null, texts: [], jobs: 0 };
        const one = { message_count: 2, title: 'What?', texts: ['What?', null], jobs: 1 };
        expect(reached ? [none, one] : [one]).toContainEqual(await stateOf(id));
        expect((await storedMessages(workspace, id)).length % 2).toBe(0);
      }
    // Authentication, the conversation, the counter and the transaction.
    expect(calls).toBeGreaterThan(6);
  });
});
