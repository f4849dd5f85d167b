import type { Context } from '#shared/context.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { planOf } from '#shared/domain/mail/threads/lists/plan.ts';
import { listNames } from '#shared/domain/mail/threads/lists/postings.ts';
import { newReindexing, runReindexing } from '#shared/domain/mail/threads/reindex.ts';
import { keys } from '#shared/table/keys.ts';
import { at, type Item } from '#shared/table/table.ts';
import { planted } from './chosen.ts';
import { askPlan, type ListCase, type Place } from './lists.ts';
import { repeat, type Sample, sample, summarize } from './measure.ts';

/** Operations on threads besides first pages. */

const count = (name: string, query: Record<string, string | boolean>): ListCase => ({
  name,
  ask: async ({ api }) => (await api.countThreads({ query })).body.count.total,
});

export const countCases: ListCase[] = [
  count('all', {}),
  count('inbox', { slice: 'inbox' }),
  count('unread', { unread: true }),
  count('shared', { scope: 'shared' }),
  count('query, a common word', { query: planted.common }),
  count('query, three letters', { query: planted.hundredth.slice(0, 3) }),
  count('unread and has_attachment', { unread: true, has_attachment: true }),
  count('unresolved and query, a common word', { unresolved: true, query: planted.common }),
  count('all, cap 100', { cap: '100' }),
  count('query, a common word, cap 100', { query: planted.common, cap: '100' }),
];

const sizeOf = (groups: Record<string, unknown[]>) => Object.values(groups).flat().length;

export const otherCases: ListCase[] = [
  {
    name: 'open threads',
    ask: async ({ api }) => sizeOf((await api.listOpenThreads()).body.inbox),
  },
  {
    name: 'retrieve',
    ask: async ({ api, world }) =>
      (await api.retrieveThread({ params: { id: world.thread_ids[0] as string } })).body.thread.messages
        ?.length ?? 0,
  },
];

/** Pages of the list of all threads, by how many come before them. */
export const depths = [0, 1_000, 50_000, 99_000];

/** The rank that many places down the list of all threads. */
async function rankAt({ table, world }: Place, depth: number): Promise<string | undefined> {
  const { PK } = keys.posting(world.caller.user.id, listNames.all, '');
  let after: Record<string, unknown> | undefined;
  for (let seen = 0; seen < depth; ) {
    const page = await table.query<Item>({
      partition: PK,
      newest_first: true,
      limit: Math.min(5_000, depth - seen),
      after,
    });
    seen += page.items.length;
    if (seen === depth) return page.items.at(-1)?.SK;
    if (!page.last) return undefined;
    after = page.last;
  }
  return undefined;
}

export async function depthCase(place: Place, depth: number): Promise<ListCase> {
  // Nothing comes after the end of a shorter list.
  const after = depth === 0 ? undefined : ((await rankAt(place, depth)) ?? '0');
  return {
    name: `after ${depth.toLocaleString('en')}`,
    stored: true,
    ask: (where) => askPlan(where, planOf([]), after),
  };
}

type Change = (place: Place, thread_id: string) => Promise<unknown>;

/** Each with the operation that reverts it. */
export const changes: Record<string, { change: Change; undo: Change }> = (() => {
  const call =
    (
      name:
        | 'flagThread'
        | 'unflagThread'
        | 'markThreadRead'
        | 'markThreadUnread'
        | 'resolveThread'
        | 'reopenThread'
        | 'unsnoozeThread',
    ): Change =>
    ({ api }, thread_id) =>
      api[name]({ params: { thread_id } });
  const snooze: Change = ({ api }, thread_id) =>
    api.snoozeThread({ params: { thread_id }, body: { snooze_until: 'week' } });
  const both = (forth: Change, back: Change) => ({ change: forth, undo: back });
  return {
    flag: both(call('flagThread'), call('unflagThread')),
    unflag: both(call('unflagThread'), call('flagThread')),
    'mark read': both(call('markThreadRead'), call('markThreadUnread')),
    'mark unread': both(call('markThreadUnread'), call('markThreadRead')),
    resolve: both(call('resolveThread'), call('reopenThread')),
    reopen: both(call('reopenThread'), call('resolveThread')),
    snooze: both(snooze, call('unsnoozeThread')),
    unsnooze: both(call('unsnoozeThread'), snooze),
  };
})();

export function measureChange(place: Place, name: keyof typeof changes, runs: number) {
  const { change, undo } = changes[name] as (typeof changes)[string];
  const { table, world } = place;
  return repeat(runs, async (run) => {
    const id = world.thread_ids[run] as string;
    await undo(place, id);
    return sample(table, true, async () => {
      await change(place, id);
      return 1;
    });
  });
}

/** Pages of threads to which access is given with a mailbox. */
const GIVEN_PAGES = 2;

/** Gives a colleague the user's first mailbox: the newest hundred threads, then the next. */
export async function measureAccess(ctx: Context, { world }: Place) {
  const { table } = ctx;
  const { account_id, id } = world.colleague;
  const mailbox_id = world.mailbox_ids[0] as string;
  await table.update<User>(keys.user(account_id, id), { set: { mailboxes: at(mailbox_id, 'view') } });
  const job = newReindexing({ account_id, mailbox_id, user_ids: [id] }, ctx.clock());
  await table.put(job);
  const samples: Sample[] = [];
  for (let page = 0; page < GIVEN_PAGES; page++)
    samples.push(
      await sample(table, false, async () => {
        await runReindexing(ctx, job.id, () => true);
        return 100;
      }),
    );
  await table.delete(keys.job(job.id));
  return summarize(samples);
}
