import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findConversation, lastMessages, messageKey } from '#shared/domain/assistant/conversations/store.ts';
import {
  allowAllQuestions,
  answer,
  ask,
  givenConversation,
  givenMessages,
  messagesOf,
} from '../../support/conversations.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { givenThread, hideThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /conversations/{conversation_id}/messages', () => {
  let workspace: Workspace;
  let ada: TestUser;
  /** Of 120 messages, one a millisecond. */
  let long: string;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ada = workspace.ada;
    allowAllQuestions(workspace);
    long = await givenConversation(ada);
    await givenMessages(workspace, ada, long, 120);
  });
  afterAll(() => workspace.stop());

  const asked = (conversation_id: string, query: object = {}, user = ada) =>
    user.reader.listMessages({ params: { conversation_id }, query: query as never });
  const list = async (...question: Parameters<typeof asked>) => (await asked(...question)).body;
  const texts = async (query: object) => (await list(long, query)).messages.map(({ text }) => text);
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, i) => `Number ${from + i}`);

  it('200: nothing before there is a message', async () => {
    const conversation_id = await givenConversation(ada);
    const { status, body } = await ada.reader.listMessages({ params: { conversation_id } });
    expect(status).toBe(200);
    expect(body).toEqual({ messages: [], has_more_before: false, oldest_timestamp: null });
  });

  it('200: the newest 50, oldest first, and where to continue backwards', async () => {
    const { messages, has_more_before, oldest_timestamp } = await list(long);
    expect(messages.map(({ text }) => text)).toEqual(numbers(70, 119));
    expect(has_more_before).toBe(true);
    expect(oldest_timestamp).toBe('2026-11-20T09:00:00.070Z');
    expect(oldest_timestamp).toBe(messages[0]?.created_at);
  });

  it('limit: from 1, and above 100 gives 100', async () => {
    expect(await texts({ limit: 1 })).toEqual(['Number 119']);
    for (const limit of [100, 101, 5_000]) expect(await texts({ limit })).toEqual(numbers(20, 119));
  });

  it('before: messages earlier than a timestamp, in any zone, or than a message', async () => {
    const moment = '2026-11-20T09:00:00.003Z';
    for (const before of [moment, '2026-11-20T10:00:00.003+01:00', '2026-11-20T09:00:00.003999Z'])
      expect(await texts({ before })).toEqual(numbers(0, 2));
    const id = (await list(long, { before: '2026-11-20T09:00:00.004Z', limit: 1 })).messages[0]?.id as string;
    for (const before of [id, id.toUpperCase()]) expect(await texts({ before })).toEqual(numbers(0, 2));
    expect(await texts({ before: '1970-01-01T00:00:00Z' })).toEqual([]);
    expect(await texts({ before: '9999-12-31T23:59:59Z', limit: 2 })).toEqual(numbers(118, 119));
  });

  it('before: a plain date is midnight in the zone of the user', async () => {
    const { grace, linus } = workspace;
    for (const [user, midnight] of [
      [grace, '2026-11-20T05:00:00.000Z'],
      [linus, '2026-11-19T15:00:00.000Z'],
    ] as const) {
      const id = await givenConversation(user);
      for (const offset of [-1, 0]) {
        workspace.setTime(new Date(Date.parse(midnight) + 1_000 * offset));
        await ask(user, id, offset === 0 ? 'On the day?' : 'Before it?');
      }
      workspace.setTime(undefined);
      const { messages } = await list(id, { before: '2026-11-20' }, user);
      expect(messages.map(({ text }) => text)).toEqual(['Before it?', null]);
    }
  });

  it.each(['oldest_timestamp', 'id'] as const)(
    'pages backward by %s show every message once, also of questions asked at the same time',
    async (by) => {
      const id = await givenConversation(ada);
      workspace.setTime(new Date());
      await Promise.all(Array.from({ length: 4 }, (_, i) => ask(ada, id, `Question ${i}?`)));
      workspace.setTime(undefined);
      const seen: string[] = [];
      let before: string | undefined;
      for (let more = true; more; ) {
        const page = await list(id, { limit: 3, ...(before ? { before } : {}) });
        seen.unshift(...page.messages.map((message) => message.id));
        before = (by === 'id' ? page.messages[0]?.id : page.oldest_timestamp) as string;
        more = page.has_more_before;
      }
      expect(seen).toEqual((await messagesOf(ada, id)).map((message) => message.id));
      expect(seen).toHaveLength(8);
      expect(await list(id, { before })).toEqual({
        messages: [],
        has_more_before: false,
        oldest_timestamp: null,
      });
    },
  );

  it('404: before a message that the conversation does not have', async () => {
    const other = await givenConversation(ada);
    const { message } = (await ask(ada, other)).body;
    for (const before of [randomUUID(), message.id, long])
      expect(await codeOf(asked(long, { before }))).toBe('404 record_not_found');
  });

  it.each([
    ['before nothing', { before: '' }, { before: 'invalid' }],
    ['before a word', { before: 'yesterday' }, { before: 'invalid_format' }],
    ['before a number', { before: '1763629200000' }, { before: 'invalid_format' }],
    ['before a time without a zone', { before: '2026-11-20T09:00:00' }, { before: 'invalid_format' }],
    ['before a day that is none', { before: '2026-02-30T09:00:00Z' }, { before: 'invalid_format' }],
    ['before a date that is none', { before: '2026-02-30' }, { before: 'invalid_format' }],
    ['before half an id', { before: '0198c0de-0000-7000-8000' }, { before: 'invalid_format' }],
    ['limit 0', { limit: 0 }, { limit: 'invalid' }],
    ['limit -1', { limit: -1 }, { limit: 'invalid_format' }],
    ['half a limit', { limit: 1.5 }, { limit: 'invalid_format' }],
  ])('400: %s', async (_, query, problems) => {
    expect(await problemsOf(asked(long, query))).toEqual(problems);
  });

  it('404: a conversation of another user, of another account, and an unknown one', async () => {
    const [message] = (await list(long, { limit: 1 })).messages;
    for (const user of [workspace.grace, workspace.hank])
      for (const id of [long, randomUUID()])
        for (const query of [{}, { before: message?.id }, { before: '2030-01-01' }])
          expect(await codeOf(asked(id, query, user))).toBe('404 record_not_found');
  });

  it('truncates a very long name', async () => {
    const conversation_id = await givenConversation(ada);
    const { body } = await ask(ada, conversation_id);
    const thread = await givenThread(workspace, { users: [ada], subject: 'x'.repeat(1_000) });
    const refs = [{ type: 'thread', id: thread.id }];
    await answer(workspace, body.reply, { status: 'complete', text: 'There.', blocks: [], refs });
    const [, shown] = await messagesOf(ada, conversation_id);
    expect(shown?.refs).toEqual([{ ...refs[0], label: `${'x'.repeat(254)}…` }]);
  });

  it('shows a finished reply: its text, its blocks, and its refs by the names that the user sees', async () => {
    const { grace } = workspace;
    const thread = await givenThread(workspace, { users: [ada, grace], subject: 'Ferry times' });
    const id = await givenConversation(grace);
    const { reply } = (await ask(grace, id)).body;
    const ref = { type: 'thread', id: thread.id };
    const table = {
      type: 'table' as const,
      columns: [{ key: 'name', label: 'Name' }],
      rows: [{ cells: { name: 'Ferries' }, ref }],
    };
    await answer(workspace, reply, {
      status: 'complete',
      text: 'A berth.',
      blocks: [{ type: 'text', text: 'A berth.' }, table],
      refs: [ref],
    });
    const shown = async () => (await list(id, {}, grace)).messages[1];
    const named = { ...ref, label: 'Ferry times' };
    expect(await shown()).toEqual({
      ...reply,
      status: 'complete',
      text: 'A berth.',
      blocks: [
        { type: 'text', text: 'A berth.' },
        { ...table, rows: [{ cells: { name: 'Ferries' }, ref: named }] },
      ],
      refs: [named],
    });
    await hideThread(workspace, thread, grace);
    expect((await shown())?.refs).toEqual([{ ...ref, label: null }]);
  });

  it('shows a failed reply with its reason, and the asker may ask again', async () => {
    const id = await givenConversation(ada);
    const { reply } = (await ask(ada, id)).body;
    await answer(workspace, reply, { status: 'failed', text: 'It took too long.', blocks: [], refs: [] });
    expect((await messagesOf(ada, id))[1]).toMatchObject({ status: 'failed', text: 'It took too long.' });
    expect((await ask(ada, id)).status).toBe(202);
  });

  it('the assistant is told the last messages of the conversation', async () => {
    const { table } = workspace;
    const last = await lastMessages(table, long, 3);
    expect(last.map(({ text }) => text)).toEqual(numbers(117, 119));
    expect(await lastMessages(table, long, 1_000)).toHaveLength(120);
    const [message] = last;
    expect(await table.get(messageKey(long, message?.id as string))).toEqual(message);
    expect((await findConversation(table, ada.user.id, long))?.id).toBe(long);
    expect(await findConversation(table, workspace.grace.user.id, long)).toBeUndefined();
  });
});
