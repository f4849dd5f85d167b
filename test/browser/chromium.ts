import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Debian and most others call it chromium; CHROMIUM names another one. */
const CHROMIUM = process.env.CHROMIUM ?? 'chromium';

/** Its file, for libraries that do not search the PATH. */
export function chromiumFile(): string {
  const folders = CHROMIUM.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter);
  const file = folders.map((folder) => join(folder, CHROMIUM)).find((each) => existsSync(each));
  if (!file) throw new Error(`${CHROMIUM} is not in the PATH; CHROMIUM may name another browser`);
  return file;
}

export const FLAGS = [
  // The only way for root in a container; the pages are ours.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** Milliseconds for one page with all its frames. */
const LIMIT = 90_000;

/** Opens a page of this machine in a headless Chromium that reaches nothing else; returns its document once loaded. */
export async function openPage(url: string): Promise<string> {
  const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
  try {
    return await dumpDocument(url, profile);
  } finally {
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

function dumpDocument(url: string, profile: string): Promise<string> {
  const browser = spawn(CHROMIUM, [
    '--headless=new',
    ...FLAGS,
    `--user-data-dir=${profile}`,
    '--virtual-time-budget=20000',
    '--dump-dom',
    url,
  ]);
  const timer = setTimeout(() => browser.kill('SIGKILL'), LIMIT);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    browser.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    browser.on('error', (error) =>
      reject(
        new Error(`${CHROMIUM} cannot be started (${error.message}); CHROMIUM may name another browser`),
      ),
    );
    browser.on('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
      else reject(new Error(`${CHROMIUM} ended with ${code ?? 'a signal'}`));
    });
  });
}
