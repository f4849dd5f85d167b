import {
  type FamilyFindings,
  LEGEND,
  type ListFindings,
  MAX_DEPTH,
  MAX_RATIO,
  overBudget,
  readTable,
  seedingOf,
  thousands,
  verdictOf,
} from '../lines.ts';
import { machine } from '../numbers.ts';

/** docs/benchmarks/records.md. */

export type RecordFindings = ListFindings & { families: FamilyFindings[] };

export const missed = ({ pages, families }: RecordFindings): string[] => [
  ...overBudget(pages),
  ...families.flatMap((family) => overBudget(family.pages).map((each) => `${family.name}, ${each}`)),
];

const capital = (word: string) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`;

const familyPart = ({ name, rows, pages, hard }: FamilyFindings) => `## ${capital(name)}

${rows.map(thousands).join(' / ')} ${name}.

${readTable(pages)}
${hard.length === 0 ? '' : `\nOutside of the budgets:\n\n${readTable(hard)}\n`}`;

export function page(findings: RecordFindings): string {
  const { rows, runs, pages, hard, depths, counts, families } = findings;
  const sizes = rows.map(thousands).join(' / ');
  return `# Records: lists of ${sizes} contacts, and of other records

Written by \`npm run bench records\`: ${machine()}, DynamoDB Local on the disk. Each size is an account of its own, all in
one table, with organizations and deals for every fifth contact, and tasks and files for every second. ${runs} runs of each. Where sizes differ, a cell has one value for each: ${sizes}.

${LEGEND}

Names have words as frequent as those of mail are. What is asked for has its share of all contacts (owned 30 %,
unemployed 10 %, shared 0.5 %), but at least 55; "rare" is 7 contacts of any number, and 60 are pinned. A tenth as many
again are private contacts of a colleague. The records have no links to each other, no mail and no custom fields: what pages and
filters read because of these is not measured here. Writing everything: ${seedingOf(findings, 'contacts and the others')}.

## Budgets

A first page with one filter: at most ${MAX_DEPTH} round trips, and at most ${MAX_RATIO} times the read units at ${thousands(rows.at(-1) as number)} contacts as at
${thousands(rows[0] as number)}.
${verdictOf(missed(findings))}

## Contacts: first pages

${readTable(pages)}

## More than one filter, words in another order than that of the name, moments in another than their own

Outside of the budgets: up to 300 matches are read whole and sorted; beyond, the order is read and each record checked.

${readTable(hard)}

## Pages further down

For those sizes that go so far.

${readTable(depths)}

## Counts

**rows** is what was counted.

${readTable(counts)}

${families.map(familyPart).join('\n')}`;
}

export const tables = ({ pages, hard, depths, counts, families }: RecordFindings): string =>
  [...[pages, hard, depths, counts].map(readTable), ...families.map(familyPart)].join('\n\n');
