import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { root, Started, testFolder } from './started.ts';

/** `npm start -- --watch` on a copy of the code, which a contributor changes. */

const FILE = 'shared/errors.ts';
const PATIENCE = { timeout: 60_000, interval: 100 };

async function copy(): Promise<string> {
  const folder = await testFolder();
  for (const part of ['functions', 'shared', 'infra', 'docs', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

it('runs the changed code, and names the place of a mistake', async () => {
  const folder = await copy();
  const up = join(folder, 'infra/local/up.ts');
  const options = ['--watch', '--port', '0', '--no-demo', '--data', join(folder, 'data')];
  const started = new Started(options, {}, [process.execPath, up]);
  onTestFinished(async () => void (await started.stop()));
  await started.until(/^ready /m);
  const starts = () => started.output.match(/^ready .*/gm) ?? [];

  const code = readFileSync(join(folder, FILE), 'utf8');
  const message = 'There is no operation at this path.';
  expect(code).toContain(message);
  writeFileSync(join(folder, FILE), code.replace(message, 'Here is nothing.'));
  await vi.waitFor(() => expect(starts()).toHaveLength(2), PATIENCE);
  const response = await fetch(`${starts()[1]?.replace('ready ', '')}/nowhere`);
  expect(await response.text()).toContain('Here is nothing.');

  writeFileSync(join(folder, FILE), `${code}\na mistake\n`);
  const line = code.split('\n').length + 1;
  await vi.waitFor(() => expect(started.complaints).toContain(`${FILE}:${line}\n`), PATIENCE);
}, 200_000);
