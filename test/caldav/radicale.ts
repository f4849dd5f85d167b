import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../infra/local/place.ts';

/** Radicale from PyPI, in an environment of its own. */

const VERSION = '3.9.0';

const run = promisify(execFile);

async function install(folder: string): Promise<string> {
  await run('python3', ['-m', 'venv', folder]);
  await run(join(folder, 'bin', 'pip'), ['install', '--quiet', `radicale==${VERSION}`]);
  return join(folder, 'bin', 'python');
}

export const PASSWORD = 'a password for radicale';

export interface Radicale {
  url: string;
  host: string;
  /** As another program of the user. */
  ask(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
}

async function untilUp(url: string): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer) return;
    await setTimeout(100);
  }
  throw new Error('Radicale does not start');
}

export async function startRadicale(): Promise<Radicale> {
  const folder = await mkdtemp(join(tmpdir(), 'radicale-'));
  const python = await install(join(folder, 'environment'));
  const users = join(folder, 'users');
  await writeFile(users, `ada:${PASSWORD}\n`);
  const host = `127.0.0.1:${await freePort('127.0.0.1')}`;
  const options = [
    ...['--hosts', host, '--auth-type', 'htpasswd', '--auth-htpasswd-filename', users],
    ...['--auth-htpasswd-encryption', 'plain', '--auth-delay', '0'],
    ...['--storage-filesystem-folder', join(folder, 'calendars'), '--logging-level', 'error'],
  ];
  const server = spawn(python, ['-m', 'radicale', ...options], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const url = `http://${host}/`;
  await untilUp(url);
  return {
    url,
    host,
    ask(method, path, body, headers = {}) {
      const Authorization = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`;
      return fetch(new URL(path, url), {
        method,
        headers: { Authorization, ...headers },
        ...(body === undefined ? {} : { body }),
      });
    },
    async stop() {
      server.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
