import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Labels } from '#shared/domain/mail/label-sync/labels.ts';
import { messagesOf } from '#shared/domain/mail/threads/messages.ts';
import { dispatch, sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { MAX_RECEIVES, queues } from '#shared/queues/queues.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { clientOptions } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import { at } from '#shared/table/table.ts';
import { handler } from '../../functions/queues/sync-labels.ts';
import { longIt, reduced } from '../support/long.ts';
import { eml, givenMailbox, importMail, listAllThreads } from '../support/mail.ts';
import { MailServer, reachMailServer } from '../support/mail-server.ts';
import {
  changeLabels,
  giveCopies,
  givenSyncedMailbox,
  givenSyncedThread,
  openLabelJobs,
  stateOf,
} from '../support/synced-thread.ts';
import { type ApiClient, startWorkspace, type Workspace } from '../support/workspace.ts';

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

let workspace: Workspace;
let server: MailServer;
let mailbox: string;
let client: SQSClient;
let queue: string;

beforeAll(async () => {
  workspace = await startWorkspace({ mail: true, own_table: true });
  mailbox = await givenSyncedMailbox(workspace, workspace.ada);
  const { sqs_endpoint, queue_urls } = workspace.ctx.config;
  queue = queue_urls['sync-labels'] as string;
  client = new SQSClient({ ...clientOptions(sqs_endpoint), useQueueUrlAsEndpoint: false });
});
afterAll(async () => {
  client?.destroy();
  await workspace?.stop();
});
beforeEach(async () => {
  server = new MailServer();
  reachMailServer(workspace.ctx, server);
  for (const { PK, SK } of await openLabelJobs(workspace.table)) await workspace.table.delete({ PK, SK });
});

const nothingIsOwed = () =>
  expect.poll(async () => (await openLabelJobs(workspace.table)).length, { timeout: 20_000 }).toBe(0);

type State = 'flagged' | 'unflagged' | 'read' | 'unread';

function bring(api: ApiClient, thread_id: string, state: State): Promise<{ status: number }> {
  const params = { thread_id };
  if (state === 'flagged') return api.flagThread({ params });
  if (state === 'unflagged') return api.unflagThread({ params });
  return state === 'read' ? api.markThreadRead({ params }) : api.markThreadUnread({ params });
}

let threads = 0;

/** A thread of two messages that an import brought into the mailbox. */
async function givenImported(into = mailbox): Promise<{ id: string; messages: string[] }> {
  const subject = `Thread ${threads++}`;
  const messages = [`${subject}-1@x`, `${subject}-2@x`].map((id) => id.replace(' ', '-'));
  const [first, second] = messages as [string, string];
  await importMail(workspace, workspace.ada, into, [
    eml({ id: first, subject }),
    eml({
      id: second,
      subject: `Re: ${subject}`,
      in_reply_to: first,
      date: 'Mon, 02 Nov 2026 11:00:00 +0000',
    }),
  ]);
  const found = (await listAllThreads(workspace.ada.reader)).find((thread) => thread.subject === subject);
  await giveCopies(workspace.table, await messagesOf(workspace.table, found?.id as string));
  return { id: found?.id as string, messages };
}

describe('flag and read mark at the mail provider', () => {
  longIt.each<[State, State[], Labels, 'all' | 'newest']>([
    ['flagged', [], { flagged: true }, 'newest'],
    ['read', [], { read: true }, 'all'],
    ['unflagged', ['flagged'], { flagged: false }, 'all'],
    ['unread', ['read'], { read: false }, 'newest'],
  ])('%s is set there shortly after the response', async (state, before, labels, which) => {
    const { id, messages } = await givenImported();
    const message_ids = which === 'all' ? messages : messages.slice(-1);
    for (const each of before) await bring(workspace.ada.api, id, each);
    await nothingIsOwed();
    server.told.length = 0;
    const response = await bring(workspace.ada.api, id, state);
    expect([200, 204]).toContain(response.status);
    await nothingIsOwed();
    expect(server.told).toEqual([{ mailbox_id: mailbox, message_ids, labels }]);
  });

  it('the response does not wait for the mail server', async () => {
    const { id, messages } = await givenImported();
    let respond = () => {};
    server.respond = async (set) => {
      await new Promise<void>((resolve) => {
        respond = resolve;
      });
      set();
    };
    await bring(workspace.ada.api, id, 'flagged');
    await expect.poll(async () => (await openLabelJobs(workspace.table))[0]?.worker).toBeDefined();
    expect(server.told).toEqual([]);
    server.respond = async (set) => set();
    respond();
    await nothingIsOwed();
    expect(server.threadAt(mailbox, messages).flagged).toBe(true);
  });

  longIt(
    'ends with the last state after many concurrent requests, with a slow and failing server',
    async () => {
      const given = [await givenImported(), await givenImported(), await givenImported()];
      let calls = 0;
      server.respond = async (set) => {
        await pause(Math.random() * 60);
        if (++calls % 7 === 0) throw new TryLater('Busy', 1);
        set();
        if (calls % 11 === 0) throw new Error('The response was lost');
      };
      const states: State[] = ['flagged', 'unflagged', 'read', 'unread'];
      const storm = async (id: string) => {
        for (let i = 0; i < reduced(25); i++) {
          await bring(workspace.ada.api, id, states[Math.floor(Math.random() * 4)] as State);
          await pause(Math.random() * 20);
        }
      };
      // Two clients of the same user for each thread.
      await Promise.all([...given, ...given].map(({ id }) => storm(id)));
      await nothingIsOwed();
      const records = await listAllThreads(workspace.ada.reader);
      for (const { id, messages } of given) {
        const { read, flagged } = records.find((thread) => thread.id === id) ?? {};
        expect(server.threadAt(mailbox, messages)).toEqual({ read, flagged });
      }
      expect(server.told.length).toBeLessThan(150);
    },
  );

  it('is not touched where the mailbox has label_sync off, or is not the user’s own', async () => {
    const off = await givenMailbox(workspace, workspace.grace);
    await importMail(workspace, workspace.grace, off, [eml({ id: 'off@x', subject: 'Off' })]);
    await workspace.table.update<User>(keys.user(workspace.account_id, workspace.grace.user.id), {
      set: { mailboxes: at(mailbox, 'view') },
    });
    // New mail brings the thread into the lists of every user who may read the mailbox.
    await importMail(workspace, workspace.ada, mailbox, [
      eml({ id: 'both@x', subject: 'Seen by both', to: 'grace@acme.example' }),
    ]);
    const threads = await listAllThreads(workspace.grace.reader);
    expect(threads.map(({ subject }) => subject).sort()).toEqual(['Off', 'Seen by both']);
    for (const thread of threads) {
      await bring(workspace.grace.api, thread.id, 'flagged');
      expect(await openLabelJobs(workspace.table)).toEqual([]);
    }
    expect(server.told).toEqual([]);
  });

  it('is not touched by a repeat, which changes nothing', async () => {
    const { id } = await givenImported();
    await bring(workspace.ada.api, id, 'flagged');
    await nothingIsOwed();
    expect((await bring(workspace.ada.api, id, 'flagged')).status).toBe(200);
    expect(await openLabelJobs(workspace.table)).toEqual([]);
    expect(server.told).toHaveLength(1);
  });

  it('is set even when the message of its job is lost: the sweep sends it again', async () => {
    const { id, messages } = await givenImported();
    const { config } = workspace.ctx;
    const urls = config.queue_urls;
    config.queue_urls = { ...urls, 'sync-labels': `${queue}-lost` };
    expect((await bring(workspace.ada.api, id, 'flagged')).status).toBe(200);
    config.queue_urls = urls;
    expect(await sweepJobs(workspace.ctx)).toBe(0);
    workspace.setTime(new Date(Date.now() + 60 * 60_000));
    expect(await sweepJobs(workspace.ctx)).toBe(1);
    workspace.setTime(undefined);
    await nothingIsOwed();
    expect(server.threadAt(mailbox, messages).flagged).toBe(true);
  });
});

describe('a mail server that keeps failing', () => {
  it('moves the message to the dead-letter queue after its last delivery; after a redrive the last state is set', async () => {
    const [bad, good] = [await givenSyncedMailbox(workspace, workspace.ada), mailbox];
    let failures = 0;
    server.respond = async (set, _signal, to) => {
      if (to === bad && failures++ < MAX_RECEIVES) throw new Error('The server is broken');
      set();
    };
    const failing = await givenSyncedThread(workspace, workspace.ada, [[bad]]);
    const working = await givenSyncedThread(workspace, workspace.ada, [[good]]);
    const first = await changeLabels(workspace, workspace.ada, failing, { flagged: true });
    const second = await changeLabels(workspace, workspace.ada, working, { flagged: true });
    for (const owed of [first, second]) if (owed) await dispatch(workspace.ctx, owed);
    await expect.poll(() => server.labelsOf(good, '1@x').flagged, { timeout: 10_000 }).toBe(true);
    const dead = await client.send(
      new ReceiveMessageCommand({ QueueUrl: `${queue}-dead`, WaitTimeSeconds: 20 }),
    );
    expect(failures).toBe(MAX_RECEIVES);
    const [letter] = dead.Messages ?? [];
    expect(JSON.parse(letter?.Body as string)).toMatchObject({ job_id: first?.id, thread_id: failing });
    expect(await openLabelJobs(workspace.table)).toHaveLength(1);
    await changeLabels(workspace, workspace.ada, failing, { flagged: false, read: true });
    await client.send(new SendMessageCommand({ QueueUrl: queue, MessageBody: letter?.Body }));
    await client.send(
      new DeleteMessageCommand({ QueueUrl: `${queue}-dead`, ReceiptHandle: letter?.ReceiptHandle }),
    );
    await nothingIsOwed();
    expect(server.labelsOf(bad, '1@x')).toEqual(await stateOf(workspace.table, workspace.ada, failing));
  });
});

describe('the consumer', () => {
  /** The visibility timeout that SQS gets for a message that fails for the n-th time. */
  async function waitAfter(receives: number, failure: Error): Promise<number | undefined> {
    const waits: (number | undefined)[] = [];
    const sent = SQSClient.prototype.send as (command: unknown) => Promise<unknown>;
    const send = vi.spyOn(SQSClient.prototype, 'send').mockImplementation(function (
      this: SQSClient,
      command,
    ) {
      if (!(command instanceof ChangeMessageVisibilityCommand)) return sent.call(this, command);
      expect(command.input).toMatchObject({ QueueUrl: queue, ReceiptHandle: 'handle' });
      waits.push(command.input.VisibilityTimeout);
      return Promise.resolve();
    });
    const thread = await givenSyncedThread(workspace, workspace.ada, [[mailbox]]);
    const owed = await changeLabels(workspace, workspace.ada, thread, { flagged: true });
    server.respond = () => Promise.reject(failure);
    const records = [{ messageId: 'failing', job_id: owed?.id as string }];
    const response = await handler(eventOf(records, receives), { getRemainingTimeInMillis: () => 60_000 });
    send.mockRestore();
    await workspace.table.delete({ PK: owed?.PK as string, SK: owed?.SK as string });
    expect(response.batchItemFailures).toEqual([{ itemIdentifier: 'failing' }]);
    expect(waits.length).toBeLessThanOrEqual(1);
    return waits[0];
  }

  function eventOf(records: { messageId: string; job_id?: string }[], receives = 1) {
    return {
      Records: records.map(({ messageId, job_id }) => ({
        messageId,
        receiptHandle: 'handle',
        body: JSON.stringify({ job_id }),
        attributes: { ApproximateReceiveCount: String(receives) },
        eventSource: 'aws:sqs',
      })),
    } as never;
  }

  longIt('delays a failed message for increasing times, and lets it go after the last', async () => {
    const { waits } = queues['sync-labels'];
    expect(waits).toHaveLength(MAX_RECEIVES - 1);
    for (const [i, wait] of waits.entries()) {
      const seconds = await waitAfter(i + 1, new Error('Connection reset'));
      expect(seconds).toBeGreaterThanOrEqual(wait / 2);
      expect(seconds).toBeLessThanOrEqual(wait);
      expect(wait / 2).toBeGreaterThan((waits[i - 1] ?? 0) - 1);
    }
    expect(await waitAfter(MAX_RECEIVES, new Error('Connection reset'))).toBe(0);
  });

  it('waits as long as a throttling server asks, at most a quarter of an hour', async () => {
    expect(await waitAfter(1, new TryLater('Throttled', 120))).toBe(120);
    expect(await waitAfter(1, new TryLater('Throttled', 86_400))).toBe(900);
    expect(await waitAfter(4, new TryLater('Throttled', 1))).toBeGreaterThan(100);
  });

  it('reports only the messages of a batch that failed', async () => {
    const thread = await givenSyncedThread(workspace, workspace.ada, [[mailbox]]);
    const owed = await changeLabels(workspace, workspace.ada, thread, { flagged: true });
    const records = [
      { messageId: 'good', job_id: owed?.id as string },
      { messageId: 'bad' },
      { messageId: 'done', job_id: '0198c0de-0000-7000-8000-000000000001' },
    ];
    const response = await handler(eventOf(records), { getRemainingTimeInMillis: () => 60_000 });
    expect(response.batchItemFailures).toEqual([{ itemIdentifier: 'bad' }]);
    expect(server.labelsOf(mailbox, '1@x').flagged).toBe(true);
  });

  it('leaves the delay to the queue when it cannot be changed', async () => {
    // The queue has no such message, so SQS refuses.
    const thread = await givenSyncedThread(workspace, workspace.ada, [[mailbox]]);
    const owed = await changeLabels(workspace, workspace.ada, thread, { flagged: true });
    server.respond = () => Promise.reject(new Error('Connection reset'));
    const event = eventOf([{ messageId: 'failing', job_id: owed?.id as string }]);
    const response = await handler(event, { getRemainingTimeInMillis: () => 60_000 });
    expect(response.batchItemFailures).toEqual([{ itemIdentifier: 'failing' }]);
    await workspace.table.delete({ PK: owed?.PK as string, SK: owed?.SK as string });
  });
});
