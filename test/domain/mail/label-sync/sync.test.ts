import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Labels } from '#shared/domain/mail/label-sync/labels.ts';
import { HOLD } from '#shared/domain/mail/label-sync/store.ts';
import { syncLabels } from '#shared/domain/mail/label-sync/sync.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { LoginRefused, ServerUnreachable } from '#shared/domain/mail/servers/failures.ts';
import type { Thread, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { keys } from '#shared/table/keys.ts';
import { failCall } from '../../../support/faults.ts';
import { Interleaving } from '../../../support/interleaving.ts';
import { longIt, STRIDE } from '../../../support/long.ts';
import { MailServer, reachMailServer } from '../../../support/mail-server.ts';
import {
  changeLabels,
  givenMessages,
  givenSyncedMailbox,
  givenSyncedThread,
  openLabelJobs,
  stateOf,
} from '../../../support/synced-thread.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

let workspace: Workspace;
let server: MailServer;
/** Ada's own, with label_sync on. */
let mailbox: string;

beforeAll(async () => {
  workspace = await startWorkspace();
  mailbox = await givenSyncedMailbox(workspace, workspace.ada);
});
afterAll(() => workspace?.stop());
beforeEach(async () => {
  server = new MailServer();
  reachMailServer(workspace.ctx, server);
  workspace.setTime(undefined);
  for (const { PK, SK } of await openLabelJobs(workspace.table)) await workspace.table.delete({ PK, SK });
});

const given = (...reached: string[][]) => givenSyncedThread(workspace, workspace.ada, reached);
const change = (thread: string, labels: Labels) => changeLabels(workspace, workspace.ada, thread, labels);

/** Changes the thread and returns the id of the job. */
async function owe(thread: string, labels: Labels): Promise<string> {
  const owed = await change(thread, labels);
  return owed?.id as string;
}

const sync = (job_id: string) => syncLabels(workspace.ctx, job_id);
const open = async () => (await openLabelJobs(workspace.table)).length;

function setMailbox(id: string, label_sync: boolean) {
  return workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, id), { set: { label_sync } });
}

describe('a change of flag or read mark', () => {
  it.each([
    ['flag a thread', { flagged: true }, ['2@x']],
    ['mark read', { read: true }, ['1@x', '2@x']],
    ['mark unread', { read: false }, ['2@x']],
    ['unflag a thread', { flagged: false }, ['1@x', '2@x']],
  ])('%s: sends this label to the mail server and no other', async (_title, labels: Labels, message_ids) => {
    const thread = await given([mailbox], [mailbox]);
    // From the other state.
    for (const label of ['read', 'flagged'] as const)
      if (labels[label] === false) await sync(await owe(thread, { [label]: true }));
    server.told.length = 0;
    await sync(await owe(thread, labels));
    expect(server.told).toEqual([{ mailbox_id: mailbox, message_ids, labels }]);
    expect(await open()).toBe(0);
  });

  it('reaches every mailbox that the user owns with label_sync on, each with its messages, and no other', async () => {
    const second = await givenSyncedMailbox(workspace, workspace.ada);
    const off = await givenSyncedMailbox(workspace, workspace.ada);
    await setMailbox(off, false);
    const of_grace = await givenSyncedMailbox(workspace, workspace.grace);
    const thread = await given([mailbox, of_grace], [second, off], [mailbox, second], [of_grace], [off]);
    await sync(await owe(thread, { read: true }));
    const labels = { read: true };
    expect(server.told).toHaveLength(2);
    expect(server.told).toEqual(
      expect.arrayContaining([
        { mailbox_id: mailbox, message_ids: ['1@x', '3@x'], labels },
        { mailbox_id: second, message_ids: ['2@x', '3@x'], labels },
      ]),
    );
  });

  it('waits with earlier ones in one job, which sends the last state once', async () => {
    const thread = await given([mailbox]);
    const jobs = new Set<string>();
    for (const flagged of [true, false, true, false, true]) jobs.add(await owe(thread, { flagged }));
    for (const read of [true, false]) jobs.add(await owe(thread, { read }));
    expect(jobs.size).toBe(1);
    expect(await open()).toBe(1);
    for (const job of jobs) await sync(job);
    expect(server.told.map(({ labels }) => labels)).toEqual([{ read: false, flagged: true }]);
    // Messages of the earlier changes find no job.
    for (const job of jobs) await sync(job);
    expect(server.told).toHaveLength(1);
  });

  it('during a call to the server is sent as well, however many there are', async () => {
    const thread = await given([mailbox]);
    const job = await owe(thread, { flagged: true });
    server.respond = async (set) => {
      set();
      if (server.told.length > 1) return;
      for (const flagged of [false, true, false]) {
        await change(thread, { flagged });
        // Another worker leaves the job to this one.
        await sync(job);
      }
    };
    await sync(job);
    expect(server.told.map(({ labels }) => labels)).toEqual([{ flagged: true }, { flagged: false }]);
    expect(await open()).toBe(0);
  });

  longIt(
    'of a thread that keeps changing is left to the queue after three rounds, and not lost',
    async () => {
      const thread = await given([mailbox]);
      const job = await owe(thread, { flagged: true });
      server.respond = async (set) => {
        set();
        await change(thread, { flagged: !(await stateOf(workspace.table, workspace.ada, thread)).flagged });
      };
      await expect(sync(job)).rejects.toThrow(TryLater);
      expect(server.told).toHaveLength(3);
      server.respond = async (set) => set();
      await sync(job);
      expect(server.labelsOf(mailbox, '1@x').flagged).toBe(false);
      expect(await open()).toBe(0);
    },
  );

  it('of a thread in an `import` mailbox calls no server and ends its job', async () => {
    const archive = await givenSyncedMailbox(workspace, workspace.ada);
    const key = keys.mailbox(workspace.account_id, archive);
    await workspace.table.update<Mailbox>(key, { remove: ['mail_server'] });
    await sync(await owe(await given([archive]), { flagged: true }));
    expect(server.told).toEqual([]);
    expect(await open()).toBe(0);
  });
});

