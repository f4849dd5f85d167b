import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The summary and the exit status of a test run, seen from outside. */

const root = join(import.meta.dirname, '..', '..');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(name: string) {
  const names = ['run', '--config', 'test/support/runs/vitest.config.ts', `test/support/runs/${name}.ts`];
  const env = { PATH: process.env.PATH, NO_COLOR: '1', RETRIED: join(folder, name) };
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, ...names], {
    cwd: root,
    encoding: 'utf8',
    env,
  });
  return { status, said: stdout + stderr };
}

describe('a run', () => {
  it('names and counts the tests that passed only after a retry', async () => {
    const { status, said } = run('flaky');
    const name = 'test/support/runs/flaky.ts > passes at the third try (retries: 2)';
    expect(said).toContain(`Passed only after a retry: 1\n  ${name}\n`);
    expect(await readFile(join(folder, 'flaky'), 'utf8')).toBe(`${name}\n`);
    expect(status).toBe(0);
  });

  it('fails when an operation returns a response that it does not declare, although its tests pass', () => {
    const { status, said } = run('undeclared');
    expect(said).toContain('1 passed');
    expect(said).toContain('deleteNote answered 409 tag_name_taken, which it does not declare');
    expect(status).not.toBe(0);
  });
});
