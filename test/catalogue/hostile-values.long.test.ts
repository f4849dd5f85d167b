import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '#shared/api/openapi.ts';
import { operations } from '../../functions/catalogue.ts';
import { STRIDE } from '../support/long.ts';
import { asJson, bearer, raw } from '../support/raw.ts';
import { createRecords, type Records } from '../support/records.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/**
 * Hostile values in every query parameter and every field of every operation: never a 5xx. A run gives each of them a
 * third of the values, and each value to a third of them; CI a twelfth. Which of them follows from the seed.
 */

const TEXTS = [
  '',
  '0',
  '-1',
  '999999999999999',
  '1234567890123456',
  '9'.repeat(400),
  '1e9',
  'NaN',
  '0000-01-01',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '0001-01-01',
  '9999-12-31T23:59:59-12:00',
  '9999-12-31',
  '2026-02-30',
  '\u0000',
  '\ud800',
  '\u200b',
  '\u202e',
  '__proto__',
  'constructor',
  '{"__proto__":1}',
  'ǅ\u0130\u0345ß',
  '\u{1F469}\u200d'.repeat(100),
];
const VALUES: unknown[] = [
  ...TEXTS,
  null,
  true,
  -0,
  1e308,
  -1,
  2 ** 53,
  [],
  {},
  [null],
  [[]],
  { id: null },
  { ['__proto__']: [] },
];

const documented = Object.entries(openApiDocument(operations).paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: operation.operationId as string,
    method: method.toUpperCase(),
    template,
    query: ((operation.parameters ?? []) as { in: string; name: string }[])
      .filter((each) => each.in === 'query')
      .map((each) => each.name),
    example: operation.requestBody?.content['application/json']?.example as unknown,
  })),
);

const seed = Number(process.env.SEED ?? Date.now());
const hands = STRIDE > 1 ? 12 : 3;
const isDealt = (value: number, place: number) => (value + place + seed) % hands === 0;

/** The example with one of its values replaced, for every value in it. */
function* replaced(example: unknown, value: unknown): Generator<unknown> {
  yield value;
  if (typeof example !== 'object' || example === null) return;
  for (const [key, inner] of Object.entries(example))
    for (const next of replaced(inner, value))
      yield Array.isArray(example)
        ? example.with(Number(key), next)
        : { ...(example as Record<string, unknown>), [key]: next };
}

describe('hostile values', () => {
  let workspace: Workspace;
  let records: Records;
  let sent = 0;
  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true });
    records = await createRecords(workspace, workspace.ada);
  });
  afterAll(() => workspace?.stop());

  const pathOf = (template: string) =>
    template.replaceAll(/(\w+)\/\{(\w+)\}/g, (_, before, name) => {
      const type = name === 'id' ? before : `${name.slice(0, -'_id'.length)}s`.replace(/xs$/, 'xes');
      return `${before}/${records[type] ?? records.contacts}`;
    });

  async function ask(method: string, path: string, body?: unknown) {
    // Without rate limits.
    if (++sent % 300 === 0) workspace.setTime(new Date(Date.now() + (sent / 300) * 180_000));
    return raw(workspace.url, {
      method,
      path,
      headers: [bearer(workspace.ada.session_token), ...(body === undefined ? [] : [asJson])],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  const queried = documented.filter(({ query }) => query.length > 0);
  it.each(queried)(`$name: every query parameter (seed ${seed})`, async ({ method, template, query }) => {
    for (const [place, name] of query.entries())
      for (const [i, text] of TEXTS.entries()) {
        if (!isDealt(i, place)) continue;
        const search = `${name}=${encodeURIComponent(text.toWellFormed())}`;
        const { status } = await ask(method, `${pathOf(template)}?${search}`);
        expect(status, search).toBeLessThan(500);
      }
  });

  const written = documented.filter(({ example }) => example !== undefined);
  it.each(written)(`$name: every field of the body (seed ${seed})`, async ({ method, template, example }) => {
    for (const [i, value] of VALUES.entries())
      for (const [place, body] of [...replaced(example, value)].entries()) {
        if (body === undefined || !isDealt(i, place)) continue;
        const { status } = await ask(method, pathOf(template), body);
        expect(status, JSON.stringify(body).slice(0, 300)).toBeLessThan(500);
      }
  });
});
