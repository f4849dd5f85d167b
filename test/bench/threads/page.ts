import {
  LEGEND,
  type Line,
  type ListFindings,
  MAX_DEPTH,
  MAX_RATIO,
  overBudget,
  readTable,
  round,
  seedingOf,
  thousands,
  verdictOf,
  writeTable,
} from '../lines.ts';
import { machine, markdownTable } from '../numbers.ts';
import type { audiences } from './fan-out.ts';
import type { ListCase } from './lists.ts';
import type { Measured } from './measure.ts';

/** docs/benchmarks/threads.md. */

export interface Findings extends ListFindings {
  others: Line[];
  changes: Line[];
  access: Line;
  fanOut: { size: (typeof audiences)[number]; first: Measured; later: Measured; steps: number }[];
}

const MAX_WRITE_REQUESTS = 2;
const MAX_STEPS = 2;

const FAN_OUT_HEAD = ['Users', 'steps', 'round trips', 'items', 'items a user', 'RRU', 'WRU', 'p50, ms'];

function fanOutTable(fanOut: Findings['fanOut']): string {
  const rows = fanOut.flatMap(({ size, first, later, steps }) =>
    (
      [
        ['first message', first],
        ['a reply', later],
      ] as const
    ).map(([name, measured]) => [
      `${size}, ${name}`,
      steps,
      measured.depth,
      measured.writes,
      round(measured.writes / size),
      round(measured.read_units),
      round(measured.write_units),
      round(measured.p50),
    ]),
  );
  return markdownTable(FAN_OUT_HEAD, 'lrrrrrrr', rows);
}

/** The exceeded budgets, in words. */
export function missed({ pages, changes, fanOut }: Findings): string[] {
  const many = changes.filter(({ sizes }) =>
    sizes.some(({ write_requests }) => write_requests > MAX_WRITE_REQUESTS),
  );
  return [
    ...overBudget(pages),
    ...many.map(({ name }) => `${name}: more than ${MAX_WRITE_REQUESTS} write requests`),
    ...fanOut
      .filter(({ steps }) => steps > MAX_STEPS)
      .map(({ size }) => `fan-out to ${size} users: more than ${MAX_STEPS} steps`),
  ];
}

function reasons(lines: Line[]): Line[] {
  return lines.map((line) => ({ ...line, name: line.beside ? `${line.name} (${line.beside})` : line.name }));
}

export function page(findings: Findings): string {
  const { rows, runs, pages, hard, depths, counts, others, changes, access, fanOut } = findings;
  const over = missed(findings);
  const sizes = rows.map(thousands).join(' / ');
  return `# Threads: ${sizes} of one user

Written by \`npm run bench threads\`: ${machine()}, DynamoDB Local on the disk. Each size is a user of an account of its
own, all in one table. ${runs} runs of each. Where sizes differ, a cell has one value for each: ${sizes}.

${LEGEND}

Every thread has a subject of 6 words and a snippet of 20, as frequent as words of mail are, 3 to 5 of 2,000 addresses,
and was sent within three years. What is asked for has its share of all threads (unread 10 %, flagged 2 %, attachments
30 %, shared and snoozed 1 %), but at least 55, so that few and many threads fill a page of 50; "rare" is 7 threads of any
number. Writing them: ${seedingOf(findings, 'threads')}.

## Budgets

A first page with one filter: at most ${MAX_DEPTH} round trips (four for pinned contacts, which are read first), and at most ${MAX_RATIO} times the read units at ${thousands(rows.at(-1) as number)} threads as at
${thousands(rows[0] as number)}. A change of state: at most ${MAX_WRITE_REQUESTS} write requests. A new message reaches all users in ${MAX_STEPS} steps.
${verdictOf(over)}

## First pages

Lists of organizations and spaces are asked of the store, without a request: no authentication is in their times.

${readTable(pages)}

## More than one filter, and searches that read more than they give

Outside of the budgets. A page stops after sixteen steps of reading lists: then it is short and has a cursor.

${readTable(reasons(hard))}

## Pages further down

The list of all threads, asked of the store, for those sizes that go so far.

${readTable(depths)}

## Counts

**rows** is what was counted.

${readTable(counts)}

## Open threads, and one thread

**rows**: threads, and messages.

${readTable(others)}

## Changes of state

${writeTable(changes)}

## A new message

How its thread comes into the lists of the users who read its mailbox. **steps**: all entries are read in one and
written, with their places in lists, in the next. **round trips** also has the thread itself, read before and after.

${fanOutTable(fanOut)}

## Giving access to a mailbox

A colleague may read the user's first mailbox from now on: each hundred threads, ${round(Math.max(...access.sizes.map(({ p50 }) => p50)) / 1_000)} s at most.

${writeTable([access])}
`;
}

export function tables(findings: Findings): string {
  const { pages, hard, depths, counts, others, changes, access, fanOut } = findings;
  return [
    readTable([...pages, ...reasons(hard), ...depths, ...counts, ...others]),
    writeTable([...changes, access]),
    fanOutTable(fanOut),
  ].join('\n\n');
}

export const lineOf = ({ name, stored, beside, depth }: ListCase, sizes: Measured[]): Line => ({
  name,
  sizes,
  ...(stored ? { stored } : {}),
  ...(beside ? { beside } : {}),
  ...(depth ? { depth } : {}),
});
