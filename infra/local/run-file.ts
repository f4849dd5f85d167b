import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Misuse } from '../cli/options.ts';

/**
 * `run.json` in the data folder, while `npm start` runs with it: by this file other commands find the parts of the run,
 * and the next run ends the database of a killed one, because two databases on one folder destroy each other's data.
 *
 *     {
 *       "pid": 4711,
 *       "database_pid": 4712,
 *       "ready": {
 *         "url": "http://127.0.0.1:3000",
 *         "host": "127.0.0.1",
 *         "variables": {
 *           "TABLE_NAME": "workspace", "BUCKET_NAME": "workspace", "CURSOR_KEYS": "...",
 *           "DYNAMODB_ENDPOINT": "http://127.0.0.1:8000", "S3_ENDPOINT": "...", "SQS_ENDPOINT": "...",
 *           "QUEUE_URL_PREFIX": "http://.../", "CORS_ORIGINS": "*", "STAGE": "local", ...
 *         }
 *       }
 *     }
 *
 * URLs name 127.0.0.1 when everything listens on all addresses (`host` is `0.0.0.0` or `::`). `variables` include those
 * of the assistant that were set for `npm start`. Only the user may read the file: it has the key that signs cursors,
 * and the one of a language model's server.
 */
interface RunFile {
  pid: number;
  /** Null until it runs, and when it runs elsewhere (DYNAMODB_ENDPOINT). */
  database_pid: number | null;
  /** Null until everything has started. */
  ready: ReadyRun | null;
}

export interface ReadyRun {
  /** Of the API. */
  url: string;
  /** The address on which everything listens: `--host`. */
  host: string;
  /** The environment of a function that works on the data of this run. */
  variables: Record<string, string>;
}

class DataInUse extends Error {
  constructor(folder: string, pid: number) {
    super(
      `The data in ${folder} is in use by process ${pid}. Stop it first, or choose another folder with --data.`,
    );
    this.name = 'DataInUse';
  }
}

const fileOf = (folder: string) => join(folder, 'run.json');

/** Undefined when nothing runs there, or when it cannot be read. */
function readRun(folder: string): RunFile | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(folder), 'utf8'));
  } catch {
    return undefined;
  }
}

/** The command line of a process; undefined when it has ended. */
function commandOf(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Throws DataInUse while another run is alive; ends the database of a killed one. */
export function claimFolder(folder: string): void {
  const run = readRun(folder);
  if (!run) return;
  if (run.pid !== process.pid && /\b(up\.ts|start\.mjs)\b/.test(commandOf(run.pid) ?? ''))
    throw new DataInUse(folder, run.pid);
  if (run.database_pid && commandOf(run.database_pid)?.includes('DynamoDBLocal'))
    process.kill(run.database_pid, 'SIGKILL');
}

/** Writes what is known so far. */
export function writeRun(folder: string, known: Partial<Omit<RunFile, 'pid'>>): void {
  const before = readRun(folder);
  const own = before?.pid === process.pid ? before : { database_pid: null, ready: null };
  const run: RunFile = { ...own, ...known, pid: process.pid };
  const partial = `${fileOf(folder)}.${process.pid}`;
  writeFileSync(partial, JSON.stringify(run), { mode: 0o600 });
  // Renamed, so that nobody reads half a file, and an existing one loses its permissions.
  renameSync(partial, fileOf(folder));
}

export function releaseFolder(folder: string): void {
  rmSync(fileOf(folder), { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const WAYS_OUT = 'start it first, or name its folder with --data';

/** The run that uses the folder. Throws Misuse when there is none, with what to do, or when it is not ready. */
export function findRun(folder: string, ways_out = WAYS_OUT): ReadyRun {
  const run = readRun(folder);
  if (!run || !isAlive(run.pid))
    throw new Misuse(`No npm start runs with the data in ${folder}: ${ways_out}.`);
  if (!run.ready)
    throw new Misuse(
      `npm start with the data in ${folder} is not ready yet: try again when it prints ready.`,
    );
  return run.ready;
}
