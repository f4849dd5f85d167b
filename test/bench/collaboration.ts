import type { Operation } from '#shared/api/catalogue.ts';
import { newNotification, notify } from '#shared/domain/collaboration/notifications/notification.ts';
import type { BatchWrite, Table } from '#shared/table/table.ts';
import { withDemo } from '../../infra/local/demo/with-demo.ts';
import { caseOf, readWorld, type World } from './cases.ts';
import { type Extent, machine, markdownTable, report } from './numbers.ts';
import { type Measured, repeat, sample, summarize } from './threads/measure.ts';

/** `npm run bench collaboration`: comments, tags and notifications, a few of them and very many. */

const MINUTE = 60_000;

interface Effort {
  runs: number;
  comments: number;
  /** Notifications. */
  few: number;
  many: number;
}

const FULL: Effort = { runs: 20, comments: 1_000, few: 10, many: 100_000 };
const SMALL: Effort = { runs: 1, comments: 2, few: 1, many: 2 };
const FAMILIES = ['comments', 'tags', 'notifications'];

/** Where the bench runs, on a clock of its own: each step has a minute, below every rate limit. */
interface Place extends Effort {
  table: Table;
  now(): Date;
  nextMinute(): void;
}

interface Line {
  name: string;
  found: Measured;
}

async function measureOperation(
  { table, runs, nextMinute }: Place,
  world: World,
  name: string,
): Promise<Line> {
  nextMinute();
  const found = await repeat(runs, async (run) => {
    const call = await caseOf(name)(world, `${name.toLowerCase()}-${run}`);
    return sample(table, true, async () => {
      await call();
      return 0;
    });
  });
  return { name, found };
}

/** Notifications of a user as events leave them, a millisecond apart. */
async function fillNotifications({ table, now }: Place, user_id: string, count: number): Promise<void> {
  const start = now().getTime() - count;
  const payload = { id: user_id, record_type: 'task', name: 'Call the berth office' };
  const draft = { user_id, event: 'task_assigned' as const, payload, prompting_user_id: null };
  for (let i = 0; i < count; i += 1_000) {
    const writes = Array.from({ length: Math.min(1_000, count - i) }, (_, j) =>
      notify(newNotification(draft, new Date(start + i + j))),
    );
    await table.writeMany(writes as BatchWrite[]);
  }
}

async function fillComments({ comments, nextMinute }: Place, { api, contact_id }: World): Promise<void> {
  const params = { record_type: 'contacts' as const, record_id: contact_id };
  for (let i = 0; i < comments; i++) {
    if (i % 300 === 0) nextMinute();
    await api.createComment({ params, body: { comment: { html_content: `<p>Note ${i}</p>` } } });
  }
}

async function measureComments(place: Place, world: World): Promise<Line[]> {
  await fillComments(place, world);
  const params = { record_type: 'contacts' as const, record_id: world.contact_id };
  place.nextMinute();
  const found = await repeat(place.runs, () =>
    sample(place.table, true, async () => (await world.api.listComments({ params })).body.comments.length),
  );
  return [{ name: `listComments of ${place.comments.toLocaleString('en')}`, found }];
}

/** The operations whose cost must not depend on the number of notifications. */
async function measureNotifications(place: Place, world: World, count: number): Promise<Line[]> {
  const { table } = place;
  const { api } = world;
  const { user } = (await api.retrieveCurrentUser()).body;
  place.nextMinute();
  await fillNotifications(place, user.id, count);
  const calls: Record<string, () => Promise<unknown>> = {
    listNotifications: () => api.listNotifications(),
    'countNotifications, unread': () => api.countNotifications({ query: { status: 'unread' } }),
    markAllNotificationsRead: () => api.markAllNotificationsRead(),
    'dismissNotifications, a slice': () => api.dismissNotifications({ body: { slice: 'task_assigned' } }),
    'dismissNotifications, global': () => api.dismissNotifications({ body: { global: true } }),
  };
  const lines: Line[] = [];
  for (const [name, call] of Object.entries(calls)) {
    place.nextMinute();
    // The first call is the one that changes state; the clients are warm.
    const taken = await sample(table, true, async () => {
      await call();
      return 0;
    });
    lines.push({ name: `${name} at ${count.toLocaleString('en')}`, found: summarize([taken]) });
  }
  return lines;
}

const HEAD = ['Operation', 'rows', 'round trips', 'RRU', 'WRU', 'writes', 'p50, ms', 'p95, ms'];

const number = (value: number) => Math.round(value * 10) / 10;

function row({ name, found }: Line): (string | number)[] {
  const { rows, depth, read_units, write_units, writes, p50, p95 } = found;
  return [
    name,
    rows,
    depth,
    number(read_units),
    number(write_units),
    writes,
    Math.round(p50),
    Math.round(p95),
  ];
}

function page(
  { runs, few, many }: Effort,
  operations: Line[],
  comments: Line[],
  notifications: Line[],
): string {
  const table = (lines: Line[]) => markdownTable(HEAD, 'lrrrrrrr', lines.map(row));
  return `# Comments, tags and notifications

Written by \`npm run bench collaboration\`: ${machine()}, DynamoDB Local in memory, the demo workspace.

- **round trips**: sequential ones after authentication, the most of all runs. **writes**: items written, or checked in a
  transaction.
- **RRU**, **WRU**: the median. DynamoDB Local does not add up the items of a transaction, so WRU of transactions are only
  a hint; writes are exact.
- **p50**, **p95**: for information. Client, gateway, handler and database share one machine.

## Operations

${runs} runs of each.

${table(operations)}

## Many comments

A list of comments is answered whole.

${table(comments)}

## Few and many notifications

Asked once in each state: ${few} and ${many.toLocaleString('en')} notifications of one user, none of them read or dismissed before.

${table(notifications)}
`;
}

function worldOf(
  table: Table,
  url: string,
  user: { write_key: string; session_token: string } | undefined,
): Promise<World> {
  if (!user) throw new Error('The demo has too few users');
  const { write_key, session_token } = user;
  return readWorld({ table, base_url: url, write_key, session_token });
}

export function run(extent: Extent): Promise<void> {
  const effort = extent.small ? SMALL : FULL;
  return withDemo(async ({ stack, demo, operations }) => {
    const users = demo.accounts.flatMap((account) => account.users);
    const worlds = await Promise.all(
      users.slice(0, 2).map((user) => worldOf(stack.services.table, stack.url, user)),
    );
    const [world, other] = worlds as [World, World];
    let minutes = 0;
    const place: Place = {
      ...effort,
      table: stack.services.table,
      now: () => stack.services.clock(),
      nextMinute: () => {
        // Two minutes later, so that the minute before has no requests either.
        minutes += 2;
        stack.services.clock = () => new Date(Date.now() + minutes * MINUTE);
      },
    };
    const mine = operations.filter(({ family }: Operation) => FAMILIES.includes(family));
    const found: Line[] = [];
    for (const { name } of mine) found.push(await measureOperation(place, world, name));
    const comments = await measureComments(place, world);
    const few = await measureNotifications(place, other, effort.few);
    const many = await measureNotifications(place, world, effort.many);
    const text = page(effort, found, comments, [...few, ...many]);
    await report(extent, { file: 'collaboration.md', page: text, printed: text });
  });
}
