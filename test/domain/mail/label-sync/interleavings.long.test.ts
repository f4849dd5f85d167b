import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Labels } from '#shared/domain/mail/label-sync/labels.ts';
import { HOLD } from '#shared/domain/mail/label-sync/store.ts';
import { syncLabels } from '#shared/domain/mail/label-sync/sync.ts';
import { type Fate, Interleaving, type Worker } from '../../../support/interleaving.ts';
import { reduced } from '../../../support/long.ts';
import { MailServer, reachMailServer } from '../../../support/mail-server.ts';
import {
  changeLabels,
  givenSyncedMailbox,
  givenSyncedThread,
  openLabelJobs,
  stateOf,
} from '../../../support/synced-thread.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** Messages of one thread, from a queue that repeats and reorders them, to workers that fail and die anywhere. */

const RUNS = Number(process.env.RUNS ?? reduced(30));

/** Sequential changes of the thread; a change may repeat the current state. */
const changes = fc.array(
  fc.oneof(
    fc.boolean().map((read): Labels => ({ read })),
    fc.boolean().map((flagged): Labels => ({ flagged })),
  ),
  { minLength: 1, maxLength: 6 },
);

/** The next events, as numbers that choose among those that are possible at that point. */
const chances = fc.array(fc.nat({ max: 9_999 }), { minLength: 60, maxLength: 200 });

interface Message {
  job_id: string;
  /** Handled, so deleted from the queue. */
  handled: boolean;
}

class Story {
  readonly messages: Message[] = [];
  readonly workers: Worker[] = [];
  readonly interleaving = new Interleaving();
  time = Date.now();
  /** The workers in a call to the mail server, and the most at one time. */
  atServer = new Set<Worker>();
  together = 0;
  private readonly workspace: Workspace;
  private readonly thread_id: string;

  constructor(workspace: Workspace, thread_id: string, server: MailServer) {
    this.workspace = workspace;
    this.thread_id = thread_id;
    workspace.setTime(new Date(this.time));
    server.respond = (set) => this.interleaving.call('setLabels', async () => set());
  }

  alive(): Worker[] {
    return this.workers.filter(({ state }) => state === 'working');
  }

  pass(milliseconds: number): void {
    this.time += milliseconds;
    this.workspace.setTime(new Date(this.time));
  }

  async change(labels: Labels): Promise<void> {
    const owed = await changeLabels(this.workspace, this.workspace.ada, this.thread_id, labels);
    if (owed) this.messages.push({ job_id: owed.id, handled: false });
  }

  /** Delivers it to one more worker, even when another one has it. */
  async deliver(message: Message): Promise<void> {
    const worker = this.interleaving.start(async () => {
      await syncLabels(this.workspace.ctx, message.job_id);
      message.handled = true;
    });
    this.workers.push(worker);
    await this.interleaving.quiet();
    this.together = Math.max(this.together, this.pushing().size);
  }

  pushing(): Set<Worker> {
    return new Set(
      this.interleaving.waiting.filter(({ name }) => name === 'setLabels').map(({ worker }) => worker),
    );
  }

  /** The deliveries of queue and sweep when nothing else happens any more. */
  async end(): Promise<void> {
    await this.interleaving.finish();
    for (let round = 0; round < 10; round++) {
      this.pass(HOLD + 1);
      const left = this.messages.filter(({ handled }) => !handled);
      const open = (await openLabelJobs(this.workspace.table)).map(({ id }) => ({
        job_id: id,
        handled: false,
      }));
      if (left.length + open.length === 0) return;
      for (const message of [...left, ...open]) {
        await this.deliver(message);
        await this.interleaving.finish();
      }
    }
    expect.fail('Something is still owed');
  }
}

describe('calls to mail servers, in any order of events', () => {
  let workspace: Workspace;
  let mailbox: string;

  beforeAll(async () => {
    workspace = await startWorkspace();
    mailbox = await givenSyncedMailbox(workspace, workspace.ada);
  });
  afterAll(() => workspace?.stop());

  async function tell(
    labels: Labels[],
    numbers: number[],
    fates: Fate[],
    clock: 'when no worker is alive' | 'at any time',
  ): Promise<Story> {
    const server = new MailServer();
    reachMailServer(workspace.ctx, server);
    const thread_id = await givenSyncedThread(workspace, workspace.ada, [[mailbox], [mailbox]]);
    const story = new Story(workspace, thread_id, server);
    const stop = story.interleaving.watch(workspace.table);
    const left = [...labels];
    for (const number of numbers) {
      const deliverable = story.messages.filter(({ handled }) => !handled);
      const next: (() => Promise<void> | void)[] = [
        ...left.slice(0, 1).map((change) => () => {
          left.shift();
          return story.change(change);
        }),
        ...(story.alive().length < 3 ? deliverable : []).map((message) => () => story.deliver(message)),
        // Most events let a worker proceed.
        ...[...story.interleaving.waiting, ...story.interleaving.waiting].map((call) => () => {
          const fate = fates[Math.floor(number / 100) % fates.length] as Fate;
          return story.interleaving.decide(call, fate);
        }),
        ...(clock === 'at any time' || story.alive().length === 0 ? [() => story.pass(number * 15)] : []),
      ];
      await next[number % next.length]?.();
    }
    for (const change of left) await story.change(change);
    await story.end();
    stop();
    const state = await stateOf(workspace.table, workspace.ada, thread_id);
    // A label that never changed was never sent, and is as in new mail.
    expect(server.threadAt(mailbox, ['1@x', '2@x'])).toEqual(state);
    return story;
  }

  it('end with the last state, however workers fail and die, and never overlap', async () => {
    const fates: Fate[] = ['done', 'done', 'done', 'done', 'done', 'fails', 'fails-after', 'dies'];
    await fc.assert(
      fc.asyncProperty(changes, chances, async (labels, numbers) => {
        const { together } = await tell(labels, numbers, fates, 'when no worker is alive');
        expect(together).toBeLessThanOrEqual(1);
      }),
      { numRuns: RUNS },
    );
  });

  it('end with the last state, also when a worker is so slow that another one takes its job', async () => {
    await fc.assert(
      fc.asyncProperty(changes, chances, async (labels, numbers) => {
        await tell(labels, numbers, ['done'], 'at any time');
      }),
      { numRuns: RUNS },
    );
  });
});
