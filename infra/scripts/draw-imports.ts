import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONTEXTS, contextOf, readImports } from './imports.ts';

const USAGE = `npm run draw [-- --check]

Draws the rooms of the code and what they import into docs/architecture.md.
  --check  writes nothing; fails when the picture is not up to date
  --help   shows this text`;

const root = join(import.meta.dirname, '..', '..');
const page = join(root, 'docs', 'architecture.md');

const BEGIN = '<!-- picture: npm run draw -->';
const END = '<!-- end of the picture -->';

/** From the top down. */
const ROOMS = [
  'functions',
  'composition',
  ...CONTEXTS.toReversed().flat(),
  'api',
  'providers',
  'queues',
  'table',
];

function roomOf(file: string): string | undefined {
  const context = contextOf(file);
  if (context) return context;
  const [first, second] = file.split('/');
  return [first, second].find((name) => ROOMS.includes(name as string));
}

function picture(): string {
  const { imports } = readImports(root);
  const arrows = new Set<string>();
  for (const { from, to } of imports) {
    if (!/^(functions|shared)\//.test(from) || !to.startsWith('shared/')) continue;
    const [above, below] = [roomOf(from), roomOf(to)];
    if (above === undefined || below === undefined || above === below) continue;
    arrows.add(`${above} --> ${below}`);
  }
  const used = ROOMS.filter((room) => [...arrows].some((arrow) => arrow.split(' ').includes(room)));
  const lines = [...arrows].map((arrow) => `  ${arrow}`).sort();
  return ['```mermaid', 'flowchart TD', ...used.map((room) => `  ${room}`), ...lines, '```'].join('\n');
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const text = await readFile(page, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${page} has no place for the picture`);
  const drawn = `${before}${BEGIN}\n${picture()}\n${END}${after}`;
  if (drawn === text) return 0;
  if (values.check) console.error('docs/architecture.md is not up to date: npm run draw');
  else await writeFile(page, drawn);
  return values.check ? 1 : 0;
}

process.exitCode = await main();
