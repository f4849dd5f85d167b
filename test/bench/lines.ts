import { markdownTable } from './numbers.ts';
import type { Measured } from './threads/measure.ts';

/** Tables of costs by size: a line for each operation, and in its cells a value for each size. */

/** One operation at every size. */
export interface Line {
  name: string;
  stored?: true;
  beside?: string;
  depth?: number;
  sizes: Measured[];
}

/** What is measured of any list. */
export interface ListFindings {
  rows: number[];
  /** Seconds and items of the writing, by size. */
  seeded: { seconds: number; items: number }[];
  runs: number;
  pages: Line[];
  hard: Line[];
  depths: Line[];
  counts: Line[];
}

/** First pages of a family's lists, what is outside of the budgets, pages further down, and counts. */
export interface FamilyFindings extends Pick<ListFindings, 'pages' | 'hard' | 'depths' | 'counts'> {
  name: string;
  rows: number[];
}

/** Budgets of a first page with one filter. */
export const MAX_DEPTH = 3;
export const MAX_RATIO = 1.5;

export const round = (value: number) => String(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));

export const thousands = (value: number) => value.toLocaleString('en');

/** How long the records of each size took to write; `noun` is what they are. */
export function seedingOf({ rows, seeded }: Pick<ListFindings, 'rows' | 'seeded'>, noun: string): string {
  const sizes = seeded.map(
    ({ seconds, items }, i) =>
      `${thousands(rows[i] as number)} ${noun} are ${thousands(items)} items, ${round(seconds)} s`,
  );
  return sizes.join('; ');
}

/** A value for each size, once when they are equal. */
function each(values: number[]): string {
  const shown = values.map(round);
  return new Set(shown).size === 1 ? (shown[0] as string) : shown.join(' / ');
}

/** The reads with the most threads in proportion to those with the fewest, where both give the same rows. */
function ratioOf({ sizes }: Line): number | undefined {
  const [first, last] = [sizes[0], sizes.at(-1)];
  return first && last && first !== last && first.rows === last.rows
    ? last.read_units / first.read_units
    : undefined;
}

const HEAD = ['Operation', 'rows', 'round trips', 'RRU', 'ratio', 'p50, ms', 'p95, ms'];
const ALIGN = 'lrrrrrr';

function readRow(line: Line): string[] {
  const { name, sizes } = line;
  const ratio = ratioOf(line);
  return [
    name,
    each(sizes.map(({ rows }) => rows)),
    each(sizes.map(({ depth }) => depth)),
    each(sizes.map(({ read_units }) => read_units)),
    ratio === undefined ? '' : ratio.toFixed(2),
    each(sizes.map(({ p50 }) => p50)),
    each(sizes.map(({ p95 }) => p95)),
  ];
}

export const readTable = (lines: Line[]) => markdownTable(HEAD, ALIGN, lines.map(readRow));

const WRITE_HEAD = [
  'Operation',
  'round trips',
  'write requests',
  'items',
  'RRU',
  'WRU',
  'p50, ms',
  'p95, ms',
];
const WRITE_ALIGN = 'lrrrrrrr';

function writeRow({ name, sizes }: Line): string[] {
  return [
    name,
    each(sizes.map(({ depth }) => depth)),
    each(sizes.map(({ write_requests }) => write_requests)),
    each(sizes.map(({ writes }) => writes)),
    each(sizes.map(({ read_units }) => read_units)),
    each(sizes.map(({ write_units }) => write_units)),
    each(sizes.map(({ p50 }) => p50)),
    each(sizes.map(({ p95 }) => p95)),
  ];
}

export const writeTable = (lines: Line[]) => markdownTable(WRITE_HEAD, WRITE_ALIGN, lines.map(writeRow));

/** First pages over their budgets, in words. */
export function overBudget(pages: Line[]): string[] {
  const deep = pages.filter(({ sizes, depth: most = MAX_DEPTH }) => sizes.some(({ depth }) => depth > most));
  const dear = pages.filter((line) => (ratioOf(line) ?? 0) > MAX_RATIO);
  return [
    ...deep.map(({ name }) => `${name}: more than ${MAX_DEPTH} round trips`),
    ...dear.map(({ name }) => `${name}: more than ${MAX_RATIO} times the read units`),
  ];
}

export const verdictOf = (over: string[]) =>
  over.length === 0 ? 'All are kept.' : `Missed:\n\n${over.map((each) => `- ${each}`).join('\n')}`;

/** What the columns mean. */
export const LEGEND = `- **round trips**: sequential ones after authentication. Calls that are sent together count once, as if all took the same
  time. The most of all runs.
- **rows**, **RRU**, **WRU**: the median. **ratio**: RRU of the largest size to RRU of the smallest, where both give the
  same rows.
- **p50**, **p95**: for information. Client, gateway, handler and database share one machine, and nothing here is a
  network.
- DynamoDB Local does not add up the items of a transaction, so WRU of transactions are only a hint; **items** is exact.`;