describe('a worker that was overtaken by another', () => {
  /** Starts a worker up to its call to the server, changes the thread, and lets the worker's time run out. */
  async function slowWorker(thread: string) {
    const interleaving = new Interleaving();
    const stop = interleaving.watch(workspace.table);
    server.respond = (set) => interleaving.call('setLabels', async () => set());
    const job = await owe(thread, { flagged: true });
    const worker = interleaving.start(() => sync(job));
    const atServer = () => interleaving.waiting.find(({ name }) => name === 'setLabels');
    await interleaving.quiet();
    while (!atServer()) await interleaving.decide(interleaving.waiting[0] as never, 'done');
    await change(thread, { flagged: false });
    workspace.setTime(new Date(Date.now() + HOLD + 1));
    await sync(job);
    expect(server.labelsOf(mailbox, '1@x').flagged).toBe(false);
    expect(await open()).toBe(0);
    return {
      job,
      goOn: async () => {
        await interleaving.finish();
        await worker.finished;
        stop();
        expect(worker.state).toBe('done');
      },
    };
  }

  it('sends the current state again', async () => {
    const thread = await given([mailbox]);
    const slow = await slowWorker(thread);
    await slow.goOn();
    expect(server.told.map(({ labels }) => labels.flagged)).toEqual([false, true, false]);
    expect(await open()).toBe(0);
  });

  it('does not end the job of a later change', async () => {
    const thread = await given([mailbox]);
    const slow = await slowWorker(thread);
    await change(thread, { read: true });
    await slow.goOn();
    expect(server.labelsOf(mailbox, '1@x')).toEqual({ read: true, flagged: false });
    expect(await open()).toBe(0);
  });

  longIt('leaves the job to the next worker, which has claimed it', async () => {
    const thread = await given([mailbox]);
    const slow = await slowWorker(thread);
    await change(thread, { flagged: true });
    await change(thread, { flagged: false });
    const next = new Interleaving();
    const stop = next.watch(workspace.table);
    const third = next.start(() => sync(slow.job));
    await next.quiet();
    await next.decide(next.waiting[0] as never, 'done');
    // It holds the job. Now the slow worker sends the old state.
    await slow.goOn();
    expect(server.labelsOf(mailbox, '1@x').flagged).toBe(true);
    await next.finish();
    await third.finished;
    stop();
    expect(server.labelsOf(mailbox, '1@x').flagged).toBe(false);
    expect(await open()).toBe(0);
  });
});

