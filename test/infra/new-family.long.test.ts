import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STRIDE } from '../support/long.ts';

const root = join(import.meta.dirname, '..', '..');
/** The checks of a new family besides its own tests. */
const sweeps = ['sweeps', 'names', 'record-types', 'contract'].map(
  (name) => `test/catalogue/${name}.test.ts`,
);
/** CI runs those of all other families beside. */
const chosen = STRIDE > 1 ? ['--testNamePattern', '[Pp]roduct'] : [];
/** Without generated files. */
const LEFT_OUT = new Set(['node_modules', '.git', 'cdk.out', '.workspace']);

/** A family made with `npm run new-family` in a copy of the project, and checked as in CI. */
describe('a new family of records', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'new-family-'));
    for (const each of readdirSync(root).filter((name) => !LEFT_OUT.has(name)))
      cpSync(join(root, each), join(folder, each), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const described = join(folder, 'shared/api/families.ts');
    const text = readFileSync(described, 'utf8').replace(
      '  proposals:',
      "  products: 'Things to sell.',\n  proposals:",
    );
    writeFileSync(described, text);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return { status, said: `${stdout}${stderr}` };
  };
  const tool = (name: string, ...args: string[]) => run(join(root, 'node_modules', name), ...args);
  const newFamily = (...args: string[]) => run('infra/scripts/new-family.ts', ...args);

  function textsBelow(path: string): Map<string, string> {
    const files = readdirSync(path, { recursive: true, withFileTypes: true, encoding: 'utf8' });
    const texts = files
      .filter((each) => each.isFile() && !each.parentPath.includes('node_modules'))
      .map((each) => join(each.parentPath, each.name));
    return new Map(texts.map((file) => [file.slice(path.length + 1), readFileSync(file, 'utf8')]));
  }

  it.each([
    ['no context', ['products'], /<context>\/<family>/],
    ['a singular', ['crm/product'], /plural of a noun/],
    ['one that is there', ['crm/contacts'], /exists already/],
    ['one that nobody knows', ['crm/boats'], /families\.ts first/],
    ['a context with a path in it', ['../crm/products'], /<context>\/<family>/],
  ])('refuses %s, and writes nothing', (_, args, message) => {
    const before = textsBelow(folder);
    const { status, said } = newFamily(...args);
    expect([status, said]).toEqual([1, expect.stringMatching(message)]);
    expect(textsBelow(folder)).toEqual(before);
  });

  it('works, and passes every check, with six other files and the OpenAPI document changed', {
    timeout: 400_000,
  }, () => {
    const before = textsBelow(folder);
    expect(newFamily('crm/products')).toMatchObject({ status: 0 });
    const after = textsBelow(folder);
    const changed = [...before].filter(([file, text]) => after.get(file) !== text).map(([file]) => file);
    expect(changed.sort()).toEqual([
      'docs/openapi.json',
      'functions/catalogue.ts',
      'shared/composition/record-kinds.ts',
      'shared/composition/record-lists.ts',
      'shared/table/keys.ts',
      'test/catalogue/names.test.ts',
      'test/support/records.ts',
    ]);
    for (const check of [
      () => tool('typescript/bin/tsc', '--noEmit'),
      () => tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', 'functions', 'shared', 'test'),
      () => run('infra/scripts/check-imports.ts'),
      () => run('infra/scripts/write-openapi.ts', '--check'),
      () => tool('vitest/vitest.mjs', 'run', 'test/operations/products', ...sweeps, ...chosen),
    ])
      expect(check()).toMatchObject({ status: 0 });
  });
});
