// Runs before `npm start`, `npm test` and the like, on any Node from 20 on: installs the locked dependencies
// when they are missing or older than the lock file, so that each of these works as the first command, and makes
// sure that there is a Node 24 (docs/decisions/0031-node-from-npm.md).
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

const NEEDED = 24;
const windows = process.platform === 'win32';

/** @type {(text: string) => never} */
function fail(text) {
  console.error(text);
  process.exit(1);
}

const major = Number(process.versions.node.split('.')[0]);
if (major < 20)
  fail(`Node ${process.versions.node} is too old: install Node 20 or newer (https://nodejs.org).`);

/** What npm names when the registry cannot be reached, does not let in, or shows a certificate of its own. */
const NETWORK =
  /^npm (?:error|ERR!) code (ENOTFOUND|EAI_AGAIN|ECONN\w+|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET\w*|ERR_PROXY\w*|EPROTO|FETCH_ERROR|E40[137]|\w*CERT\w*|UNABLE_TO_\w+)$/m;

/** @type {(complaint: string) => string} */
function explain(complaint) {
  const code = NETWORK.exec(complaint)?.[1];
  if (!code)
    return `${complaint.trimEnd()}\nnpm could not install the dependencies: the lines above say why.`;
  return (
    `npm cannot download the dependencies (${code}): connect to the network, or behind a company proxy set HTTPS_PROXY=http://<host>:<port>, ` +
    'NODE_EXTRA_CA_CERTS=<file> for its certificates, or a mirror with npm config set registry <url>; then try again.'
  );
}

const installed = 'node_modules/.package-lock.json';
const fresh = existsSync(installed) && statSync(installed).mtimeMs >= statSync('package-lock.json').mtimeMs;
if (!fresh) {
  console.error('Installing dependencies (npm ci) ...');
  // Of npm's own waiting times, a minute would pass before a missing network is reported.
  const patience = ['--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
  const { status, stderr, error } = spawnSync(
    'npm',
    ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...patience],
    // stdout is the command's own: scripts take secrets and ids from it.
    { stdio: ['ignore', process.stderr.fd, 'pipe'], encoding: 'utf8', shell: windows },
  );
  if (status !== 0) fail(explain(stderr || String(error)));
}

/** The Node of the lock file, which npm installed for this platform when there is one. */
function lockedNode() {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  return Object.keys(optionalDependencies)
    .map((name) => join('node_modules', name, 'bin', windows ? 'node.exe' : 'node'))
    .find((file) => existsSync(file));
}

/** @type {(file: string) => boolean} */
function runs(file) {
  return realpathSync(file) === realpathSync(process.execPath) || spawnSync(file, ['--version']).status === 0;
}

function findNode() {
  const locked = lockedNode();
  if (locked && runs(locked)) return locked;
  if (major >= NEEDED) return process.execPath;
  const reason = locked
    ? `npm's Node ${NEEDED} does not run on this system (${process.platform}-${process.arch}; on Alpine it needs glibc)`
    : `npm has no Node ${NEEDED} for ${process.platform}-${process.arch}, or skips optional dependencies`;
  return fail(`${reason}: install Node ${NEEDED} or newer (https://nodejs.org), and try again.`);
}

/** The Node that everything runs on. */
export const node = findNode();
