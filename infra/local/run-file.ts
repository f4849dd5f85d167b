import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Records the processes that use a data folder. A killed run leaves its database behind: the next run ends it, because
 * two databases on one folder destroy each other's data.
 */
interface RunFile {
  pid: number;
  database_pid: number | null;
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
  if (!existsSync(fileOf(folder))) return;
  let run: RunFile;
  try {
    run = JSON.parse(readFileSync(fileOf(folder), 'utf8'));
  } catch {
    return;
  }
  if (run.pid !== process.pid && commandOf(run.pid)?.includes('up.ts')) throw new DataInUse(folder, run.pid);
  if (run.database_pid && commandOf(run.database_pid)?.includes('DynamoDBLocal'))
    process.kill(run.database_pid, 'SIGKILL');
}

export function writeRun(folder: string, database_pid: number | null): void {
  const run: RunFile = { pid: process.pid, database_pid };
  writeFileSync(fileOf(folder), JSON.stringify(run));
}

export function releaseFolder(folder: string): void {
  rmSync(fileOf(folder), { force: true });
}
