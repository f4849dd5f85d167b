import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_TRIES } from '#shared/domain/assistant/answering/turn.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { clientOptions } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/reply-as-assistant.ts';
import {
  type AskedRecord,
  ask,
  deliverQuestion,
  finishedReply,
  givenQuestion,
  openQuestions,
  questionOf,
  repliesTo,
} from '../support/assistant.ts';
import { eventsOf } from '../support/comments.ts';
import { mergeInto } from '../support/duplicates.ts';
import { crashAfter, failCall } from '../support/faults.ts';
import { deliverMessages } from '../support/jobs.ts';
import { longIt } from '../support/long.ts';
import { startModelServer } from '../support/model-server.ts';
import { runRemovals } from '../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** Queue `reply-as-assistant`, whose messages the test delivers. */
describe('queue reply-as-assistant', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let contact: AskedRecord;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ada = workspace.ada;
    workspace.ctx.config.assistant.questions_per_minute = 1_000;
  });
  beforeEach(async () => {
    contact = await givenContact();
  });
  afterEach(async () => {
    workspace.setTime(undefined);
    for (const { PK, SK } of await openQuestions(workspace)) await workspace.table.delete({ PK, SK });
  });
  afterAll(() => workspace?.stop());

  async function givenContact(): Promise<AskedRecord> {
    const { body } = await ada.api.createContact({ body: { contact: { name: 'Priya Raman' } } });
    return { record_type: 'contacts', record_id: body.contact.id };
  }
  const asked = (question = 'Who is this?') => givenQuestion(ada, contact, question);
  const later = (seconds: number) => workspace.setTime(new Date(Date.now() + seconds * 1_000));

  it('completes the reply: text, a block of it, and refs with labels; the notification has no actor', async () => {
    const { id, shown } = await asked();
    expect(await deliverQuestion(id)).toBe(0);
    const reply = await shown();
    expect(reply).toMatchObject({ id, status: 'complete', agent: 'assistant', updated_at: null });
    expect(reply?.text).toContain('Priya Raman');
    expect(reply?.blocks[0]).toEqual({ type: 'text', text: reply?.text });
    expect(reply?.refs).toEqual([{ type: 'contact', id: contact.record_id, label: 'Priya Raman' }]);
    const { records } = (await ada.reader.listNotifications()).body.collection;
    expect(records[0]).toMatchObject({
      event: 'comment_added',
      prompting_user_id: null,
      payload: { id: contact.record_id, name: 'Priya Raman', comment: { id, user_id: ada.user.id } },
    });
    expect(await openQuestions(workspace)).toEqual([]);
  });

  it('tells nobody but who asked', async () => {
    await workspace.grace.api.createComment({
      params: contact,
      body: { comment: { html_content: '<p>I follow this</p>' } },
    });
    const { id } = await asked();
    await deliverQuestion(id);
    // Of Ada's comment, not of the reply.
    expect(await eventsOf(workspace.grace, { id: contact.record_id })).toEqual(['comment_added']);
  });

  it('answers once for repeated deliveries, concurrent or late', async () => {
    const { comment, id, shown } = await asked();
    await Promise.all([deliverQuestion(id), deliverQuestion(id, id), deliverQuestion(id)]);
    const reply = await shown();
    expect(reply?.status).toBe('complete');
    expect(await deliverQuestion(id, id)).toBe(0);
    expect(await shown()).toEqual(reply);
    expect(await eventsOf(ada, { id: contact.record_id })).toEqual(['comment_added']);
    expect(await repliesTo(ada, contact, comment)).toHaveLength(1);
  });

  it('answers questions in any order', async () => {
    const first = await asked();
    const second = await asked('What was last said?');
    expect(await deliverQuestion(second.id, first.id)).toBe(0);
    for (const { shown } of [first, second]) expect((await shown())?.status).toBe('complete');
  });

  it('tells of a reply whose question was deleted as of a top-level comment', async () => {
    const { comment, id } = await asked();
    await ada.api.deleteComment({ params: { id: comment.id } });
    await deliverQuestion(id);
    const { records } = (await ada.reader.listNotifications()).body.collection;
    expect(records[0]).toMatchObject({ payload: { comment: { id, parent_comment_id: null } } });
  });

  it('leaves a deleted reply deleted, and tells nobody', async () => {
    const { comment, id } = await asked();
    await ada.api.deleteComment({ params: { id } });
    expect(await deliverQuestion(id)).toBe(0);
    expect(await repliesTo(ada, contact, comment)).toEqual([]);
    expect(await eventsOf(ada, { id: contact.record_id })).toEqual([]);
    expect(await openQuestions(workspace)).toEqual([]);
    expect(await workspace.table.get(keys.commentPointer(id))).toBeUndefined();
  });

  longIt(
    'answers about the contact that the one of the question became part of, before and after it all moved',
    async () => {
      const into = await givenContact();
      const [first, second] = [await asked(), await asked()];
      await mergeInto(ada, into.record_id, contact.record_id);
      expect(await deliverQuestion(first.id)).toBe(0);
      await runRemovals(workspace);
      expect(await deliverQuestion(second.id)).toBe(0);
      for (const { comment } of [first, second])
        expect(await repliesTo(ada, into, comment)).toMatchObject([
          { status: 'complete', refs: [{ type: 'contact', id: into.record_id }] },
        ]);
    },
  );

  it('delays a second message while a worker has the job', async () => {
    const { id, shown } = await asked();
    const crash = crashAfter(workspace.table, 1);
    await deliverQuestion(id);
    crash.remove();
    expect(await deliverQuestion(id)).toBe(1);
    expect((await shown())?.status).toBe('pending');
    later(200);
    expect(await deliverQuestion(id)).toBe(0);
    expect((await shown())?.status).toBe('complete');
  });

  it('fails with a reason when workers are killed in every try', async () => {
    const { id, shown } = await asked();
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      later(200 * attempt);
      const crash = crashAfter(workspace.table, 1);
      expect(await deliverQuestion(id)).toBe(1);
      crash.remove();
    }
    expect((await shown())?.status).toBe('pending');
    later(200 * MAX_TRIES);
    expect(await deliverQuestion(id)).toBe(0);
    expect(await shown()).toMatchObject({
      status: 'failed',
      text: 'The assistant could not finish its answer. Please ask again.',
      blocks: [],
      refs: [],
    });
    expect(await eventsOf(ada, { id: contact.record_id })).toEqual(['comment_added']);
  });

  it('fails with a reason after the last try ended in an error', async () => {
    const { id, shown } = await asked();
    for (let attempt = 1; attempt < MAX_TRIES; attempt++) {
      const fault = failCall(workspace.table, 2, 'before');
      expect(await deliverQuestion(id)).toBe(1);
      fault.remove();
    }
    const fault = failCall(workspace.table, 2, 'before');
    expect(await deliverQuestion(id)).toBe(0);
    fault.remove();
    expect(await shown()).toMatchObject({
      status: 'failed',
      text: expect.stringMatching(/ask again\.$/),
    });
    expect(await openQuestions(workspace)).toEqual([]);
  });

  it.each([
    [
      'who asked no longer sees the record',
      () =>
        workspace.table.update<Contact>(keys.record('contacts', contact.record_id), {
          set: { visibility: 'private', user_id: workspace.grace.user.id },
        }),
      'You can no longer see what you asked about.',
    ],
    ['who asked has opted out meanwhile', () => setAssistant(false), 'The assistant is turned off.'],
  ])('fails when %s', async (_, change, text) => {
    const { comment, id } = await asked();
    await change();
    expect(await deliverQuestion(id)).toBe(0);
    await setAssistant(true);
    const { comments } = (await workspace.grace.reader.listComments({ params: contact })).body;
    expect(comments.find((each) => each.parent_comment_id === comment.id)).toMatchObject({
      status: 'failed',
      text,
    });
  });
  const setAssistant = (enabled: boolean) =>
    workspace.table.update<User>(keys.user(workspace.account_id, ada.user.id), {
      set: { assistant_enabled: enabled },
    });

  it('reports only the messages of a batch that failed', async () => {
    const { id, shown } = await asked();
    expect(await deliverMessages(handler, ['no json', { job_id: id }])).toEqual({ failed: ['m0'] });
    expect((await shown())?.status).toBe('complete');
  });

  it('counts usage by account and month', async () => {
    const key = keys.assistantUsage(workspace.account_id, new Date().toISOString().slice(0, 7));
    const before = await workspace.table.get<{ answers: number }>(key);
    const { id } = await asked();
    await deliverQuestion(id);
    const after = await workspace.table.get<{ answers: number }>(key);
    expect(after).toMatchObject({ answers: (before?.answers ?? 0) + 1, input_tokens: 0, output_tokens: 0 });
  });
});

