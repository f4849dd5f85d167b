import { describeError, getLogger } from '../../log.ts';
import type { Services } from '../../services.ts';
import { keys } from '../../table/keys.ts';
import { ConditionFailed, type Item, present, type Table } from '../../table/table.ts';
import { dispatch, type Job, newJob } from '../jobs/job.ts';
import type { Mailbox } from '../mailboxes/mailbox.ts';
import type { User } from '../users/user.ts';
import { listNames, threadOf } from './lists/listings.ts';
import { rangeQuery } from './lists/reader.ts';
import { indexTags, type TagChange } from './lists/tag-lists.ts';
import { membersOf } from './members.ts';
import { type Members, refreshThread } from './refresh.ts';
import { regroup } from './regroup.ts';
import { findThread } from './visibility.ts';

/**
 * Brings users' lists up to what they may see by now, after a tag, a share or access to a mailbox changed. What was
 * taken away is hidden from the first moment on; what was given appears as this goes on, newest first.
 */
export type Reindexing =
  | { account_id: string; thread_id: string }
  /** Threads whose messages are on their way to where they belong. */
  | { account_id: string; regrouping: string[] }
  | TagChange
  /** `before`: how far its threads are done. */
  | { account_id: string; mailbox_id: string; user_ids: string[]; before?: string }
  /** Users who joined or left a group; `ended` when the group itself is no more. */
  | { account_id: string; group_id: string; user_ids: string[]; ended?: true };

export function newReindexing(reindexing: Reindexing, now: Date): Job {
  return newJob('thread-index', reindexing, now);
}

/** Threads between two looks at the time, and at the same moment. */
const PAGE = 100;
const AT_ONCE = 10;

async function refreshPage(table: Table, ids: string[], members: Members, users: User[]): Promise<void> {
  for (let i = 0; i < ids.length; i += AT_ONCE)
    await Promise.all(ids.slice(i, i + AT_ONCE).map((id) => refreshThread(table, id, members, users)));
}

/** A user's lists may hold threads of a mailbox from the first one on until all are cleared. */
async function markIndexed(table: Table, user: User, mailbox: string, indexed: boolean): Promise<void> {
  if (Object.hasOwn(user.indexed_mailboxes, mailbox) === indexed) return;
  await table.update(
    keys.user(user.account_id, user.id),
    indexed
      ? {
          update: 'SET indexed_mailboxes.#id = :yes',
          ...present,
          names: { '#id': mailbox },
          values: { ':yes': true },
        }
      : { update: 'REMOVE indexed_mailboxes.#id', ...present, names: { '#id': mailbox } },
    'NONE',
  );
}

type MailboxReindexing = Extract<Reindexing, { mailbox_id: string }>;

/** The owner's list of the mailbox names all of its threads. */
async function reindexMailbox(
  table: Table,
  reindexing: MailboxReindexing,
  timeIsUp: () => boolean,
): Promise<Reindexing | undefined> {
  const { account_id, mailbox_id, user_ids } = reindexing;
  const members = await membersOf(table, account_id);
  const mailbox = members.mailboxes.find(({ id }) => id === mailbox_id);
  const users = members.users.filter(({ id }) => user_ids.includes(id) && id !== mailbox?.user_id);
  const hasAccess = (user: User) => Object.hasOwn(user.mailboxes, mailbox_id);
  await Promise.all(users.filter(hasAccess).map((user) => markIndexed(table, user, mailbox_id, true)));
  let before = reindexing.before;
  while (mailbox) {
    const page = await table.query<{ SK: string }>({
      ...rangeQuery(mailbox.user_id, { list: listNames.mailbox(mailbox_id), before }),
      newest_first: true,
      limit: PAGE,
    });
    await refreshPage(
      table,
      page.items.map(({ SK }) => threadOf(SK)),
      members,
      users,
    );
    before = page.items.at(-1)?.SK;
    if (!page.last || before === undefined) break;
    if (timeIsUp()) return { ...reindexing, before };
  }
  const without = users.filter((user) => !hasAccess(user));
  await Promise.all(without.map((user) => markIndexed(table, user, mailbox_id, false)));
  return undefined;
}

