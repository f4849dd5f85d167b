import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { assistantProblem, readAssistant } from '#shared/config.ts';
import type { DemoFile } from './demo/fill.ts';
import type { Stack } from './stack.ts';

const HELP = `Runs the Workspace API on this machine.

  npm start -- [options]

  --port <n>       port of the API (default 3000; 0 takes a free one)
  --data <folder>  where data is kept (default .local)
  --in-memory      keep nothing after it stops
  --no-demo        do not fill the demo workspace
  --verbose        print a log line for every request
  --help           this text
`;

interface Options {
  port: number;
  data: string;
  in_memory: boolean;
  demo: boolean;
}

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '3000' },
      data: { type: 'string', default: '.local' },
      'in-memory': { type: 'boolean', default: false },
      'no-demo': { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error(`--port must be a number from 0 to 65535, not "${values.port}"`);
  process.env.POWERTOOLS_LOG_LEVEL ??= values.verbose ? 'INFO' : 'ERROR';
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true';
  return { port, data: resolve(values.data), in_memory: values['in-memory'], demo: !values['no-demo'] };
}

/** Runs before anything starts, so that the error is the only output. */
function requireAssistant(): void {
  const problem = assistantProblem(readAssistant(process.env));
  if (problem) throw new Error(problem);
}

/** Also runs first. */
async function requireFreePort(port: number): Promise<void> {
  if (port === 0) return;
  await new Promise<void>((done, fail) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${port} is taken. Stop what listens there, or choose another with: npm start -- --port <n>`;
      fail(error.code === 'EADDRINUSE' ? new Error(taken) : error);
    });
    probe.listen(port, '127.0.0.1', () => probe.close(() => done()));
  });
}

/** Empty when writing the file was interrupted. */
function readAccounts(file: string): DemoFile['accounts'] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).accounts;
  } catch {
    return [];
  }
}

/** Whether the table contains the workspace of this file: it may describe a deleted table. */
async function hasDemo({ services }: Stack, file: string): Promise<boolean> {
  if (!existsSync(file)) return false;
  const { keys } = await import('#shared/table/keys.ts');
  const accounts = readAccounts(file);
  const found = await Promise.all(accounts.map(({ id }) => services.table.get(keys.account(id))));
  return found.length > 0 && found.every((account) => account !== undefined);
}

/** npm sends a signal to its shell only: when that shell ends, so does this process. */
function onLostParent(stop: () => void): void {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(), 250).unref();
}

async function main(): Promise<void> {
  const options = readOptions();
  requireAssistant();
  await requireFreePort(options.port);
  mkdirSync(options.data, { recursive: true });
  const { claimFolder, releaseFolder, writeRun } = await import('./run-file.ts');
  claimFolder(options.data);
  writeRun(options.data, null);
  console.log(`Starting (data in ${options.in_memory ? 'memory' : options.data}) ...`);
  // Imported late: reading options and checking the port needs no libraries.
  const [{ startStack }, { operations }, { fillDemo, printDemo }] = await Promise.all([
    import('./stack.ts'),
    import('../../functions/catalogue.ts'),
    import('./demo/fill.ts'),
  ]);
  const folder = options.in_memory ? await mkdtemp(join(tmpdir(), 'workspace-')) : options.data;
  const demoFile = join(options.data, 'demo.json');
  // A run in memory leaves the file of the stored workspace unchanged.
  const keptDemo = options.in_memory && existsSync(demoFile) ? readFileSync(demoFile) : undefined;
  let stopping = false;
  let stack: Stack | undefined;
  const stop = async (code: number) => {
    if (stopping) return;
    stopping = true;
    await stack?.stop();
    // Synchronous up to the exit: whatever is still starting can write no more.
    if (options.in_memory) rmSync(folder, { recursive: true, force: true });
    if (keptDemo) writeFileSync(demoFile, keptDemo);
    releaseFolder(options.data);
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0));
  onLostParent(() => void stop(0));
  const fail = (error: unknown) => {
    if (stopping) return;
    console.error(error instanceof Error ? error.message : error);
    void stop(1);
  };
  try {
    const spawned = (pid: number) => writeRun(options.data, pid);
    stack = await startStack({ ...options, folder, operations, spawned, lost: fail });
    const fresh = options.in_memory || !(await hasDemo(stack, demoFile));
    if (options.demo) printDemo(await fillDemo(stack, options.data, fresh));
    console.log(`ready ${stack.url}`);
  } catch (error) {
    fail(error);
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