describe('a question on running queues', () => {
  let workspace: Workspace;
  let contact: AskedRecord;
  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true, own_table: true });
    const draft = { contact: { name: 'Priya Raman' } };
    const { body } = await workspace.ada.api.createContact({ body: draft });
    contact = { record_type: 'contacts', record_id: body.contact.id };
  });
  afterAll(() => workspace?.stop());

  it('is answered by the worker', async () => {
    const comment = await ask(workspace.ada, contact, 'Who is this?');
    expect(await finishedReply(workspace.ada, contact, comment)).toMatchObject({ status: 'complete' });
  });

  it('in an edit is answered as well', async () => {
    const body = { comment: { html_content: '<p>Hello</p>' } };
    const { comment } = (await workspace.ada.api.createComment({ params: contact, body })).body;
    const edit = { comment: { html_content: '<p>Hello</p>', json_content: questionOf('Who is this?') } };
    await workspace.ada.api.updateComment({ params: { id: comment.id }, body: edit });
    expect(await finishedReply(workspace.ada, contact, comment)).toMatchObject({ status: 'complete' });
  });

  longIt('fails with a reason after the last try while the model is unavailable', async () => {
    const { config } = workspace.ctx;
    const { assistant } = config;
    const down = { status: 503 };
    const server = await startModelServer(Array.from({ length: MAX_TRIES }, () => down));
    config.assistant = { ...server.config('openai'), questions_per_minute: 20 };
    const comment = await ask(workspace.ada, contact, 'Who is this?');
    expect(await finishedReply(workspace.ada, contact, comment)).toMatchObject({
      status: 'failed',
      text: 'The assistant cannot be reached. Please ask again later.',
    });
    expect(server.requests).toHaveLength(MAX_TRIES);
    config.assistant = assistant;
    await server.stop();
  });

  longIt('that ended as a dead letter is answered after the sweep', async () => {
    const { sqs_endpoint, queue_urls } = workspace.ctx.config;
    const client = new SQSClient({ ...clientOptions(sqs_endpoint), useQueueUrlAsEndpoint: false });
    const { body } = await workspace.ada.api.createContact({ body: { contact: { name: 'Rory' } } });
    const about: AskedRecord = { record_type: 'contacts', record_id: body.contact.id };
    // The message of the question waits until the table is gone.
    const url = queue_urls['reply-as-assistant'] as string;
    queue_urls['reply-as-assistant'] = undefined;
    const comment = await ask(workspace.ada, about, 'Who is this?');
    const [reply] = await repliesTo(workspace.ada, about, comment);
    queue_urls['reply-as-assistant'] = url;
    const crash = crashAfter(workspace.table, 1);
    const MessageBody = JSON.stringify({ job_id: reply?.id });
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody }));
    const dead = await client.send(
      new ReceiveMessageCommand({ QueueUrl: `${url}-dead`, WaitTimeSeconds: 20 }),
    );
    crash.remove();
    client.destroy();
    expect(dead.Messages?.map(({ Body }) => Body)).toEqual([MessageBody]);
    expect((await repliesTo(workspace.ada, about, comment))[0]?.status).toBe('pending');
    workspace.setTime(new Date(Date.now() + 16 * 60_000));
    expect(await sweepJobs(workspace.ctx)).toBe(1);
    expect(await finishedReply(workspace.ada, about, comment)).toMatchObject({ status: 'complete' });
    workspace.setTime(undefined);
  });

  it('whose message was lost is answered after the sweep', async () => {
    const { queue_urls } = workspace.ctx.config;
    const url = queue_urls['reply-as-assistant'];
    queue_urls['reply-as-assistant'] = undefined;
    const comment = await ask(workspace.ada, contact, 'Who is this?');
    queue_urls['reply-as-assistant'] = url;
    workspace.setTime(new Date(Date.now() + 16 * 60_000));
    expect(await sweepJobs(workspace.ctx)).toBe(1);
    expect(await finishedReply(workspace.ada, contact, comment)).toMatchObject({ status: 'complete' });
    workspace.setTime(undefined);
  });
});
