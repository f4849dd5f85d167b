import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { operations } from '../../functions/catalogue.ts';
import { root } from '../aws/bundle.ts';

/** `npm run types`: the cost of type checking. */

const HELP = `Measures the cost of type checking, and writes docs/benchmarks/types.md.

  npm run types               counts, memory and time
  npm run types -- --quick    the same; writes nothing

Exits with status 1 when the compiler finds an error, or an operation exceeds its bound.`;

/**
 * The compiler's counts for each operation of the catalogue, including its share of libraries and tests. So the
 * catalogue may grow, but the cost for an operation may not rise unnoticed.
 */
const bounds = { Types: 4_750, Instantiations: 21_500 };

/** With one thread: several threads count shared types more than once, and differently each time. */
const ARGUMENTS = ['--noEmit', '--extendedDiagnostics', '--singleThreaded'];

function diagnostics(): Map<string, string> {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, ...ARGUMENTS], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The compiler found errors:\n${stdout}`);
  const lines = stdout.matchAll(/^([A-Z][\w ]*):\s+(\S+)$/gm);
  return new Map([...lines].map(([, name, value]) => [name as string, value as string]));
}

interface Count {
  name: string;
  count: number;
  each: number;
  bound: number;
}

function countsOf(found: Map<string, string>): Count[] {
  return Object.entries(bounds).map(([name, bound]) => {
    const count = Number(found.get(name));
    if (!Number.isInteger(count)) throw new Error(`The compiler does not say how many ${name} it made`);
    return { name, count, each: Math.ceil(count / operations.length), bound };
  });
}

const grouped = (value: number) => value.toLocaleString('en');

function table(counts: Count[]): string {
  const rows = counts.map(
    ({ name, count, each, bound }) =>
      `| ${each > bound ? '**over** ' : ''}${name} | ${grouped(count)} | ${grouped(each)} | ${grouped(bound)} |`,
  );
  return ['| What | all | an operation | bound |', '|---|---:|---:|---:|', ...rows].join('\n');
}

/** Values that differ between machines: the compiler writes kilobytes and seconds, `870163K` and `9.138s`. */
function reported(found: Map<string, string>): string {
  const number = (name: string) => Number.parseFloat(found.get(name) ?? '');
  return (
    `${grouped(number('Files'))} files with ${grouped(number('Lines'))} lines, libraries included: ` +
    `${grouped(Math.round(number('Memory used') / 1_000))} MB, ${number('Total time').toFixed(1)} s.`
  );
}

const page = (counts: Count[], found: Map<string, string>) => `# Type checking

Written by \`npm run types\`, which asks \`tsc ${ARGUMENTS.join(' ')}\`. The counts are the same in every run; memory and
time are for information.

${reported(found)}

${table(counts)}

**an operation**: divided by the ${operations.length} operations of the catalogue. The bounds are in \`infra/scripts/types.ts\`.
`;

const { values } = parseArgs({ options: { help: { type: 'boolean' }, quick: { type: 'boolean' } } });
if (values.help) {
  console.log(HELP);
} else {
  const found = diagnostics();
  const counts = countsOf(found);
  console.log(`${table(counts)}\n\n${reported(found)}`);
  if (!values.quick) await writeFile(join(root, 'docs', 'benchmarks', 'types.md'), page(counts, found));
  const over = counts.filter(({ each, bound }) => each > bound);
  for (const { name, each, bound } of over)
    console.error(`${name}: ${each} for an operation; ${bound} are allowed`);
  if (over.length > 0) process.exitCode = 1;
}
