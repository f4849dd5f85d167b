import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { longIt } from '../support/long.ts';
import { root, testFolder } from './started.ts';

/** What a newcomer sees of the installation, with an npm that does what the test says. */

const script = join(root, 'infra', 'scripts', 'install.mjs');
const start = join(root, 'infra', 'local', 'start.mjs');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** Pretends to be another Node: process.versions is read-only, but can be replaced. */
function asNode(version: string): string[] {
  const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}

async function project(npm: string): Promise<string> {
  const folder = await testFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(folder, 'package.json'), '{"optionalDependencies":{"node-here":"1.0.0"}}');
  writeFileSync(join(folder, 'package-lock.json'), '{}');
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${npm}\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  return folder;
}

const INSTALLING = 'Installing dependencies (npm ci) ...\n';

function install(folder: string, version = process.versions.node, command = [script]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...asNode(version), ...command], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` },
  });
  const announced = stderr.startsWith(INSTALLING);
  return { status, stdout, announced, stderr: announced ? stderr.slice(INSTALLING.length) : stderr };
}

describe('installing', () => {
  it('runs npm ci once, beside the output of the command, and leaves a fresh installation alone', async () => {
    const folder = await project(
      'echo "$@" >> calls; echo added 1 package; mkdir -p node_modules; touch node_modules/.package-lock.json',
    );
    expect(install(folder)).toEqual({
      status: 0,
      stdout: '',
      announced: true,
      stderr: 'added 1 package\n',
    });
    expect(install(folder)).toEqual({ status: 0, stdout: '', announced: false, stderr: '' });
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toMatch(/^ci .*\n$/);
  });

  longIt(
    'is part of npm start itself: npm runs no script before it where install scripts are off',
    async () => {
      const folder = await project('mkdir -p node_modules; touch node_modules/.package-lock.json');
      const { status, stdout, announced } = install(folder, undefined, [start, '--help']);
      expect([status, announced, stdout]).toEqual([
        0,
        true,
        expect.stringMatching(/^Runs the Workspace API/),
      ]);
      const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      expect([scripts.start, scripts.prestart]).toEqual(['node infra/local/start.mjs', undefined]);
    },
  );

  it('comes before every command that runs a script, so that each can be the first', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const commands = Object.entries<string>(scripts).filter(
      ([name, command]) => /^(?:node .*\.ts|vitest)\b/.test(command) && !name.startsWith('check:'),
    );
    for (const [name] of commands)
      expect([name, scripts[`pre${name}`]]).toEqual([name, 'node infra/scripts/install.mjs']);
    expect(commands.length).toBeGreaterThan(20);
  });

  it.each([
    'ENOTFOUND',
    'ECONNREFUSED',
    'E407',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  ])('without a way to the registry (%s) names the ways in one line', async (code) => {
    const folder = await project(`echo "npm error code ${code}\nnpm error more" >&2; exit 1`);
    const { status, stderr } = install(folder);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      new RegExp(
        `^npm cannot download the dependencies \\(${code}\\): .*HTTPS_PROXY=.*NODE_EXTRA_CA_CERTS=.*\n$`,
      ),
    );
  });

  it('shows what npm says of anything else', async () => {
    const folder = await project('echo "npm error code ENOSPC\nnpm error no space left" >&2; exit 1');
    expect(install(folder)).toMatchObject({
      status: 1,
      stderr:
        'npm error code ENOSPC\nnpm error no space left\nnpm could not install the dependencies: the lines above say why.\n',
    });
  });

  it('says so where there is no Node 24, and takes the one of the lock file or a newer own one', async () => {
    const folder = await project('mkdir -p node_modules; touch node_modules/.package-lock.json');
    const none = install(folder, '20.20.2');
    expect(none.status).toBe(1);
    expect(none.stderr).toMatch(
      /^npm has no Node 24 for \w+-\w+, or skips optional dependencies: install Node 24 or newer .*\n$/,
    );
    expect(install(folder, '26.0.0').status).toBe(0);
    const locked = join(folder, 'node_modules', 'node-here', 'bin', 'node');
    mkdirSync(dirname(locked), { recursive: true });
    symlinkSync(process.execPath, locked);
    expect(install(folder, '20.20.2').status).toBe(0);
  });

  it('says so where the Node of the lock file does not run', async () => {
    const folder = await project('mkdir -p node_modules; touch node_modules/.package-lock.json');
    const locked = join(folder, 'node_modules', 'node-here', 'bin', 'node');
    mkdirSync(dirname(locked), { recursive: true });
    writeFileSync(locked, '#!/no/such/loader\n', { mode: 0o755 });
    const { status, stderr } = install(folder, '20.20.2');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^npm's Node 24 does not run on this system .*: install Node 24 or newer .*\n$/);
    expect(install(folder, '24.1.0').status).toBe(0);
  });

  it('refuses a Node that is too old', async () => {
    expect(install(await project('exit 1'), '18.0.0')).toEqual({
      status: 1,
      stdout: '',
      announced: false,
      stderr: 'Node 18.0.0 is too old: install Node 20 or newer (https://nodejs.org).\n',
    });
  });
});

describe('the lock file', () => {
  it('has a Node 24 for Linux, Windows and Mac, with checksums', () => {
    const nodes = Object.entries<Record<string, unknown>>(lock.packages).filter(
      ([, { bin, optional }]) => optional && bin && 'node' in (bin as object),
    );
    expect(nodes.map(([, { os, cpu }]) => `${os}-${cpu}`).toSorted()).toEqual([
      'darwin-arm64',
      'darwin-x64',
      'linux-arm64',
      'linux-x64',
      'win32-x64',
    ]);
    for (const [, each] of nodes) {
      expect(each.version).toMatch(/^24\./);
      expect(each.integrity).toMatch(/^sha512-/);
    }
  });

  it('needs no install script', () => {
    const scripts = Object.entries<Record<string, unknown>>(lock.packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path);
    const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const refused = scripts.map((path) => path.replace(/.*node_modules\//, ''));
    for (const name of new Set(refused))
      expect({ name, allowed: allowScripts[name] ?? false }).toEqual({ name, allowed: false });
    expect(Object.values(allowScripts)).not.toContain(true);
  });
});
