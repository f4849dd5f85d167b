import type { Context } from '#shared/context.ts';
import { isActive } from '#shared/domain/identity/accounts/closed.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { messagesOf } from '#shared/domain/mail/threads/refresh.ts';
import type { Message, Thread, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { newId } from '#shared/ids.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { type LabelJob, owe } from './job.ts';
import { type Labels, ProviderRefused, type ReachesMailServers } from './provider.ts';
import { claim, claimAgain, handOver, release, settle } from './store.ts';

/** Writes a user's flag and read mark of a thread to the mail servers of the user's own mailboxes. */

type Syncing = Context<ReachesMailServers>;

/** Milliseconds before a call to a server is aborted. */
const PATIENCE = 15_000;
/** Rounds of writing before a thread that keeps changing is left to the queue. */
const ROUNDS = 3;

/** The user's own mailboxes with label_sync on that contain the messages. */
async function syncedMailboxes(table: Table, job: LabelJob, messages: Message[]): Promise<Mailbox[]> {
  const { user_id, account_id } = job.body;
  const ids = new Set(messages.flatMap((message) => [...message.mailbox_ids]));
  const found = await table.getMany<Mailbox>([...ids].map((id) => keys.mailbox(account_id, id)));
  return found.filter((mailbox) => mailbox.user_id === user_id && mailbox.label_sync);
}

/** The labels of the job, as the user sees the thread now. */
function labelsOf(job: LabelJob, entry: ThreadEntry): Labels {
  return {
    ...(job.labels.has('read') ? { read: entry.unread === undefined } : {}),
    ...(job.labels.has('flagged') ? { flagged: entry.flagged !== undefined } : {}),
  };
}

async function tellServer(
  ctx: Syncing,
  mailbox: Mailbox,
  messages: Message[],
  labels: Labels,
): Promise<void> {
  const ids = messages.filter(({ mailbox_ids }) => mailbox_ids.has(mailbox.id)).map(({ rfc_id }) => rfc_id);
  try {
    const server = ctx.ports.mail_servers[mailbox.provider];
    await server.setLabels(mailbox, ids, labels, AbortSignal.timeout(PATIENCE));
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    getLogger().warn('labels refused', { mailbox_id: mailbox.id, error: describeError(error) });
  }
}

/** Calls all servers, then throws the failure with the longest wait. */
async function tellServers(ctx: Syncing, job: LabelJob, entry: ThreadEntry, messages: Message[]) {
  const mailboxes = await syncedMailboxes(ctx.table, job, messages);
  const labels = labelsOf(job, entry);
  const told = await Promise.allSettled(
    mailboxes.map((mailbox) => tellServer(ctx, mailbox, messages, labels)),
  );
  const failures = told.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  const wait = (failure: unknown) => (failure instanceof TryLater ? failure.seconds : 0);
  if (failures.length > 0) throw failures.sort((a, b) => wait(b) - wait(a))[0];
}

/** While a thread is being merged, its messages and marks are in two places, so the job waits. */
function followMerge(ctx: Context, job: LabelJob, thread: Thread): Promise<boolean> {
  if (thread.merging) throw new TryLater('The thread is being merged');
  const body = { ...job.body, thread_id: thread.merged_into as string };
  return handOver(ctx, job, owe(body, [...job.labels], ctx.clock()));
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
    await release(table, held).catch((cause: unknown) =>
      getLogger().warn('job stays held for a while', { job_id, error: describeError(cause) }),
    );
    throw error;
  }
}
