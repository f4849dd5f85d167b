import type { Operation } from '#shared/api/catalogue.ts';
import type { Table } from '#shared/table/table.ts';
import { withDemo } from '../../infra/local/demo/with-demo.ts';
import { type MeteredGateway, type RequestCost, splitCost, startMeteredGateway } from '../support/meter.ts';
import { caseOf, preparesNothing, readWorld, type World } from './cases.ts';
import { type Extent, machine, markdownTable, median, report } from './numbers.ts';

/** `npm run bench operations`: the calls of each operation to AWS, on the local stack with the demo workspace. */

const RUNS = 20;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Run extends RequestCost {
  milliseconds: number;
}

interface Measured {
  operation: Operation;
  runs: Run[];
}

async function measure(
  gateway: MeteredGateway,
  world: World,
  operation: Operation,
  times: number,
): Promise<Measured> {
  const { name } = operation;
  const runs: Run[] = [];
  // The first call creates clients, connections and counters.
  for (let i = 0; i <= times; i++) {
    const call = await caseOf(name)(world, `${name.toLowerCase()}-${i}`);
    const start = performance.now();
    await call();
    const milliseconds = performance.now() - start;
    const cost = gateway.last();
    if (cost.operation !== name) throw new Error(`The case of ${name} calls ${cost.operation}`);
    if (i > 0) runs.push({ ...cost, milliseconds });
  }
  return { operation, runs };
}

/** Of more than two hundred cases, whose errors look alike. */
const namingCaseOf =
  ({ name }: Operation) =>
  (cause: unknown): never => {
    throw new Error(`The case of ${name}: ${cause instanceof Error ? cause.message : cause}`, { cause });
  };

/** Lists first, then other reads: they are measured on the demo, not on the records that cases write, also those of lists. */
function inOrder(operations: Operation[]): Operation[] {
  const rank = ({ name, definition }: Operation) => {
    if (definition.method !== 'GET') return 3;
    if (!preparesNothing(name)) return 2;
    return name.startsWith('list') ? 0 : 1;
  };
  return [...operations].sort((a, b) => rank(a) - rank(b));
}

/** Their cases connect servers, of which the limit of a user counts in hours. */
const connecting = ['createMailbox', 'syncMailbox', 'updateMailboxCredentials'];

/** Every operation has minutes of its own, within the rate limits and away from the first minute of an hour. */
function momentsOf(operations: Operation[]): number[] {
  let at = Math.ceil(Date.now() / HOUR) * HOUR;
  return operations.map(({ name }) => {
    at += connecting.includes(name) ? 2 * HOUR : 2 * MINUTE;
    const [hour, minutes] = [Math.floor(at / HOUR), (at % HOUR) / MINUTE];
    if (minutes < 5) at = hour * HOUR + 5 * MINUTE;
    if (minutes > 53) at = (hour + 1) * HOUR + 5 * MINUTE;
    return at;
  });
}

const number = (value: number) => String(Math.round(value * 10) / 10);

function servicesOf(runs: Run[]): string {
  const services = new Set(runs.flatMap(({ calls }) => calls.map(({ service }) => service)));
  const others = [...services].filter((service) => service !== 'dynamodb');
  return others.map((service) => service.toUpperCase()).join(', ');
}

function row({ operation, runs }: Measured): (string | number)[] {
  const parts = runs.map((run) => splitCost(run, operation.definition.access));
  const most = (values: number[]) => Math.max(...values);
  const middle = (read: (run: Run) => number) => number(median(runs.map(read)));
  return [
    `${operation.family}/${operation.name}`,
    most(parts.map((part) => part.authentication.depth)),
    most(parts.map((part) => part.operation.depth)),
    most(parts.map((part) => part.operation.calls.length)),
    most(parts.map((part) => part.operation.writes)),
    number(median(parts.map((part) => part.operation.read_units))),
    number(median(parts.map((part) => part.operation.write_units))),
    middle((run) => run.request_bytes),
    middle((run) => run.response_bytes),
    middle((run) => run.milliseconds),
    servicesOf(runs),
  ];
}

const HEAD = [
  'Operation',
  'auth',
  'then',
  'calls',
  'writes',
  'RRU',
  'WRU',
  'request, bytes',
  'response, bytes',
  'p50, ms',
  'also',
];

