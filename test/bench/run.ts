import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { Extent } from './numbers.ts';

/** `npm run bench`: the measurements of docs/benchmarks that need no cloud. */

const HELP = `Measures, and writes what it found to docs/benchmarks.

  npm run bench operations   what each operation asks of AWS: calls, round trips, capacity units
  npm run bench pipeline     what a request costs in the process, without AWS
  npm run bench calling      what one call of DynamoDB costs in the process, and what lighter ways would
  npm run bench collaboration
                             what comments, tags and notifications cost, few and many of them
  npm run bench assistant    how long the assistant takes to respond, and what that costs
  npm run bench threads      what lists of threads cost, of 1,000, 10,000 and 100,000 threads: a good half hour;
                             npm run bench -- threads --rows 1000,10000 for a quick look
  npm run bench records      what lists of contacts cost, of 1,000, 10,000 and 100,000 contacts; also with --rows
  npm run bench views        what search, timelines and the dashboard cost, of 1,000 and 100,000 records; also with --rows
  npm run bench mail         what it costs to read a mailbox from its server, and to find nothing new: some minutes
  npm run bench live         whether 200 sockets hear everything while a key writes at its rate limit: ten minutes
  npm run bench -- --small   every bench, or the one that is named, once each and of little: shows that it works,
                             and writes nothing
  npm run bench -- --help    this text
`;

const benches: Record<string, () => Promise<{ run(extent: Extent): Promise<void> }>> = {
  operations: () => import('./operations.ts'),
  pipeline: () => import('./pipeline.ts'),
  calling: () => import('./calling.ts'),
  collaboration: () => import('./collaboration.ts'),
  assistant: () => import('./assistant.ts'),
  threads: () => import('./threads.ts'),
  records: () => import('./records.ts'),
  views: () => import('./views.ts'),
  mail: () => import('./mail.ts'),
  live: () => import('./live.ts'),
};

/** Benches that take `--rows`. */
const bySize = ['threads', 'records', 'views'];

/** Numbers of threads, the fewest first. */
function readRows(sent: string): number[] {
  const rows = sent.split(',').map(Number);
  if (rows.some((count) => !Number.isInteger(count) || count < 60))
    throw new Error(`--rows takes whole numbers from 60 on, separated by commas, not "${sent}".`);
  return rows.sort((a, b) => a - b);
}

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

/** Each in a process of its own, as by hand. */
function runAllSmall(): void {
  for (const name of Object.keys(benches)) {
    console.log(`\n${name}`);
    execFileSync(process.execPath, [import.meta.filename, name, '--small'], { stdio: 'inherit' });
  }
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean' }, rows: { type: 'string' }, small: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [name = '', ...others] = positionals;
  const small = values.small ?? false;
  const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (values.help) console.log(HELP);
  else if (others.length > 0) fail(`One bench at a time, not "${positionals.join(' ')}".\n\n${HELP}`);
  else if (name === '' && small && values.rows === undefined) runAllSmall();
  else if (!bench) fail(`${name === '' ? 'Which bench?' : `There is no bench "${name}".`}\n\n${HELP}`);
  else if (values.rows !== undefined && !bySize.includes(name))
    fail('Only the benches of threads, records and views take --rows.');
  else
    await (await bench()).run({ small, rows: values.rows === undefined ? undefined : readRows(values.rows) });
}

// Without these, what a bench started is left behind, the database above all: it ends with an exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
