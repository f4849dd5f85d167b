import { execFile } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { kebab, operationFile } from '#shared/api/catalogue.ts';
import { createClient } from '#shared/api/client.ts';
import { errorCodesOf } from '#shared/api/error-codes.ts';
import { openApiDocument } from '#shared/api/openapi.ts';
import { errorCatalogue } from '#shared/errors.ts';
import { families, operations } from '../../functions/catalogue.ts';
import { longIt } from '../support/long.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

describe('one operation = one file = one name', () => {
  it.each(operations)('$name', ({ family, name, definition, handler }) => {
    expect(definition.name).toBe(name);
    expect(handler).toBeTypeOf('function');
    const file = operationFile({ family, name });
    expect(existsSync(join(root, file)), file).toBe(true);
    const source = read(file);
    expect(source).toContain(`export const ${name} = route('${name}'`);
    // With ports, the formatter puts the arguments on lines of their own.
    expect(source.replaceAll(/\(\n\s+/g, '(')).toContain(`export const handler = handle(${name},`);
    expect(source.split('\n').length).toBeLessThanOrEqual(61);
  });

  it.each(operations)('$name has a test of its own', ({ family, name }) => {
    const folder = family.replaceAll('_', '-');
    const file = `test/operations/${folder}/${kebab(name)}.test.ts`;
    expect(existsSync(join(root, file)), `${file} is missing`).toBe(true);
    expect(read(file)).toContain(`.${name}(`);
  });

  it('names every operation once over all families', () => {
    const names = operations.map(({ name }) => name);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
    const client = createClient(families, { base_url: 'http://localhost' });
    expect(Object.keys(client).sort()).toEqual(names.toSorted());
  });

  it('has no other files in functions/', () => {
    const known = new Set(operations.map((operation) => operationFile(operation)));
    const found = globSync('functions/*/*.ts', { cwd: root })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => !/^functions\/(gateway|queues|sockets)\/|\/index\.ts$/.test(file));
    expect(found.filter((file) => !known.has(file))).toEqual([]);
  });

  it('keeps its families in the order of their names', () => {
    expect(Object.keys(families)).toEqual(Object.keys(families).toSorted());
    const folders = readdirSync(join(root, 'functions'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !['gateway', 'queues', 'sockets'].includes(entry.name))
      .map((entry) => entry.name.replaceAll('-', '_'));
    expect(folders.toSorted()).toEqual(Object.keys(families));
  });
});

describe('the documents', () => {
  const documented = Object.values(openApiDocument(operations).paths).flatMap(Object.values);

  it('have every operation under its name', () => {
    expect(new Set(documented.map((each) => each['x-operation']))).toEqual(
      new Set(operations.map(({ name }) => name)),
    );
    for (const each of documented) expect(each.operationId.startsWith(each['x-operation'])).toBe(true);
    const ids = documented.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  // `npm run check` looks as well.
  longIt('are up to date', async () => {
    const script = join(root, 'infra/scripts/write-openapi.ts');
    const checked = promisify(execFile)(process.execPath, [script, '--check']);
    await expect(checked).resolves.toMatchObject({ stdout: '' });
  });
});

describe('error codes', () => {
  const sources = globSync('{functions,shared,infra/local}/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('errors.ts'))
    .map((file) => ({ file, text: read(file) }));
  const codes = Object.keys(errorCatalogue) as (keyof typeof errorCatalogue)[];
  /** The codes that the gateway itself returns. */
  const ofTheGateway = ['not_found', 'method_not_allowed', 'headers_too_large'];

  /** Those that only commands return. */
  const ofCommands = ['email_address_in_use'];

  /** Of the contract, for what cannot fail here by itself (docs/specification/sign-in.md, "Signing up"). */
  const ofNothing = ['owner_assignment_failed'];

  it.each(codes.filter((code) => !ofNothing.includes(code)))('%s is thrown somewhere', (code) => {
    // These have a function of their own in shared/errors.ts.
    const thrown: Record<string, string> = {
      record_not_found: 'recordNotFound()',
      invalid_request: 'invalidField(',
      rate_limited: 'rateLimited(',
    };
    const patterns = [`ApiError('${code}'`, thrown[code]].filter((pattern) => pattern !== undefined);
    expect(sources.some(({ text }) => patterns.some((pattern) => text.includes(pattern)))).toBe(true);
  });

  it.each(codes.filter((code) => ![...ofTheGateway, ...ofCommands].includes(code)))(
    '%s is documented on an operation',
    (code) => {
      expect(operations.some(({ definition }) => errorCodesOf(definition).includes(code))).toBe(true);
    },
  );

  it.each(codes)('%s is explained', (code) => {
    const { status, message, fix } = errorCatalogue[code];
    expect(status).toBeGreaterThanOrEqual(400);
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(fix).toMatch(/^[A-Z].*\.$/);
    expect(read('docs/errors.md')).toContain(`## ${code}\n\nStatus ${status}.`);
  });
});
