import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Families of the domain have the same roles by the same file names (docs/architecture.md, "A family"). */

const root = join(import.meta.dirname, '..', '..');

const sources = globSync('{functions,shared}/**/*.ts', { cwd: root }).map((path) => {
  const file = path.replaceAll('\\', '/');
  return { file, text: readFileSync(join(root, file), 'utf8') };
});
const domain = sources.filter(({ file }) => file.startsWith('shared/domain/'));

/** The checked files that contain the text. */
function filesWith(some: typeof sources, pattern: RegExp): string[] {
  const found = some.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
  expect(found, `${pattern} is nowhere`).not.toEqual([]);
  return found;
}

describe('a family of the domain', () => {
  it.each(['create', 'update', 'delete'])('has a file for the verb %s', (verb) => {
    const exported = filesWith(domain, new RegExp(`^export (async )?function ${verb}[A-Z]`, 'm'));
    expect(exported.filter((file) => basename(file) !== `${verb}.ts`)).toEqual([]);
  });

  it('has a policy when it changes or deletes records', () => {
    const folders = domain
      .map(({ file }) => file)
      .filter((file) => ['update.ts', 'delete.ts'].includes(basename(file)))
      .map((file) => file.split('/').slice(0, 4).join('/'));
    const policies = new Set(domain.map(({ file }) => file).filter((file) => basename(file) === 'policy.ts'));
    expect(folders.length).toBeGreaterThan(0);
    expect(folders.filter((folder) => !policies.has(`${folder}/policy.ts`))).toEqual([]);
  });

  it('denies in its policy alone', () => {
    const denying = filesWith(sources, /new ApiError\('(permission_denied|forbidden)'/);
    expect(denying.filter((file) => basename(file) !== 'policy.ts')).toEqual([]);
  });

  it('does not decide visibility in its store', () => {
    const hiding = filesWith(domain, /\brecordNotFound\b/);
    expect(hiding.filter((file) => basename(file) === 'store.ts')).toEqual([]);
  });

  it('makes no decision about its records in entry points', () => {
    const entries = sources.filter(
      ({ file, text }) => file.startsWith('functions/') && text.includes("from '#shared/domain/"),
    );
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter(({ text }) => /\brecordNotFound\b/.test(text)).map(({ file }) => file)).toEqual([]);
  });
});
