import {
  type FamilyFindings,
  LEGEND,
  type Line,
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

export type RecordFindings = Pick<ListFindings, 'rows' | 'seeded' | 'runs'> & { families: FamilyFindings[] };

export const missed = ({ families }: RecordFindings): string[] =>
  families.flatMap(({ name, pages, depths }) =>
    overBudget([...pages, ...depths]).map((each) => `${name}, ${each}`),
  );

const capital = (word: string) => `${word[0]?.toUpperCase() ?? ''}${word.slice(1)}`;

const part = (text: string, lines: Line[]) =>
  lines.length === 0 ? '' : `\n${text}\n\n${readTable(lines)}\n`;

const familyPart = ({ name, rows, pages, hard, depths, counts }: FamilyFindings) => `## ${capital(name)}

${rows.map(thousands).join(' / ')} ${name}. First pages with one filter, in every order:

${readTable(pages)}
${part('Pages further down, for those sizes that go so far:', depths)}${part('Outside of the budgets:', hard)}${part('Counts; **rows** is what was counted:', counts)}`;

export function page(findings: RecordFindings): string {
  const { rows, runs, families } = findings;
  const sizes = rows.map(thousands).join(' / ');
  return `# Records: lists of ${sizes} contacts, and of other records

Written by \`npm run bench records\`: ${machine()}, DynamoDB Local on the disk. Each size is an account of its own, all in
one table, with organizations and deals for every fifth contact, and tasks and files for every second. ${runs} runs of each. Where sizes differ, a cell has one value for each.

${LEGEND}

Names have words as frequent as those of mail are. What is asked for has its share of all records (owned 30 %,
unemployed 10 %, linked 1 %, shared 0.5 %), but at least 55; "rare" is 7 of any number, and 60 contacts are pinned. A tenth as many
again are private contacts of a colleague. Nine of ten contacts have an employer, one of 50, a tenth are in spaces, and the space that is
asked for has 110 of them and 55 organizations. Every second contact had mail, up to 500 of them within 14 days. Deals have a
contact and an organization, tasks and files a contact, all have values of two custom fields where their type may have some.
Writing everything: ${seedingOf(findings, 'contacts and the others')}.

## Budgets

A first page with one filter: at most ${MAX_DEPTH} round trips, and at most ${MAX_RATIO} times the read units at ${thousands(rows.at(-1) as number)} contacts as at
${thousands(rows[0] as number)}; a page further down the same.
${verdictOf(missed(findings))}

Outside of the budgets are more than one filter, words of some in an order that has no lists of words (docs/decisions/0035: up to 300
matches are read whole), and pages by number far down.

${families.map(familyPart).join('\n')}`;
}

export const tables = ({ families }: RecordFindings): string => families.map(familyPart).join('\n\n');
