import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Line, Size } from './mail/line.ts';
import { type Extent, machine, markdownTable, report } from './numbers.ts';

/** `npm run bench mail`: what it costs to read a mailbox from its server, and to find nothing new there. */

/** The second one has a gigabyte. */
const FULL: Size[] = [
  { messages: 500, bytes: 2_000 },
  { messages: 1_000, bytes: 1_000_000 },
];
const SMALL: Size[] = [{ messages: 20, bytes: 2_000 }];
const MB = 1_000_000;

async function measured({ messages, bytes }: Size): Promise<Line> {
  const child = fork(join(import.meta.dirname, 'mail', 'measure.ts'), [String(messages), String(bytes)]);
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The measurement ended with ${code}`);
  });
  const [line] = await Promise.race([once(child, 'message'), ended]);
  return line as Line;
}

const each = (value: number, messages: number) => (value / messages).toFixed(1);

function page(lines: Line[]): string {
  const firstRows = lines.map(({ size: { messages, bytes }, first }) => [
    ...[messages.toLocaleString('en'), `${Math.round(bytes / 1_000)} kB`],
    Math.round(messages / first.seconds),
    each(first.cost.write_units, messages),
    each(first.cost.read_units, messages),
    Math.round(first.memory / MB),
    first.commands,
  ]);
  const againRows = lines.map(({ size, again }) => [
    size.messages.toLocaleString('en'),
    again.commands,
    again.cost.calls.length,
    again.cost.write_units,
    again.cost.read_units,
  ]);
  return `# Reading mailboxes

Written by \`npm run bench mail\`: ${machine()}, DynamoDB Local in memory, an IMAP server in a process of its own, one folder
with messages in threads of four, each with an attachment.

## The first reading

${markdownTable(['messages', 'each', 'messages a second', 'WRU a message', 'RRU a message', 'memory, MB', 'commands'], 'rrrrrrr', firstRows)}

Queue, worker, database and files share one machine, and nothing is a network: seconds compare within one run. **Memory** is what
the process of the worker takes at most beyond what it had before; the emulators of queues and files are in it, and each size has a process of its own.
**Commands** of IMAP, those of signing in included.

## A reading of nothing new

${markdownTable(['messages', 'commands', 'calls of DynamoDB', 'WRU', 'RRU'], 'rrrrr', againRows)}
`;
}

export async function run(extent: Extent): Promise<void> {
  // Logs would mix with the output.
  process.env.POWERTOOLS_LOG_LEVEL ??= 'ERROR';
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true';
  const lines: Line[] = [];
  for (const size of extent.small ? SMALL : FULL) lines.push(await measured(size));
  const text = page(lines);
  await report(extent, { file: 'mail.md', page: text, printed: text });
}
