import { parseArgs } from 'node:util';

/** `npm run bench`: the measurements of docs/benchmarks that take no cloud. */

const HELP = `Measures, and writes what it found to docs/benchmarks.

  npm run bench operations   what each operation asks of AWS: calls, round trips, capacity units
  npm run bench pipeline     what a request costs in the process, without AWS
  npm run bench -- --help    this text
`;

const benches: Record<string, () => Promise<{ run(): Promise<void> }>> = {
  operations: () => import('./operations.ts'),
  pipeline: () => import('./pipeline.ts'),
};

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [name = '', ...others] = positionals;
  const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (values.help) console.log(HELP);
  else if (others.length > 0) fail(`One bench at a time, not "${positionals.join(' ')}".\n\n${HELP}`);
  else if (!bench) fail(`${name === '' ? 'Which bench?' : `There is no bench "${name}".`}\n\n${HELP}`);
  else await (await bench()).run();
}

main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
