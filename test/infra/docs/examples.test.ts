import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { LIMITED } from '#shared/api/auth.ts';
import { errorCodesOf } from '#shared/api/error-codes.ts';
import { readQuery } from '#shared/api/parse.ts';
import { pathTemplates } from '#shared/api/route.ts';
import { KEY_LIMIT } from '#shared/domain/platform/rates/rate.ts';
import type { ErrorCode } from '#shared/errors.ts';
import { Fields, parseShape } from '#shared/fields.ts';
import { isKnown } from '#shared/keyed.ts';
import { operations } from '../../../functions/catalogue.ts';
import { errorExamples } from '../../../infra/docs/error-examples.ts';
import { exampleResponse } from '../../../infra/docs/error-page.ts';
import { asJson, bearer, raw } from '../../support/raw.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

/** The operation that a request such as `GET /threads/$ID?cap=1` reaches. */
function operationOf(method: string, target: string) {
  const path = target.split('?')[0] as string;
  const matches = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  const found = operations.filter(
    ({ definition }) =>
      definition.method === method &&
      pathTemplates(definition.path).some(({ template }) => matches(template)),
  );
  // Paths without parameters win, as in the gateway.
  const isWhole = ({ definition }: (typeof found)[number]) =>
    pathTemplates(definition.path).some(({ template }) => template === path);
  return (found.find(isWhole) ?? found[0])?.definition;
}

function problemOf(body: z.ZodRawShape | undefined, sent: string | undefined): unknown {
  return sent === undefined ? undefined : z.object(body ?? {}).safeParse(JSON.parse(sent)).error;
}

function problemsIn(shape: z.ZodRawShape = {}, sent: URLSearchParams) {
  const fields = new Fields();
  const isOne = isKnown(shape);
  for (const name of sent.keys()) if (!isOne(name)) fields.add(name, 'not_allowed', 'is unknown');
  const given = Object.fromEntries([...sent.keys()].map((name) => [name, sent.getAll(name)]));
  parseShape(z.object(shape), readQuery(shape as never, given, fields), fields);
  return fields.found;
}

describe('requests in guides', () => {
  const requests = globSync('docs/guides/*.md').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^curl .*$/gm)].map(([line]) => ({ file, line })),
  );

  it.each(requests)('$file: $line', ({ line }) => {
    const [, named = ''] = /http:\/\/127\.0\.0\.1:3000([^" ]+)/.exec(line) ?? [];
    const target = named.replace('=$ID', `=${randomUUID()}`);
    const [, body] = /-d '(.*)'$/.exec(line) ?? [];
    const [, method = body ? 'POST' : 'GET'] = /-X (\w+)/.exec(line) ?? [];
    const definition = operationOf(method, target);
    expect(definition).toBeDefined();
    expect(problemOf(definition?.body, body)).toBeUndefined();
    expect(problemsIn(definition?.query, new URL(target, 'http://a').searchParams)).toEqual({});
    expect(line).toContain('Authorization: Bearer $KEY');
    expect(line.includes('-d ')).toBe(line.includes('Content-Type: application/json'));
  });

  it('are there', () => expect(requests.length).toBeGreaterThan(10));
});

// The last one is of a command.
const noOperation: ErrorCode[] = ['not_found', 'method_not_allowed', 'email_address_in_use'];

describe('examples of errors', () => {
  it.each(Object.entries(errorExamples))('%s', (code, { request, body }) => {
    const [method = '', target = ''] = request.split(' ');
    const definition = operationOf(method, target);
    if (noOperation.includes(code as ErrorCode)) {
      expect(definition).toBeUndefined();
      return;
    }
    expect(definition).toBeDefined();
    if (code !== 'headers_too_large') expect(errorCodesOf(definition as never)).toContain(code);
    const problem = problemOf(definition?.body, body);
    if (code === 'invalid_request') expect(problem).toBeDefined();
    else expect(problem).toBeUndefined();
  });
});

describe('what the page of errors shows', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const shown = (code: string) => exampleResponse(code as ErrorCode).error;
  const answer = async (code: string, token?: string) => {
    const { request, body } = errorExamples[code as ErrorCode];
    const [method = '', path = ''] = request.split(' ');
    const headers = [...(token ? [bearer(token)] : []), ...(body ? [asJson] : [])];
    return (await raw(workspace.url, { method, path, headers, ...(body ? { body } : {}) })).json.error;
  };
  /** Those that the request alone shows. */
  const plain = Object.entries(errorExamples)
    .filter(([code, { when }]) => when === undefined && !noOperation.includes(code as ErrorCode))
    .map(([code]) => code);

  it.each(plain)('is the response: %s', async (code) => {
    const { write_key, session_token } = workspace.ada;
    const first = await answer(code, write_key);
    const error = first?.code === 'api_key_insufficient' ? await answer(code, session_token) : first;
    const { message, fields } = { fields: undefined, ...shown(code) };
    expect(error).toMatchObject({ code, message });
    expect(error?.fields).toEqual(fields);
  });

  it('is the response to a request without a key', async () => {
    expect((await answer('unauthorized'))?.message).toBe(shown('unauthorized').message);
  });

  it('names the limit', () => {
    expect(shown('rate_limited').message).toBe(LIMITED.credential(`${KEY_LIMIT}`));
  });
});
