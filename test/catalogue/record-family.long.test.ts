import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What a family gets that registers a record type, in a copy of the project. */

const root = join(import.meta.dirname, '..', '..');

/** A type with comments and tags that no family has registered: the copy knows it. */
const unknown = 'boats';

describe('a family that registers', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'record-family-'));
    for (const part of ['functions', 'shared', 'package.json'])
      cpSync(join(root, part), join(folder, part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const types = join(folder, 'shared/domain/collaboration/records/types.ts');
    writeFileSync(
      types,
      readFileSync(types, 'utf8').replaceAll("  'contacts',\n", `  'contacts',\n  '${unknown}',\n`),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Adds entries to what a file of `shared/composition` registers, as the line of a family would. */
  function register(facet: string, before: string, line: string) {
    const file = join(folder, 'shared/composition', `${facet}.ts`);
    const source = readFileSync(file, 'utf8');
    expect(source).toContain(before);
    writeFileSync(file, source.replace(before, `${line}, ${before}`));
  }

  /** The documented paths below a record type, read in a process of its own. */
  function pathsOf(type: string): string[] {
    const file = (name: string) => JSON.stringify(join(folder, name));
    const code = `const { operations } = await import(${file('functions/catalogue.ts')});
      const { endpointsOf } = await import(${file('shared/api/catalogue.ts')});
      const own = endpointsOf(operations).filter(({ record_type }) => record_type === '${type}');
      console.log(JSON.stringify(own.map(({ method, template }) => method + ' ' + template).sort()));`;
    const ran = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' });
    expect(ran.stderr).toBe('');
    return JSON.parse(ran.stdout);
  }

  it('has all paths of its type, without a change of their definitions', () => {
    const one = `/${unknown}/{boat_id}`;
    expect(pathsOf(unknown)).toEqual([]);
    register('record-kinds', 'threads: threadKind', `${unknown}: namedKind('${unknown}')`);
    expect(pathsOf(unknown)).toEqual([
      `DELETE ${one}/taggings/{tag_id}`,
      `GET /${unknown}/deleted`,
      `GET ${one}/comments`,
      `GET ${one}/history`,
      `HEAD /${unknown}/deleted`,
      `HEAD ${one}/comments`,
      `HEAD ${one}/history`,
      `POST ${one}/comments`,
      `POST ${one}/taggings`,
    ]);
    register('sharing', 'threads: threadSharing', `${unknown}: threadSharing`);
    expect(pathsOf(unknown).filter((path) => path.includes('shares'))).toEqual([
      `DELETE ${one}/shares/{id}`,
      `GET ${one}/shares`,
      `HEAD ${one}/shares`,
      `PATCH ${one}/shares/{id}`,
      `POST ${one}/shares`,
    ]);
  });

  it('has no comments on a type without comments in the specification', () => {
    const before = pathsOf('mailboxes');
    register('record-kinds', 'threads: threadKind', `mailboxes: namedKind('mailboxes')`);
    expect(before.filter((path) => !path.includes('shares'))).toEqual([]);
    expect(pathsOf('mailboxes')).toEqual(before);
  });
});