describe('a mail server that fails', () => {
  it('is called again with the same message, and the job waits for that', async () => {
    const thread = await given([mailbox]);
    const job = await owe(thread, { flagged: true });
    const causes = [
      new Error('Connection reset'),
      new DOMException('Timed out', 'TimeoutError'),
      new TryLater('Busy', 7),
    ];
    for (const cause of causes) {
      server.respond = () => Promise.reject(cause);
      await expect(sync(job)).rejects.toBe(cause);
      expect(await open()).toBe(1);
    }
    server.respond = async (set) => set();
    await change(thread, { flagged: false });
    await sync(job);
    expect(server.told.map(({ labels }) => labels)).toEqual([{ flagged: false }]);
    expect(await open()).toBe(0);
  });

  it('has fifteen seconds for a call', async () => {
    const timeout = vi
      .spyOn(AbortSignal, 'timeout')
      .mockReturnValue(AbortSignal.abort(new Error('Too late')));
    const job = await owe(await given([mailbox]), { flagged: true });
    server.respond = async (_set, signal) => signal.throwIfAborted();
    await expect(sync(job)).rejects.toThrow('Too late');
    expect(timeout).toHaveBeenCalledWith(15_000);
    timeout.mockRestore();
  });

  it('does not block calls to the others, and the longest requested wait counts', async () => {
    const others = [
      await givenSyncedMailbox(workspace, workspace.ada),
      await givenSyncedMailbox(workspace, workspace.ada),
    ];
    const thread = await given([mailbox, ...others]);
    const job = await owe(thread, { flagged: true });
    const failures = [new TryLater('Busy', 30), new TryLater('Busy', 600)];
    server.respond = async (set) => {
      const failure = failures.shift();
      if (failure) throw failure;
      set();
    };
    await expect(sync(job)).rejects.toMatchObject({ seconds: 600 });
    expect(server.told).toHaveLength(1);
    await sync(job);
    for (const id of [mailbox, ...others]) expect(server.labelsOf(id, '1@x').flagged).toBe(true);
  });

  longIt.each([
    ['is away for hours', () => new ServerUnreachable('No connection'), 2 * 60_000],
    ['refuses the credentials', () => new LoginRefused('No'), 20 * 60_000],
  ])('that %s lets the job wait, however often it is tried', async (_title, failure, later) => {
    const thread = await given([mailbox]);
    const job = await owe(thread, { flagged: true });
    let now = Date.now();
    for (let attempt = 0; attempt < 12; attempt++) {
      server.respond = () => Promise.reject(failure());
      await sync(job);
      workspace.setTime(new Date((now += later)));
      const [left] = await openLabelJobs(workspace.table);
      expect(left?.due).toBeLessThanOrEqual(now);
      await sweepJobs(workspace.ctx);
    }
    expect(await open()).toBe(1);
    server.respond = async (set) => set();
    await sync(job);
    expect(server.labelsOf(mailbox, '1@x').flagged).toBe(true);
    expect(await open()).toBe(0);
  });

  it('is left alone while the mailbox is locked', async () => {
    const key = keys.mailbox(workspace.account_id, mailbox);
    await workspace.table.update<Mailbox>(key, { set: { status: 'locked' } });
    const job = await owe(await given([mailbox]), { flagged: true });
    await sync(job);
    expect(server.told).toEqual([]);
    await workspace.table.update<Mailbox>(key, { set: { status: 'active' } });
    await sync(job);
    expect(server.told).toHaveLength(1);
    expect(await open()).toBe(0);
  });
});

describe('an obsolete job', () => {
  it.each<[string, (thread: string) => Promise<unknown>]>([
    ['label_sync was switched off meanwhile', () => setMailbox(mailbox, false)],
    ['the mailbox is gone', () => workspace.table.delete(keys.mailbox(workspace.account_id, mailbox))],
    [
      'the mailbox is somebody else’s',
      () =>
        workspace.table.update<Mailbox>(keys.mailbox(workspace.account_id, mailbox), {
          set: { user_id: workspace.grace.user.id },
        }),
    ],
    [
      'the user no longer sees the thread',
      (thread) => workspace.table.delete(keys.threadEntry(workspace.ada.user.id, thread)),
    ],
  ])('%s: makes no call', async (_title, meanwhile) => {
    const key = keys.mailbox(workspace.account_id, mailbox);
    const before = await workspace.table.get(key);
    const thread = await given([mailbox]);
    const job = await owe(thread, { flagged: true });
    await meanwhile(thread);
    await sync(job);
    await workspace.table.put(before as never);
    expect(server.told).toEqual([]);
    expect(await open()).toBe(0);
  });

  it('is done: its message does nothing', async () => {
    await sync('0198c0de-0000-7000-8000-000000000001');
    expect(server.told).toEqual([]);
  });
});

