import { LEGEND, type Line, readTable, seedingOf, thousands, verdictOf } from '../lines.ts';
import { machine } from '../numbers.ts';

/** docs/benchmarks/views.md. */

export interface ViewFindings {
  rows: number[];
  seeded: { seconds: number; items: number }[];
  runs: number;
  searches: Line[];
  deep: Line[];
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

A first page of a search: at most ${SEARCH.depth} round trips and ${SEARCH.read_units} read units for one or two words; some pairs of words of mail
that are seldom together take more ([0081](../decisions/0081-search.md), "Price"). A page of a timeline: at most ${TIMELINE_RATIO} times the read units at ${thousands(rows.at(-1) as number)} as at ${thousands(rows[0] as number)}. The dashboard: at most ${DASHBOARD_DEPTH} round trips.
${verdictOf(missed(findings))}

## Search

First pages of 20 results, of all types.

${readTable(searches)}

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