type GroupReindexing = Extract<Reindexing, { group_id: string }>;

/** Something that is shared with a group. */
type GroupShareRow = Item & { record_type: 'threads' | 'mailboxes'; record_id: string };

/** Takes the group's share off the record, wherever a merge of threads has put it. */
async function dropShare(table: Table, { account_id, group_id }: GroupReindexing, row: GroupShareRow) {
  const thread = row.record_type === 'threads' && (await findThread(table, account_id, row.record_id));
  const item = thread ? keys.record('threads', thread.id) : keys.mailbox(account_id, row.record_id);
  const record = thread || (await table.get<Mailbox>(item));
  const ended = Object.values(record?.shares ?? {}).filter((share) => share.group_id === group_id);
  for (const { id } of ended)
    await table.update(item, { update: 'REMOVE shares.#id', ...present, names: { '#id': id } }, 'NONE');
}

async function reindexGroup(services: Services, reindexing: GroupReindexing): Promise<undefined> {
  const { table } = services;
  const { account_id, group_id, user_ids, ended } = reindexing;
  const { PK } = keys.groupShare(group_id, 'threads', '');
  const [rows, members] = await Promise.all([
    table.all<GroupShareRow>(PK, 'SHARE#'),
    membersOf(table, account_id),
  ]);
  if (ended) for (const row of rows) await dropShare(table, reindexing, row);
  const users = members.users.filter(({ id }) => user_ids.includes(id));
  const [threads, mailboxes] = [
    rows.filter(({ record_type }) => record_type === 'threads'),
    rows.filter(({ record_type }) => record_type === 'mailboxes'),
  ];
  await refreshPage(
    table,
    threads.map(({ record_id }) => record_id),
    members,
    users,
  );
  for (const { record_id } of mailboxes) {
    const job = newReindexing({ account_id, mailbox_id: record_id, user_ids }, services.now());
    await table.put(job);
    await reindexNow(services, job);
  }
  if (ended) await table.writeMany(rows.map((row) => ({ delete: { PK: row.PK, SK: row.SK } })));
}

/** Gives what is left when the time was up. Doing it again changes nothing. */
async function reindex(
  services: Services,
  reindexing: Reindexing,
  timeIsUp: () => boolean,
): Promise<Reindexing | undefined> {
  const { table } = services;
  if ('mailbox_id' in reindexing) return reindexMailbox(table, reindexing, timeIsUp);
  if ('group_id' in reindexing) return reindexGroup(services, reindexing);
  if ('regrouping' in reindexing) {
    const { account_id, regrouping } = reindexing;
    const members = await membersOf(table, account_id);
    await regroup({ table, members, now: services.now }, account_id, regrouping);
  } else if ('tag_ids' in reindexing) await indexTags(table, reindexing);
  else {
    const members = await membersOf(table, reindexing.account_id);
    await refreshThread(table, reindexing.thread_id, members, members.users);
  }
  return undefined;
}

/** Works on the job until it is done, or goes on with another message when the time is up. */
export async function runReindexing(
  services: Services,
  job_id: string,
  timeIsUp: () => boolean,
): Promise<void> {
  const { table } = services;
  const job = await table.get<Job>(keys.job(job_id));
  if (!job) return;
  const rest = await reindex(services, job.body as Reindexing, timeIsUp);
  if (!rest) return table.delete(keys.job(job_id));
  try {
    await table.update(keys.job(job_id), {
      update: 'SET body = :rest',
      ...present,
      values: { ':rest': rest },
    });
  } catch (error) {
    // Another worker finished it.
    if (error instanceof ConditionFailed) return;
    throw error;
  }
  await dispatch(services, { ...job, body: rest });
}

/** The first page of a promised job at once, so that a small change is complete when the request is answered. */
export async function reindexNow(services: Services, job: Job): Promise<void> {
  try {
    await runReindexing(services, job.id, () => true);
  } catch (error) {
    getLogger().warn('lists left to their queue', { job_id: job.id, error: describeError(error) });
    await dispatch(services, job);
  }
}