describe('a thread that was merged into another', () => {
  const merge = (from: string, into: string, merging: boolean) =>
    workspace.table.update<Thread>(keys.record('threads', from), {
      set: { merged_into: into, merging: merging ? true : undefined },
      remove: merging ? [] : ['merging'],
    });

  async function jobOf(thread_id: string) {
    const jobs = await openLabelJobs(workspace.table);
    return jobs.find(({ body }) => (body as { thread_id: string }).thread_id === thread_id)?.id as string;
  }

  it('owes its labels for the other thread, once everything has moved there', async () => {
    const [from, into] = [await given(), await given([mailbox], [mailbox])];
    const job = await owe(await given([mailbox]), { flagged: true });
    await workspace.table.delete(keys.job(job));
    const owner = keys.threadEntry(workspace.ada.user.id, from);
    await workspace.table.update<ThreadEntry>(owner, { set: { mailbox_ids: [mailbox] } });
    const old = await owe(from, { flagged: true });
    await merge(from, into, true);
    await expect(sync(old)).rejects.toThrow(TryLater);
    expect(server.told).toEqual([]);
    await merge(from, into, false);
    await workspace.table.delete(owner);
    const key = keys.threadEntry(workspace.ada.user.id, into);
    await workspace.table.update<ThreadEntry>(key, { set: { flagged: 1 } });
    await sync(old);
    expect(await open()).toBe(1);
    await sync(await jobOf(into));
    expect(server.told).toEqual([{ mailbox_id: mailbox, message_ids: ['2@x'], labels: { flagged: true } }]);
    expect(await open()).toBe(0);
  });

  it('during the call to its server: what was sent too early is sent again', async () => {
    const [from, into] = [await given([mailbox]), await given([mailbox])];
    const job = await owe(from, { flagged: true });
    server.respond = async (set) => {
      if (server.told.length === 0) {
        await merge(from, into, false);
        await workspace.table.delete(keys.threadEntry(workspace.ada.user.id, from));
        await givenMessages(workspace, into, [[mailbox]]);
        // The current state of the other thread was sent before this call arrives.
        const other = await owe(into, { flagged: true });
        await change(into, { flagged: false });
        await workspace.table.delete(keys.job(other));
      }
      set();
    };
    await sync(job);
    expect(server.labelsOf(mailbox, '1@x').flagged).toBe(true);
    await sync(await jobOf(into));
    expect(server.labelsOf(mailbox, '1@x').flagged).toBe(false);
    expect(await open()).toBe(0);
  });
});

describe('a worker that is killed', () => {
  longIt(
    'ends in the same state whichever call to the table fails, when its message is delivered again',
    async () => {
      for (let call = 1, reached = true; reached; call += STRIDE)
        for (const when of ['before', 'after'] as const) {
          const thread = await given([mailbox], [mailbox]);
          await owe(thread, { read: true });
          const job = await owe(thread, { flagged: true });
          const fault = failCall(workspace.table, call, when);
          await sync(job).catch(() => undefined);
          fault.remove();
          reached = fault.hit;
          workspace.setTime(new Date(Date.now() + HOLD + 1));
          await sync(job);
          workspace.setTime(undefined);
          expect(server.threadAt(mailbox, ['1@x', '2@x'])).toEqual({ read: true, flagged: true });
          expect(await open()).toBe(0);
        }
    },
  );

  it('holds its job until it cannot be alive any more; one that fails releases it at once', async () => {
    const thread = await given([mailbox]);
    const job = await owe(thread, { flagged: true });
    const interleaving = new Interleaving();
    const stop = interleaving.watch(workspace.table);
    interleaving.start(() => sync(job));
    await interleaving.quiet();
    const [claim] = interleaving.waiting;
    await interleaving.decide(claim as never, 'done');
    await interleaving.decide(interleaving.waiting[0] as never, 'dies');
    stop();
    const now = Date.now();
    for (const [later, told] of [
      [HOLD - 1_000, 0],
      [HOLD + 1_000, 1],
    ] as const) {
      workspace.setTime(new Date(now + later));
      await sync(job);
      expect(server.told).toHaveLength(told);
    }
    server.respond = () => Promise.reject(new Error('Connection reset'));
    await expect(sync(await owe(thread, { flagged: false }))).rejects.toThrow('Connection reset');
    server.respond = async (set) => set();
    await sync(job);
    expect(server.told).toHaveLength(2);
  });
});
