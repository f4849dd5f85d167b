import type { Context } from '#shared/context.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { followFiles } from '#shared/domain/mail/attachments/files.ts';
import { type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, when } from '#shared/table/table.ts';
import { hashedAddresses } from './delivery.ts';
import type { Addresses } from './forest.ts';
import { type Group, groupsOf, heirsOf, type KnownThread, type Meeting, meetingName } from './grouping.ts';
import { membersOf } from './members.ts';
import { absorb, announce, type Regrouping } from './merge.ts';
import { type AwaitedRow, awaitedWrite } from './message-ids.ts';
import { moveMessages, narrow, openNew, widen } from './move.ts';
import { refreshThread } from './refresh.ts';
import { readSituation, type Situation, threadsBehind } from './situation.ts';
import type { Thread } from './thread.ts';

/**
 * Moves the messages of some threads to where they belong, after a message arrived that they may follow. Each round
 * reads the table and plans again until the plan is empty, so this can be interrupted anywhere and run by several
 * workers at once. A job in the outbox continues interrupted work.
 */

interface Move {
  from: KnownThread;
  into: string;
  ids: Set<string>;
}

interface Plan {
  created: string[];
  /** Threads that continue as part of another. */
  merged: { from: KnownThread; into: string }[];
  moves: Move[];
  /** Merged threads without messages: comments, tags and the like have yet to move. */
  emptied: KnownThread[];
  meetings: { meeting: Meeting; thread_id: string }[];
  /** Meetings in which no message waits any more. */
  ended: Meeting[];
}

function planOf({ threads, meetings }: Situation, addresses: Addresses, now: Date): Plan {
  const groups = groupsOf(threads, meetings, addresses);
  const heirs = heirsOf(threads, groups);
  const known = new Map(threads.map((each) => [each.thread.id, each]));
  const plan: Plan = { created: [], merged: [], moves: [], emptied: [], meetings: [], ended: [] };
  const finalOf = new Map<Group, string>();
  for (const group of groups) {
    const [into = newId(now), ...others] = heirs.get(group) ?? [];
    if (!known.has(into)) plan.created.push(into);
    finalOf.set(group, into);
    for (const id of others) plan.merged.push({ from: known.get(id) as KnownThread, into });
    for (const [id, links] of Map.groupBy(group.links, ({ thread_id }) => thread_id))
      if (id !== into)
        plan.moves.push({
          from: known.get(id) as KnownThread,
          into,
          ids: new Set(links.map((link) => link.id)),
        });
  }
  for (const each of threads)
    if (each.thread.merged_into !== undefined && each.links.length === 0) plan.emptied.push(each);
  const places = new Map(meetings.map((meeting) => [meetingName(meeting), meeting]));
  const attended = new Set([...finalOf.keys()].flatMap((group) => group.meetings));
  plan.ended = meetings.filter((each) => each.thread_id !== undefined && !attended.has(meetingName(each)));
  for (const [group, thread_id] of finalOf)
    for (const name of group.meetings) {
      const meeting = places.get(name) as Meeting;
      if (meeting.thread_id !== thread_id) plan.meetings.push({ meeting, thread_id });
    }
  return plan;
}

const isEmpty = (plan: Partial<Plan>) => Object.values(plan).every((steps) => steps.length === 0);

async function carryOut(regrouping: Regrouping, account: string, plan: Plan): Promise<void> {
  const { table, members } = regrouping;
  for (const id of plan.created) await openNew(table, account, id);
  for (const { from, into } of plan.merged) await announce(table, from.thread, into);
  for (const move of plan.moves) await widen(table, move.from, move.into, move.ids, members);
  for (const move of plan.moves) await moveMessages(table, move.from, move.into, move.ids, regrouping.now());
  for (const { thread } of plan.emptied) await absorb(regrouping, thread);
  for (const { meeting, thread_id } of plan.meetings)
    await table.transact([
      awaitedWrite(account, meeting.hash, meeting.mailbox_id, thread_id, meeting.thread_id),
    ]);
  for (const { hash, mailbox_id, thread_id } of plan.ended)
    await table.delete(
      keys.awaited(account, hash, mailbox_id),
      when<AwaitedRow>({ thread_id: thread_id as string }),
    );
  for (const { from } of plan.moves)
    if (from.thread.merged_into === undefined) await narrow(table, from.thread.id, members, 'outdated');
}

/** Milliseconds until the sweep hands the job to another worker. */
const UNFINISHED = 60_000;
/** Threads of one regrouping: strangers can refer to one message in any number of threads. */
const MAX_THREADS = 200;
/** Rounds that may fail because of other workers. */
const MAX_ROUNDS = 20;

/** `resumed` after an earlier worker, which may have moved all messages and no more. */
export async function regroup(
  regrouping: Regrouping,
  account: string,
  thread_ids: string[],
  resumed?: 'resumed',
): Promise<void> {
  const { table, members, now } = regrouping;
  const ids = new Set(thread_ids.slice(0, MAX_THREADS));
  const addresses = hashedAddresses(members);
  const job = { ...newJob('index-threads', {}, now()), due: now().getTime() + UNFINISHED, sends: 0 };
  let begun = false;
  let disturbed = false;
  for (let round = 1; ; round++) {
    if (round > MAX_ROUNDS) throw new Error('The threads did not come to rest');
    const situation = await readSituation(table, account, ids, addresses);
    const plan = planOf(situation, addresses, now());
    if (isEmpty(plan)) break;
    for (const id of plan.created) ids.add(id);
    const { ended, ...steps } = plan;
    const isFirst: boolean = !begun && !isEmpty(steps);
    if (isFirst)
      // Readers see new messages as unread, but not messages that only move.
      for (const { thread } of situation.threads) await refreshThread(table, thread.id, members);
    // Whoever finishes it finds new threads by the job alone.
    if (isFirst || plan.created.length > 0)
      await table.put({ ...job, body: { account_id: account, regrouping: [...ids] } });
    begun ||= isFirst;
    try {
      await carryOut(regrouping, account, plan);
    } catch (error) {
      // Another worker was faster, or a message left a mailbox: the next round plans again.
      if (!(error instanceof ConditionFailed)) throw error;
      disturbed = true;
    }
  }
  if (!begun && !resumed) return;
  const threads = await threadsBehind(table, account, ids);
  if (resumed) for (const { id } of threads) await narrow(table, id, members, 'outdated');
  // Also of users whose messages left their mailboxes meanwhile.
  for (const thread of threads) await refreshThread(table, thread.id, members, members.users, true);
  // A thread may have been widened for a message that left the mailbox before it moved.
  if (disturbed) for (const thread of threads) await narrow(table, thread.id, members);
  await followThreads(regrouping, threads);
  await table.delete(keys.job(job.id));
}

const followThreads = ({ table, now, ports: { records } }: Regrouping, threads: Thread[]) =>
  followFiles(
    { table, now: now(), records },
    threads.map(({ id }) => id),
  );

/** Finishes an interrupted regrouping; false for any other job of the queue. */
export async function finishRegrouping(
  ctx: Context<KnowsDependents & SeesRecords>,
  job: Job,
): Promise<boolean> {
  const { table, clock, ports } = ctx;
  if (!('regrouping' in job.body)) return false;
  const { account_id, regrouping } = job.body as { account_id: string; regrouping: string[] };
  const members = await membersOf(table, account_id);
  const work = { table, members, now: clock, ports };
  await regroup(work, account_id, regrouping, 'resumed');
  await table.delete(keys.job(job.id));
  return true;
}
