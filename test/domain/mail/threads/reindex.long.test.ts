import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createShare } from '#shared/domain/collaboration/shares/create.ts';
import { joinGroup } from '#shared/domain/identity/groups/join.ts';
import type { GroupAccess } from '#shared/domain/identity/users/access.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { newReindexing, runReindexing } from '#shared/domain/mail/threads/reindex.ts';
import { reindexGroup } from '#shared/domain/mail/threads/reindex-group.ts';
import { reindexMailbox } from '#shared/domain/mail/threads/reindex-mailbox.ts';
import type { Turn } from '#shared/domain/mail/threads/turn.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { callerOf } from '../../../support/callers.ts';
import { crashAfter, meanwhile } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { measureTable } from '../../../support/meter.ts';
import { givenColleagues } from '../../../support/notifications.ts';
import { givenMail, onMailbox, onThread } from '../../../support/shares.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** Before the job is enqueued, with it, and in the middle of the work. */
const CALLS = [2, 4, 5, 6, 7, 9, 14];

/** Access to many threads, or for many users, is given by the queue: the request enqueues it. */
describe('bringing lists up to access that was given', () => {
  let workspace: Workspace;
  let table: Table;
  /** The test delivers its messages: none is sent. */
  let ctx: Workspace['ctx'];
  let mailbox: string;
  let threads: string[];
  let colleagues: string[];

  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true, own_table: true });
    ({ table } = workspace);
    ctx = { ...workspace.ctx, config: { ...workspace.ctx.config, queue_urls: {} as never } };
    const mail = await givenMail(workspace, workspace.ada, ['Ax', 'Bow', 'Cab', 'Deck', 'Edge', 'Fog']);
    mailbox = mail.mailbox;
    threads = Object.values(mail.threads);
    colleagues = await givenColleagues(workspace, workspace.ada, 90);
  });
  afterAll(() => workspace?.stop());

  let made = 0;
  const groupOf = async (user_ids: string[]) => {
    const group = { name: `Readers ${++made}`, user_ids };
    return (await workspace.ada.api.createGroup({ body: { group } })).body.group.id;
  };
  const share = async (at: ReturnType<typeof onMailbox | typeof onThread>, group_id: string) =>
    createShare(
      { ...ctx, caller: await callerOf(table, workspace.ada.user), now: new Date() },
      { type: at.record_type, id: at.record_id },
      { group_id, access: 'view' },
    );
  const seeing = async (users: string[]) => {
    const wanted = users.flatMap((user) => threads.map((thread) => keys.threadEntry(user, thread)));
    return (await table.getMany(wanted)).length;
  };
  const jobsLeft = () => openJobs(table, 'index-threads');
  const finish = async () => {
    for (let jobs = await jobsLeft(); jobs.length > 0; jobs = await jobsLeft())
      for (const { id } of jobs) await runReindexing(ctx, id, () => false);
  };
  const fresh = async (count: number) => givenColleagues(workspace, workspace.ada, count);

  it('is complete with the response when there is little to do', async () => {
    const users = await fresh(2);
    await share(onMailbox(mailbox), await groupOf(users));
    expect([await seeing(users), await jobsLeft()]).toEqual([12, []]);
  });

  it('costs the request the same however many users and threads are concerned, and no more than a few calls', async () => {
    const costs = [];
    for (const count of [40, 90]) {
      const group = await groupOf(colleagues.slice(0, count));
      costs.push(await measureTable(table, () => share(onMailbox(mailbox), group)));
      const [job] = (await jobsLeft()) as [Job];
      // The sweep sends it if the request dies before it has.
      expect(job.due - Date.now()).toBeLessThanOrEqual(60_000);
      await table.delete(keys.job(job.id));
    }
    expect(costs.map(({ calls }) => calls.length)[0]).toBe(costs[1]?.calls.length);
    expect(costs[0]?.calls.length).toBeLessThanOrEqual(14);
    expect(await seeing(colleagues)).toBe(0);
  });

  it('for many users continues in the queue, and ends', async () => {
    const users = await fresh(40);
    await share(onMailbox(mailbox), await groupOf(users));
    expect([await seeing(users), (await jobsLeft()).length]).toEqual([0, 1]);
    await finish();
    expect(await seeing(users)).toBe(240);
  });

  it('a repeated request enqueues the rest again', async () => {
    const users = await fresh(40);
    const group = await groupOf(users);
    const first = await share(onMailbox(mailbox), group);
    expect(await seeing(users)).toBe(0);
    const body = { share: { group_id: group } };
    const again = await workspace.ada.api.createShare({ params: onMailbox(mailbox), body });
    expect(again.body.share.id).toBe(first.id);
    await expect.poll(async () => (await jobsLeft()).length, { timeout: 20_000 }).toBe(0);
    expect(await seeing(users)).toBe(240);
  });

  it('is complete after the next try, whichever call the request dies at', { timeout: 90_000 }, async () => {
    for (const call of CALLS) {
      const users = await fresh(2);
      const group = await groupOf(users);
      const crash = crashAfter(table, call);
      await share(onMailbox(mailbox), group).catch(() => undefined);
      crash.remove();
      expect([call, crash.hit]).toEqual([call, true]);
      await share(onMailbox(mailbox), group);
      await finish();
      expect([call, await seeing(users)]).toEqual([call, 12]);
    }
  });

  it('is complete for a user who joins a group, in the same way', { timeout: 90_000 }, async () => {
    const group = await groupOf([]);
    await share(onMailbox(mailbox), group);
    await share(onThread(threads[0] as string), group);
    const ada = await callerOf(table, workspace.ada.user);
    for (const call of CALLS) {
      const [user] = (await fresh(1)) as [string];
      const crash = crashAfter(table, call);
      await joinGroup({ ...ctx, caller: ada, now: new Date() }, group, user).catch(() => undefined);
      crash.remove();
      expect([call, crash.hit]).toEqual([call, true]);
      await joinGroup({ ...ctx, caller: ada, now: new Date() }, group, user);
      await finish();
      expect([call, await seeing([user])]).toEqual([call, 6]);
    }
  });

  /** Two at a time, and then the time is up. */
  const shortTurn: Turn = { takes: () => true, page: () => 2, whole: false, timeIsUp: () => true };

  it('keeps its place among the threads of a mailbox', async () => {
    const users = await fresh(2);
    const group = await groupOf(users);
    await share(onMailbox(mailbox), group);
    for (const user of users)
      for (const thread of threads) await table.delete(keys.threadEntry(user, thread));
    let rest = await reindexMailbox(
      table,
      { account_id: workspace.account_id, mailbox_id: mailbox, user_ids: users },
      shortTurn,
    );
    const places: (string | undefined)[] = [];
    const counts: number[] = [];
    for (; rest && places.length < 20; rest = await reindexMailbox(table, rest, shortTurn)) {
      places.push(rest.before);
      counts.push(await seeing(users));
    }
    expect(new Set(places).size).toBe(places.length);
    expect(counts[0]).toBe(4);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(await seeing(users)).toBe(12);
  });

  it('keeps its place among the grants of a group, and drops everything when the group is deleted', async () => {
    const group = await groupOf([]);
    const given = threads.slice(0, 4);
    for (const thread of given) await share(onThread(thread), group);
    await share(onMailbox(mailbox), group);
    const [user] = (await fresh(1)) as [string];
    await table.update<User>(keys.user(workspace.account_id, user), { add: { group_ids: new Set([group]) } });
    const run = async (ended: boolean) => {
      const mailboxes: string[] = [];
      const counts: number[] = [];
      const reindexing = { account_id: workspace.account_id, group_id: group, user_ids: [user] };
      let rest: Parameters<typeof reindexGroup>[1] | undefined = ended
        ? { ...reindexing, ended }
        : reindexing;
      while (rest && counts.length < 20) {
        rest = await reindexGroup(table, rest, shortTurn, async (id) => {
          mailboxes.push(id);
        });
        counts.push(await seeing([user]));
      }
      expect(mailboxes).toEqual([mailbox]);
      return counts;
    };
    const { PK } = keys.groupShare(group, 'threads', '');
    // The mailbox comes first: its threads are its own work.
    expect(await run(false)).toEqual([1, 3, 4]);
    expect(await table.all(PK, 'SHARE#')).toHaveLength(5);
    await table.update<User>(keys.user(workspace.account_id, user), { remove: ['group_ids'] });
    await table.update<GroupAccess>(keys.groupAccess(workspace.account_id), {
      remove: [[group as keyof GroupAccess, mailbox]],
    });
    expect((await run(true)).at(-1)).toBe(0);
    expect(await table.all(PK, 'SHARE#')).toEqual([]);
  });

  it('a worker that dies at any call, or works beside another, changes nothing in the end', {
    timeout: 90_000,
  }, async () => {
    const users = await fresh(2);
    await share(onMailbox(mailbox), await groupOf(users));
    const reindexing = { account_id: workspace.account_id, mailbox_id: mailbox, user_ids: users };
    const promised = async () => {
      for (const user of users)
        for (const thread of threads) await table.delete(keys.threadEntry(user, thread));
      const job = newReindexing(reindexing, new Date());
      await table.put(job);
      return job.id;
    };
    for (const call of CALLS) {
      const id = await promised();
      const crash = crashAfter(table, call);
      await runReindexing(ctx, id, () => true).catch(() => undefined);
      crash.remove();
      await Promise.all([runReindexing(ctx, id, () => true), runReindexing(ctx, id, () => false)]);
      await finish();
      expect([call, await seeing(users)]).toEqual([call, 12]);
    }
  });

  it('a worker that was overtaken does not move the place back', async () => {
    const [user] = (await fresh(1)) as [string];
    const group = await groupOf([]);
    // Of threads that no longer exist: more than a page.
    const { PK } = keys.groupShare(group, 'threads', '');
    const rows = Array.from({ length: 210 }, (_, i) => ({
      PK,
      SK: `SHARE#threads#${String(i).padStart(3, '0')}`,
    }));
    await table.writeMany(
      rows.map((row) => ({ put: { ...row, record_type: 'threads', record_id: row.SK } })),
    );
    const reindexing = { account_id: workspace.account_id, group_id: group, user_ids: [user] };
    const placeOf = async (id: string) => (await table.get<Job>(keys.job(id)))?.body.after;
    const job = newReindexing(reindexing, new Date());
    await table.put(job);
    await runReindexing(ctx, job.id, () => true);
    expect(await placeOf(job.id)).toBe('SHARE#threads#199');
    const other = newReindexing(reindexing, new Date());
    await table.put(other);
    const ahead = { ...other, body: { ...other.body, after: 'SHARE#threads#205' } };
    const fault = meanwhile(table, 'UpdateItemCommand', () => table.put(ahead));
    await runReindexing(ctx, other.id, () => true);
    fault.remove();
    expect([fault.hit, await placeOf(other.id)]).toEqual([true, 'SHARE#threads#205']);
    await finish();
  });
});
