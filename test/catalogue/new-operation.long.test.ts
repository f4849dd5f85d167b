import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

describe('npm run new', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'new-operation-'));
    for (const part of [
      'functions',
      'shared',
      'infra/scripts',
      'infra/docs',
      'docs',
      'package.json',
      'biome.json',
      '.gitignore',
    ])
      cpSync(join(root, part), join(folder, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (...args: string[]) => {
    const script = join(folder, 'infra/scripts/new-operation.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  /** The catalogue's entry, read in a process of its own. */
  const entryOf = (name: string) => {
    const code = `const { operations } = await import(${JSON.stringify(join(folder, 'functions/catalogue.ts'))});
      const { family, name, definition } = operations.find((each) => each.name === '${name}');
      console.log(JSON.stringify({ family, name, path: definition.path, summary: definition.summary }));`;
    const ran = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
    return JSON.parse(ran.stdout);
  };

  it('adds an operation to a family, with its test and its documentation', () => {
    expect(run('api-keys', 'rotateApiKey')).toMatchObject({ status: 0, stderr: '' });
    expect(entryOf('rotateApiKey')).toEqual({
      family: 'api_keys',
      name: 'rotateApiKey',
      path: '/api_keys/{id}/rotate',
      summary: 'Rotate api key',
    });
    expect(read('test/operations/api-keys/rotate-api-key.test.ts')).toContain('.rotateApiKey(');
    expect(read('docs/openapi.json')).toContain('"operationId": "rotateApiKey"');
    const lines = read('functions/api-keys/index.ts').trim().split('\n');
    expect(lines).toEqual(lines.toSorted());
    expect(lines).toHaveLength(
      readFileSync(join(root, 'functions/api-keys/index.ts'), 'utf8').trim().split('\n').length + 1,
    );
  });

  it('creates a family', () => {
    const described = read('shared/api/families.ts').replace(
      /\};\s*$/,
      "  webhooks: 'News for other services.',\n};\n",
    );
    writeFileSync(join(folder, 'shared/api/families.ts'), described);
    expect(run('webhooks', 'create-webhook').status).toBe(0);
    expect(entryOf('createWebhook')).toMatchObject({ family: 'webhooks' });
    expect(read('functions/webhooks/index.ts')).toBe(
      "export * as createWebhook from './create-webhook.ts';\n",
    );
  });

  it.each([
    ['an operation that exists', ['contacts', 'createContact'], /exists already/],
    ['a family that nobody knows', ['contact', 'mergeContacts'], /no family "contact"/],
    ['a name that climbs', ['../tags', 'mergeTags'], /no family/],
    ['one word', ['tags', 'merge'], /no name for an operation/],
    ['a name with a path in it', ['tags', '../mergeTags'], /no name for an operation/],
    ['upper case', ['tags', 'MergeTags'], /no name for an operation/],
    ['too few words', ['tags'], /npm run new <family>/],
    ['too many words', ['tags', 'mergeTags', 'now'], /npm run new <family>/],
    ['an unknown option', ['tags', 'mergeTags', '--force'], /force/],
  ])('refuses %s', (_, args, message) => {
    const before = read('functions/catalogue.ts');
    const { status, stderr } = run(...args);
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('    at ');
    expect(read('functions/catalogue.ts')).toBe(before);
  });

  it('prints its usage', () => {
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('npm run new') });
  });
});
