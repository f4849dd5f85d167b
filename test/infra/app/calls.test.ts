import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { endpointsOf } from '#shared/api/catalogue.ts';
import { operations } from '../../../functions/catalogue.ts';

/** The calls of the page at /app are operations of the catalogue: it compiles with the name, not with the path. */

const folder = join(import.meta.dirname, '..', '..', '..', 'infra', 'app', 'browser');
const CALL = /call<'(\w+)'>\(\s*'(\w+)',\s*(?:'([^']+)'|`([^`]+)`)/g;

interface Call {
  name: string;
  method: string;
  path: string;
}

const calls: Call[] = globSync('*.ts', { cwd: folder }).flatMap((file) =>
  [...readFileSync(join(folder, file), 'utf8').matchAll(CALL)].map(
    ([, name = '', method = '', literal, template]) => ({ name, method, path: literal ?? template ?? '' }),
  ),
);

/** A variable stands for one part of a path, `path` for that of a record, such as `/threads/<id>`. */
const pattern = (path: string) =>
  new RegExp(
    `^${path.replaceAll(/\$\{([\w.]+)\}/g, (_, name) => (name === 'path' ? '/\\w+/\\{\\w+\\}' : '[\\w{}]+'))}$`,
  );

describe('the calls of the page', () => {
  it('are found in its modules', () => {
    expect(calls.length).toBeGreaterThan(40);
  });

  it.each(calls)('$name: $method $path', ({ name, method, path }) => {
    const endpoints = endpointsOf(operations).filter((each) => each.operation.name === name);
    const fitting = endpoints.filter((each) => each.method === method && pattern(path).test(each.template));
    expect(fitting, endpoints.map((each) => `${each.method} ${each.template}`).join(', ')).not.toEqual([]);
  });
});
