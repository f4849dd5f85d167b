import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { kinds } from '#shared/uses/kinds.ts';
import { operations } from '../../functions/catalogue.ts';
import { allowancesOf, BUDGET, type BundleSize, measureBundles } from '../aws/budget.ts';
import { bundle, bundleFile, root } from '../aws/bundle.ts';

/** `npm run sizes`: the size of every Lambda bundle, and its load time. */

const HELP = `Measures the Lambda bundles and writes docs/benchmarks/sizes.md.

  npm run sizes               sizes and loading times
  npm run sizes -- --quick    sizes only; writes nothing

Exits with status 1 when a bundle is larger than its budget (infra/aws/budget.ts).`;

/** Processes that load a bundle; the median counts. */
const LOADS = 5;

const LOAD = `const start = performance.now();
require(process.argv[1]);
process.stdout.write(String(performance.now() - start));`;

/** Milliseconds to load a file in a new process: the median. */
function loadTime(file: string): number {
  const times = Array.from({ length: LOADS }, () =>
    Number(execFileSync(process.execPath, ['-e', LOAD, file], { env: {}, encoding: 'utf8' })),
  );
  return times.sort((a, b) => a - b)[Math.floor(LOADS / 2)] as number;
}

interface Row extends BundleSize {
  gzip: number;
  load_ms: number | undefined;
}

async function measure(out: string, quick: boolean): Promise<{ rows: Row[]; baseline: number | undefined }> {
  const sizes = measureBundles(operations, await bundle(operations, out, 'bedrock'));
  const rows: Row[] = [];
  for (const size of sizes) {
    const file = bundleFile(out, { name: size.entry });
    if (!quick && process.stderr.isTTY)
      process.stderr.write(`\r\x1b[2KLoading ${rows.length + 1} of ${sizes.length}: ${size.entry}`);
    const gzip = gzipSync(await readFile(file)).length;
    rows.push({ ...size, gzip, load_ms: quick ? undefined : loadTime(file) });
  }
  if (!quick && process.stderr.isTTY) process.stderr.write('\r\x1b[2K');
  const empty = join(out, 'empty.cjs');
  await writeFile(empty, 'exports.handler = async () => ({ statusCode: 204 });\n');
  return { rows, baseline: quick ? undefined : loadTime(empty) };
}

const kilobytes = (bytes: number) => (bytes / 1_000).toFixed(0);
const milliseconds = (value: number | undefined) => (value === undefined ? '' : value.toFixed(1));

function middle(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function table(rows: Row[]): string {
  const lines = rows.map(
    ({ entry, bytes, gzip, budget, load_ms, libraries, problems }) =>
      `| ${problems.length > 0 ? '**over** ' : ''}${entry} | ${kilobytes(bytes)} | ${kilobytes(budget)} | ` +
      `${kilobytes(gzip)} | ${milliseconds(load_ms)} | ${libraries.join(', ')} |`,
  );
  return [
    '| Function | kB | budget | gzip, kB | load, ms | large libraries |',
    '|---|---:|---:|---:|---:|---|',
    ...lines,
  ].join('\n');
}

function page(rows: Row[], baseline: number | undefined): string {
  const larger = Object.entries(allowancesOf(kinds)).map(
    ([library, { bytes, reason }]) => `| ${library} | ${kilobytes(bytes)} | ${reason} |`,
  );
  return `# Lambda bundles

Written by \`npm run sizes\`. 1 kB is 1,000 bytes, minified. Loading is \`require\` in a new process on Node
${process.versions.node}: the median of ${LOADS}; an empty handler takes ${milliseconds(baseline)} ms. Machines differ: compare within one table.

${rows.length} bundles: the middle one has ${kilobytes(middle(rows.map(({ bytes }) => bytes)))} kB (${kilobytes(middle(rows.map(({ gzip }) => gzip)))} kB gzip) and loads in ${milliseconds(middle(rows.map(({ load_ms }) => load_ms ?? 0)))} ms.

${table(rows)}

## Budgets

Every bundle may have ${kilobytes(BUDGET)} kB, and more where it holds one of these:

| Library | kB more | Why |
|---|---:|---|
${larger.join('\n')}
`;
}

const { values } = parseArgs({ options: { help: { type: 'boolean' }, quick: { type: 'boolean' } } });
if (values.help) {
  console.log(HELP);
} else {
  const quick = values.quick ?? false;
  const out = await mkdtemp(join(tmpdir(), 'bundles-'));
  try {
    const { rows, baseline } = await measure(out, quick);
    console.log(table(rows));
    if (!quick) await writeFile(join(root, 'docs', 'benchmarks', 'sizes.md'), page(rows, baseline));
    const failing = rows.filter(({ problems }) => problems.length > 0);
    for (const { entry, problems } of failing) console.error(`${entry}: ${problems.join('; ')}`);
    if (failing.length > 0) process.exitCode = 1;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}
