// Runs before `npm start`, `npm test` and the like, on any Node from 20 on: installs the locked dependencies
// when they are missing or older than the lock file, so that each of these works as the first command.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(`Node ${process.versions.node} is too old: install Node 20 or newer (https://nodejs.org).`);
  process.exit(1);
}

const installed = 'node_modules/.package-lock.json';
const fresh = existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs;
if (!fresh) {
  console.log('Installing dependencies (npm ci) ...');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
