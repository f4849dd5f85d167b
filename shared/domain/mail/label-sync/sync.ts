import type { Context } from '#shared/context.ts';
import { isActive } from '#shared/domain/identity/accounts/closed.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { HostRefused, LoginRefused, ServerUnreachable } from '#shared/domain/mail/servers/failures.ts';
import { openStore } from '#shared/domain/mail/servers/open-store.ts';
import { Busy, inTurn } from '#shared/domain/mail/servers/second-session.ts';
import type { ReachesMailServers } from '#shared/domain/mail/servers/server.ts';
import { messagesOf } from '#shared/domain/mail/threads/messages.ts';
import {
  type Message,
  mailboxesOf,
  type Thread,
  type ThreadEntry,
} from '#shared/domain/mail/threads/thread.ts';
import { newId } from '#shared/ids.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { keys } from '#shared/table/keys.ts';
import { answeredIn } from './answered.ts';
import { writeMarks } from './at-server.ts';
import { type LabelJob, owe } from './job.ts';
import { type Labels, type Marking, markingsOf } from './labels.ts';
import { claim, claimAgain, handOver, park, release, settle } from './store.ts';
import { messagesIn, ownedBy } from './thread-labels.ts';

/** Writes a user's flag and read mark of a thread to the mail servers of the user's own mailboxes. */

type Syncing = Context<ReachesMailServers>;

/** Milliseconds before a session at a server is aborted. */
const PATIENCE = 15_000;
/** Other workers may write to the same mailbox. */
const TURN = { lasts: 2 * PATIENCE, patience: 10_000 };
/** Rounds of writing before a thread that keeps changing is left to the queue. */
const ROUNDS = 3;
/** Milliseconds until a server that is away is asked again, and one that refuses the credentials. */
const AWAY = 60_000;
const LOCKED = 15 * 60_000;

/** Nobody can be reached, which is no failure of the job: it waits. */
class Unreached extends Error {
  override name = 'Unreached';
  readonly wait: number;

  constructor(wait: number, options?: ErrorOptions) {
    super('The server of the mailbox is not to be reached', options);
    this.wait = wait;
  }
}

/** The labels of the job, as the user sees the thread now. */
function labelsNow(job: LabelJob, entry: ThreadEntry): Labels {
  return {
    ...(job.labels?.has('read') ? { read: entry.unread === undefined } : {}),
    ...(job.labels?.has('flagged') ? { flagged: entry.flagged !== undefined } : {}),
  };
}

async function write(ctx: Syncing, mailbox: Mailbox, markings: Marking[]): Promise<void> {
  const store = await openStore(ctx, mailbox, AbortSignal.timeout(PATIENCE));
  try {
    await writeMarks({ table: ctx.table, store, mailbox }, markings);
  } finally {
    await store.close();
  }
}

async function tellServer(ctx: Syncing, mailbox: Mailbox, markings: Marking[]): Promise<void> {
  if (mailbox.status === 'locked') throw new Unreached(LOCKED);
  try {
    await inTurn(ctx, mailbox, TURN, () => write(ctx, mailbox, markings));
  } catch (cause) {
    if (cause instanceof Busy) throw new Unreached(cause.seconds * 1_000, { cause });
    if (cause instanceof ServerUnreachable) throw new Unreached(AWAY, { cause });
    if (cause instanceof LoginRefused || cause instanceof HostRefused) throw new Unreached(LOCKED, { cause });
    throw cause;
  }
}

/** A failure that the queue repeats comes before one that only waits; then the longest wait counts. */
function worst(failures: unknown[]): unknown {
  const [other] = failures.filter((failure) => !(failure instanceof Unreached));
  const wait = (failure: unknown) =>
    failure instanceof TryLater ? failure.seconds : failure instanceof Unreached ? failure.wait : 0;
  const alike = failures.filter((failure) => failure instanceof Unreached === (other === undefined));
  return alike.sort((a, b) => wait(b) - wait(a))[0];
}

/** Calls all servers, then throws a failure. */
async function tellServers(ctx: Syncing, job: LabelJob, entry: ThreadEntry, messages: Message[]) {
  const { account_id, user_id } = job.body;
  const owned = await ownedBy(ctx.table, account_id, user_id);
  if (!owned) return;
  const markings = markingsOf(labelsNow(job, entry), messagesIn(messages, owned), owned.addresses);
  const told = await Promise.allSettled(
    owned.synced.map(async (mailbox) => {
      const marked = markings.filter(({ message }) => mailboxesOf(message).has(mailbox.id));
      const here = [...marked, ...answeredIn(mailbox.id, messages, job.answered)];
      if (here.length > 0) await tellServer(ctx, mailbox, here);
    }),
  );
  const failures = told.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (failures.length > 0) throw worst(failures);
}

/** While a thread is being merged, its messages and marks are in two places, so the job waits. */
function followMerge(ctx: Context, job: LabelJob, thread: Thread): Promise<boolean> {
  if (thread.merging) throw new TryLater('The thread is being merged');
  const body = { ...job.body, thread_id: thread.merged_into as string };
  return handOver(ctx, job, owe(body, job, ctx.clock()));
}

/** True when the job is complete. */
async function work(ctx: Syncing, job: LabelJob): Promise<boolean> {
  const { table } = ctx;
  const { account_id, user_id, thread_id } = job.body;
  const [open, thread, entry, messages] = await Promise.all([
    isActive(table, account_id),
    table.get<Thread>(keys.record('threads', thread_id)),
    table.get<ThreadEntry>(keys.threadEntry(user_id, thread_id)),
    messagesOf(table, thread_id),
  ]);
  if (!open) {
    await table.delete(keys.job(job.id));
    return true;
  }
  if (thread?.merged_into) return followMerge(ctx, job, thread);
  if (entry) await tellServers(ctx, job, entry, messages);
  return settle(table, job);
}

async function giveBack(ctx: Syncing, job: LabelJob, error: unknown): Promise<void> {
  const { table, clock } = ctx;
  const giving =
    error instanceof Unreached ? park(table, job, clock().getTime() + error.wait) : release(table, job);
  await giving.catch((cause: unknown) =>
    getLogger().warn('job stays held for a while', { job_id: job.id, error: describeError(cause) }),
  );
}

/** Safe to run at any time, repeatedly and in several workers: the servers end up with the user's last state. */
export async function syncLabels(ctx: Syncing, job_id: string): Promise<void> {
  const { table, clock } = ctx;
  let job = await claim(table, job_id, newId(ctx.now), ctx.now);
  if (!job) return;
  const held = job;
  try {
    for (let round = 1; job && !(await work(ctx, job)); round++) {
      if (round === ROUNDS) throw new TryLater('The thread keeps changing');
      job = await claimAgain(table, job, clock());
    }
  } catch (error) {
    await giveBack(ctx, held, error);
    if (!(error instanceof Unreached)) throw error;
    getLogger().info('labels wait for their server', { job_id, error: describeError(error.cause ?? error) });
  }
}
