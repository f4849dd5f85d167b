import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyKeptDemo } from '../../infra/local/demo/with-demo.ts';
import { root, Started, temporaryFolder } from './started.ts';

/** The tours of the README work as written, each pasted into one terminal. */

interface Tour {
  script: string;
  /** The lines that the README shows. */
  shown: string[];
}

async function readTour(name: string): Promise<Tour> {
  const text = await readFile(join(root, 'README.md'), 'utf8');
  const tour = new RegExp(`<!-- ${name} -->(.*?)<!-- /${name} -->`, 's').exec(text)?.[1] ?? '';
  const blocks = (kind: string) =>
    [...tour.matchAll(new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);
  return {
    script: blocks('bash').join('\n'),
    shown: blocks('text').flatMap((lines) => lines.trimEnd().split('\n')),
  };
}

describe.each([
  ['tour', [], 10],
  ['tour of an empty service', ['--no-demo'], 2],
] as const)('the %s in the README', (name, options, least) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let started: Started;
  beforeAll(async () => {
    folder = await temporaryFolder();
    if (!options.length) await copyKeptDemo(folder.path);
    started = await Started.ready(['--port', '0', '--data', folder.path, ...options]);
  }, 180_000);
  afterAll(async () => {
    await started?.stop();
    await folder.remove();
  });

  it('runs, and prints the shown output', async () => {
    const { script, shown } = await readTour(name);
    expect(shown.length).toBeGreaterThan(least);
    const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
    const bash = spawn('bash', ['-eu', '-o', 'pipefail', '-c', script], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH, BASE: started.url, DATA: folder.path, TMPDIR: folder.path },
    });
    let output = '';
    let complaints = '';
    bash.stdout.on('data', (chunk) => {
      output += chunk;
    });
    bash.stderr.on('data', (chunk) => {
      complaints += chunk;
    });
    const [code] = await once(bash, 'close');
    expect({ code, complaints }).toEqual({ code: 0, complaints: expect.not.stringMatching(/error/i) });
    const lines = output.split('\n');
    for (const line of shown) expect(lines).toContain(line);
  });
});
