import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiFailure } from '#shared/api/client.ts';
import { Misuse } from '../cli/options.ts';
import {
  followImport,
  type ImportCounts,
  type ImportTarget,
  newestImport,
  startImport,
} from './import-archive.ts';
import { archiveOf } from './import-mail/archive-of.ts';
import {
  HELP,
  type ImportOptions,
  NEWEST,
  readImportOptions,
  type TableOptions,
} from './import-mail/options.ts';
import { isWhole, Progress, reportOf } from './import-mail/progress.ts';
import { importTable, isWholeTable, progressOf, tableReport } from './import-mail/table.ts';

/** `npm run import`. Exit codes: 0 when everything arrived, 1 when something did not, 2 for a wrong command line. */

async function start(target: ImportTarget, path: string): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'import-'));
  try {
    return await startImport(target, await archiveOf(path, scratch));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function followed(target: ImportTarget, wanted: string): Promise<string> {
  const id = wanted === NEWEST ? await newestImport(target) : wanted;
  if (id === undefined) throw new Misuse(`Nothing was imported into the mailbox ${target.mailbox_id} yet`);
  return id;
}

/** A line that is written over and over on a terminal, nothing when the output is a file. */
function watch(): (counts: ImportCounts) => void {
  const progress = new Progress();
  return (counts) => {
    const line = progress.line(counts);
    if (process.stderr.isTTY)
      process.stderr.write(
        `\r${line.padEnd(process.stderr.columns - 1).slice(0, process.stderr.columns - 1)}`,
      );
  };
}

async function run({ source, ...target }: ImportOptions): Promise<void> {
  const id = 'path' in source ? await start(target, source.path) : await followed(target, source.follow);
  console.error(`import ${id}`);
  const counts = await followImport(target, id, watch());
  if (process.stderr.isTTY) process.stderr.write('\n');
  console.log(reportOf(counts));
  if (!isWhole(counts)) process.exitCode = 1;
}

async function runTable({ table, ...options }: TableOptions): Promise<void> {
  const done = await importTable(options, await archiveOf(table, tmpdir()), (found) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${progressOf(found)}`);
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  console.log(tableReport(done, options));
  if (!isWholeTable(done)) process.exitCode = 1;
}

function explain(error: unknown, base_url: string | undefined): string {
  if (error instanceof ApiFailure) return `The API refused: ${error.message}`;
  const { message, cause } = error as Error & { cause?: Error };
  // What `fetch` throws when nothing listens.
  return message === 'fetch failed' ? `No API responds at ${base_url}: ${cause?.message}` : message;
}

let options: ImportOptions | TableOptions | undefined;
try {
  options = readImportOptions(process.argv.slice(2), process.env);
  if (options && 'table' in options) await runTable(options);
  else if (options) await run(options);
  else console.log(HELP);
} catch (error) {
  console.error(explain(error, options?.base_url));
  process.exitCode = error instanceof Misuse ? 2 : 1;
}
