import type { OperationNames, Verb } from './names.ts';
import { endpointOf } from './operation-texts.ts';

/** The test of a new operation by its verb, for a family with rules or without. */

const frame = (n: OperationNames, imports: string[], tests: string) => `${imports.join('\n')}
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('${endpointOf(n)}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

${tests}});
`;

const VITEST = "import { afterAll, beforeAll, describe, expect, it } from 'vitest';";
const UUID = "import { randomUUID } from 'node:crypto';";
const CODES = "import { codeOf } from '../../support/failures.ts';";

const given = (n: OperationNames) =>
  `(await workspace.ada.api.create${n.type}({ body: { ${n.one}: { name: 'First' } } })).body.${n.one}`;

const hidden = (n: OperationNames, body: string) => `
  it('404: another account’s, and an unknown one', async () => {
    const { id } = ${given(n)};
    const { ada, hank } = workspace;
    expect(await codeOf(hank.api.${n.name}({ params: { id }${body} }))).toBe('404 record_not_found');
    const unknown = randomUUID();
    expect(await codeOf(ada.api.${n.name}({ params: { id: unknown }${body} }))).toBe('404 record_not_found');
  });
`;

const written: Record<Exclude<Verb, 'do'>, (n: OperationNames) => string> = {
  create: (n) =>
    frame(
      n,
      [VITEST, CODES],
      `  it('201: what was sent, by the key’s user', async () => {
    const { ada } = workspace;
    const { status, body } = await ada.api.${n.name}({ body: { ${n.one}: { name: 'First' } } });
    expect(status).toBe(201);
    expect(body.${n.one}).toMatchObject({ name: 'First', user_id: ada.user.id, updated_at: null });
  });

  it('400: without a name', async () => {
    const sent = { body: { ${n.one}: {} as { name: string } } };
    expect(await codeOf(workspace.ada.api.${n.name}(sent))).toBe('400 invalid_request');
  });
`,
    ),
  list: (n) =>
    frame(
      n,
      [VITEST],
      `  it('200: by time and by words, page by page, and nobody else’s', async () => {
    const { ada, hank } = workspace;
    const ids: string[] = [];
    for (let i = 0; i < 51; i++)
      ids.push((await ada.api.create${n.type}({ body: { ${n.one}: { name: \`Number \${i}\` } } })).body.${n.one}.id);
    const sort = 'created_at' as const;
    const first = (await ada.reader.${n.name}({ query: { sort } })).body.collection;
    const next_cursor = first.page_info.next_cursor as string;
    const second = (await ada.reader.${n.name}({ query: { sort, next_cursor } })).body.collection;
    const listed = [...first.records, ...second.records].map(({ id }) => id);
    expect([first.records.length, listed]).toEqual([50, ids.toReversed()]);
    const found = (await ada.reader.${n.name}({ query: { query: '42 numb' } })).body.collection;
    expect(found.records.map(({ id }) => id)).toEqual([ids[42]]);
    expect((await hank.reader.${n.name}()).body.collection.records).toEqual([]);
  });
`,
    ),
  retrieve: (n) =>
    frame(
      n,
      [UUID, VITEST, CODES],
      `  it('200: as it was created', async () => {
    const ${n.variable} = ${given(n)};
    const { body } = await workspace.grace.reader.${n.name}({ params: { id: ${n.variable}.id } });
    expect(body.${n.one}).toEqual(${n.variable});
  });
${hidden(n, '')}`,
    ),
  update: (n) =>
    frame(
      n,
      [UUID, VITEST, CODES],
      `  it('200: what is sent changes, the rest stays', async () => {
    const ${n.variable} = ${given(n)};
    const sent = { params: { id: ${n.variable}.id }, body: { ${n.one}: { description: 'More' } } };
    const { body } = await workspace.ada.api.${n.name}(sent);
    expect(body.${n.one}).toEqual({ ...${n.variable}, description: 'More', updated_at: expect.any(String) });
    expect((await workspace.ada.api.${n.name}(sent)).body).toEqual(body);
  });

  it('400: a field of the service', async () => {
    const { id } = ${given(n)};
    const sent = { params: { id }, body: { ${n.one}: { created_at: 'now' } as object } };
    expect(await codeOf(workspace.ada.api.${n.name}(sent))).toBe('400 invalid_request');
  });
${hidden(n, `, body: { ${n.one}: { name: 'Mine' } }`)}`,
    ),
  delete: (n) =>
    frame(
      n,
      [UUID, VITEST, CODES],
      `  it('204: it is gone, for everybody', async () => {
    const { id } = ${given(n)};
    const { ada, grace } = workspace;
    expect((await ada.api.${n.name}({ params: { id } })).status).toBe(204);
    expect(await codeOf(grace.reader.retrieve${n.type}({ params: { id } }))).toBe('404 record_not_found');
  });
${hidden(n, '')}`,
    ),
};

function empty(n: OperationNames): string {
  const onOne = n.verb !== 'create' && n.verb !== 'list';
  const sent = onOne ? '{ params: { id: randomUUID() } }' : '';
  const status = { create: 201, delete: 204 }[n.verb as string] ?? 200;
  const body = status === 204 ? '' : `\n    expect(body).toEqual({ ok: 'ok' });`;
  return frame(
    n,
    onOne ? [UUID, VITEST] : [VITEST],
    `  it('${status}: responds', async () => {
    const { status${body ? ', body' : ''} } = await workspace.ada.api.${n.name}(${sent});
    expect(status).toBe(${status});${body}
  });
`,
  );
}

export function testText(names: OperationNames, domain: string | undefined): string {
  return names.verb === 'do' || domain === undefined ? empty(names) : written[names.verb](names);
}