function page(measured: Measured[], world: string): string {
  const me = measured.find(({ operation }) => operation.name === 'retrieveCurrentUser');
  const authentication = me?.runs.map((run) => splitCost(run, 'read').authentication) ?? [];
  const middle = (read: (cost: (typeof authentication)[number]) => number) =>
    number(median(authentication.map(read)));
  return `# What operations ask of AWS

Written by \`npm run bench operations\`: ${machine()}, DynamoDB Local, the demo
workspace (${world}), ${RUNS} runs of each.

- **auth** and **then**: sequential round trips of authentication with both rate limits, and of the operation after it.
  Calls that are sent together count once, as if all took the same time. The most of all runs.
- **calls**, **writes** (items written, or checked in a transaction), **RRU**, **WRU**: without authentication, which
  takes ${middle((cost) => cost.calls.length)} calls, ${middle((cost) => cost.read_units)} read and ${middle((cost) => cost.write_units)} write
  request units: add them for what a request costs. Calls are the most of all runs, units the median. A write whose
  condition fails reports no units. DynamoDB Local does not add up the items of a transaction (two small puts: 2 units,
  where AWS charges 4), so the WRU of transactions are only a hint; **writes** is exact.
- **bytes**: of the bodies, uncompressed, median.
- **p50** is for information: client, gateway, handler and database share one machine, and nothing here is a network.
- **also**: services asked besides DynamoDB.

${markdownTable(HEAD, 'lrrrrrrrrrl', measured.map(row))}

How much is read depends on the data: lists pages of 50 at most, a thread its messages, bodies and comments, and
whatever shows tags all tags of the account. \`test/bench/budgets.long.test.ts\` holds the budgets.
`;
}

/** The first user of the demo who has records of every kind. */
async function demoWorld(
  table: Table,
  url: string,
  users: { write_key: string; session_token: string }[],
): Promise<World> {
  let last: unknown;
  for (const { write_key, session_token } of users)
    try {
      return await readWorld({ table, base_url: url, write_key, session_token });
    } catch (error) {
      last = error;
    }
  throw last;
}

async function describeWorld({ api }: World): Promise<string> {
  let threads = 0;
  let next_cursor: string | null | undefined;
  do {
    const { collection } = (await api.listThreads({ query: next_cursor ? { next_cursor } : {} })).body;
    threads += collection.records.length;
    next_cursor = collection.page_info.next_cursor;
  } while (next_cursor);
  const contacts = (await api.listContacts()).body.collection.records.length;
  const tags = (await api.listTags()).body.collection.total_results;
  return `${threads} threads of one user, ${contacts} contacts on the first page, ${tags} tags`;
}

export function run(extent: Extent): Promise<void> {
  return withDemo(async ({ stack, demo, operations }) => {
    for (const { name } of operations) caseOf(name);
    // The set-up of the cases asks more questions than the rate limit allows.
    stack.services.config.assistant.questions_per_minute = Number.POSITIVE_INFINITY;
    const gateway = await startMeteredGateway(stack.services, operations, 0);
    try {
      const users = demo.accounts.flatMap((account) => account.users);
      const world = await demoWorld(stack.services.table, gateway.url, users);
      const described = await describeWorld(world);
      const measured: Measured[] = [];
      const ordered = inOrder(operations);
      const moments = momentsOf(ordered);
      for (const [i, operation] of ordered.entries()) {
        const from = (moments[i] as number) - Date.now();
        stack.services.clock = () => new Date(Date.now() + from);
        const times = extent.small ? 1 : RUNS;
        measured.push(await measure(gateway, world, operation, times).catch(namingCaseOf(operation)));
        if (process.stderr.isTTY)
          process.stderr.write(`\r\x1b[2K${i + 1} of ${operations.length}: ${operation.name}`);
      }
      if (process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
      const place = new Map(operations.map((operation, i) => [operation, i]));
      measured.sort((a, b) => (place.get(a.operation) ?? 0) - (place.get(b.operation) ?? 0));
      const printed = markdownTable(HEAD, 'lrrrrrrrrrl', measured.map(row));
      await report(extent, { file: 'operations.md', page: page(measured, described), printed });
    } finally {
      await gateway.stop();
    }
  });
}
