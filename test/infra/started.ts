import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DemoFile } from '../../infra/local/demo/fill.ts';

/** `npm start` in a process of its own, as a person runs it. */

export const root = join(import.meta.dirname, '..', '..');

export async function temporaryFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'workspace-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** A folder that is deleted after the test. */
export async function testFolder(): Promise<string> {
  const { path, remove } = await temporaryFolder();
  onTestFinished(remove);
  return path;
}

export function readDemo(folder: string): DemoFile {
  return JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8'));
}

/** The database process that uses the folder. */
export function databaseOf(folder: string): number {
  return JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')).database_pid;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A process that has ended keeps its id until its parent reads its exit status.
  const status = `/proc/${pid}/stat`;
  return !existsSync(status) || !/\) Z /.test(readFileSync(status, 'utf8'));
}

export class Started {
  readonly process: ChildProcess;
  output = '';
  complaints = '';
  private readonly ended: Promise<number | null>;

  constructor(
    options: string[],
    env: NodeJS.ProcessEnv = {},
    command = [process.execPath, 'infra/local/up.ts'],
  ) {
    const [file = '', ...before] = command;
    this.process = spawn(file, [...before, ...options], {
      cwd: root,
      env: { ...process.env, POWERTOOLS_LOG_LEVEL: 'ERROR', DYNAMODB_ENDPOINT: '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout?.on('data', (chunk) => {
      this.output += chunk;
    });
    this.process.stderr?.on('data', (chunk) => {
      this.complaints += chunk;
    });
    this.ended = once(this.process, 'close').then(([code]) => code as number | null);
  }

  static async ready(options: string[], env: NodeJS.ProcessEnv = {}): Promise<Started> {
    const started = new Started(options, env);
    await started.until(/^ready /m);
    return started;
  }

  /** Resolves when the output contains the text; rejects when the process ends before. */
  async until(text: RegExp): Promise<void> {
    while (!text.test(this.output)) {
      if (this.process.exitCode !== null || this.process.signalCode !== null)
        throw new Error(`Ended before it printed ${text}: ${this.output}${this.complaints}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  get lines(): string[] {
    return this.output.trimEnd().split('\n');
  }

  get url(): string {
    return this.lines.at(-1)?.replace('ready ', '') ?? '';
  }

  /** Waits for the end; the exit code, null after a signal that was not handled. */
  end(): Promise<number | null> {
    return this.ended;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.process.kill(signal);
    return this.end();
  }
}
