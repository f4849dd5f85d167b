import { LEGEND, type Line, readTable, round, seedingOf, thousands, verdictOf } from '../lines.ts';
import { machine } from '../numbers.ts';

/** docs/benchmarks/views.md. */

export interface ViewFindings {
  rows: number[];
  seeded: { seconds: number; items: number }[];
  runs: number;
  searches: Line[];
  deep: Line[];
  /** Pairs of words that are drawn, at the largest size. */
  drawn: Line[];
  timelines: Line[];
  dashboard: Line[];
}

/** Budgets: of a first page of a search, and of the dashboard. */
const SEARCH = { depth: 6, read_units: 400 };
const DASHBOARD_DEPTH = 12;
/** Times the read units of the smallest size. */
const TIMELINE_RATIO = 1.5;

const deeper = (lines: Line[], most: number) =>
  lines
    .filter(({ sizes }) => sizes.some(({ depth }) => depth > most))
    .map(({ name }) => `${name}: more than ${most} round trips`);

const dearer = (lines: Line[], most: number) =>
  lines
    .filter(({ sizes }) => sizes.some(({ read_units }) => read_units > most))
    .map(({ name }) => `${name}: more than ${most} read units`);

function growing(lines: Line[]): string[] {
  return lines
    .filter(({ sizes }) => {
      const [first, last] = [sizes[0], sizes.at(-1)];
      return first && last && first.rows === last.rows && last.read_units > first.read_units * TIMELINE_RATIO;
    })
    .map(({ name }) => `${name}: more than ${TIMELINE_RATIO} times the read units`);
}

export const missed = ({ searches, timelines, dashboard }: ViewFindings): string[] => [
  ...deeper(searches, SEARCH.depth),
  ...dearer(searches, SEARCH.read_units),
  ...growing(timelines),
  ...deeper(dashboard, DASHBOARD_DEPTH),
];

/** Pairs with so many round trips, and what is beyond the budget. */
function drawnOf({ drawn, rows }: ViewFindings): string {
  const costs = drawn.flatMap(({ name, sizes }) =>
    sizes.map(({ depth, read_units }) => ({ name, depth, read_units })),
  );
  const byDepth = Map.groupBy(costs, ({ depth }) => depth);
  const counts = [...byDepth]
    .sort(([a], [b]) => a - b)
    .map(([depth, some]) => `${some.length} took ${depth}`);
  const sorted = costs.map(({ read_units }) => read_units).sort((a, b) => a - b);
  const beyond = costs.filter(
    ({ depth, read_units }) => depth > SEARCH.depth || read_units > SEARCH.read_units,
  );
  const shown = beyond.map(({ name, depth, read_units }) => `\`${name}\` ${depth} and ${round(read_units)}`);
  return `Pairs of words that are drawn, whole or their first three letters, each as often as names and mail have it: ${costs.length} of them, among
${thousands(rows.at(-1) as number)}. By round trips: ${counts.join(', ')}. Read units: half of them at most ${round(sorted[Math.floor(sorted.length / 2)] ?? 0)}, the most ${round(sorted.at(-1) ?? 0)}.
Beyond the budgets, with round trips and read units: ${shown.join(', ') || 'none'}.`;
}

export function page(findings: ViewFindings): string {
  const { rows, runs, searches, deep, timelines, dashboard } = findings;
  const sizes = rows.map(thousands).join(' / ');
  return `# Search, timelines and the dashboard among ${sizes} contacts and as many threads

Written by \`npm run bench views\`: ${machine()}, DynamoDB Local on the disk. Each size is an account of its own, all in one
table, with organizations and deals for every fifth contact, and tasks and files for every second. ${runs} runs of each. Where
sizes differ, a cell has one value for each: ${sizes}.

${LEGEND}

Names and mail have words as frequent as those of real mail are, the newest message of each thread 85 different ones in its whole text. Writing everything: ${seedingOf(findings, 'contacts and the others')}.

## Budgets

A first page of a search: at most ${SEARCH.depth} round trips and ${SEARCH.read_units} read units for one or two words. A page of a timeline: at most ${TIMELINE_RATIO} times the read units at ${thousands(rows.at(-1) as number)} as at ${thousands(rows[0] as number)}. The dashboard: at most ${DASHBOARD_DEPTH} round trips.
${verdictOf(missed(findings))}

## Search

First pages of 20 results, of all types.

${readTable(searches)}

${drawnOf(findings)}

Outside of the budgets:

${readTable(deep)}

## Timelines

Pages of 50 entries.

${readTable(timelines)}

## Dashboard

**rows**: unread threads, up to 1,000.

${readTable(dashboard)}
`;
}

export const tables = ({ searches, deep, timelines, dashboard }: ViewFindings): string =>
  [searches, deep, timelines, dashboard].map(readTable).join('\n\n');
