import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { docsUrl, errorUrl } from '#shared/api/docs-url.ts';
import { ignoredHeader, unknownKeys } from '#shared/api/ignored.ts';
import { longIt } from '../support/long.ts';
import { type Probes, startProbes } from '../support/probes.ts';
import { asJson, bearer, fieldCodes, raw } from '../support/raw.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

describe('errors explain themselves', () => {
  const id = '0198c0de-0000-7000-8000-00000000abcd';
  let workspace: Workspace;
  let probes: Probes;
  beforeAll(async () => {
    workspace = await startWorkspace();
    probes = await startProbes(workspace.ctx);
  });
  afterAll(async () => {
    await probes.stop();
    await workspace.stop();
  });
  const send = (body: string, query = '', ...headers: [string, string][]) =>
    raw(probes.url, {
      method: 'POST',
      path: `/probes/${id}/parts/${id}${query}`,
      headers: [bearer(workspace.ada.write_key), asJson, ...headers],
      body,
    });
  const strict: [string, string] = ['Prefer', 'handling=strict'];

  it.each([
    ['{"probe":}', "line 1, column 10: object value expected after ':'"],
    ['{"probe": {\n  "name": "a",\n}}', "line 3, column 1: quoted object key expected but got '}'"],
    ["{'probe': 1}", 'line 1, column 2: quoted object key'],
    ['{"probe": {"name": "a"}} x', 'line 1, column 26: expected end of input'],
    ['probe', "line 1, column 1: JSON value expected but got 'p'"],
    ['{"probe": "a', 'line 1, column 13: end of string'],
  ])('malformed JSON: %j', async (body, where) => {
    const { status, json } = await send(body);
    expect([status, json.error?.code, json.error?.fields]).toEqual([400, 'invalid_request', undefined]);
    expect(json.error?.message).toContain(`The body is not valid JSON in ${where}`);
  });

  it('malformed JSON that is nested too deeply for an explanation', async () => {
    const { status, json } = await send('['.repeat(1_000_000));
    expect([status, json.error?.message]).toEqual([400, 'The body is not valid JSON.']);
  });

  it.each(['[]', '1', 'null', '"x"'])('JSON that is no object: %s', async (body) => {
    const { status, json } = await send(body);
    expect([status, json.error?.message]).toEqual([400, 'The body is JSON, but not an object.']);
  });

  it('a missing wrapper is shown, around what was sent', async () => {
    const bare = await send('{"note": "b", "name": "a"}');
    expect(bare.json.error?.fields?.probe).toEqual({
      code: 'required',
      message: 'is required: send the fields in it, as {"probe": {"name": ..., "note": ...}}',
    });
    const empty = await send('{}');
    expect(empty.json.error?.fields?.probe?.message).toContain(
      '{"probe": {"name": ..., "note": ..., "parent": ...}}',
    );
  });

  it('unknown parameters and keys are ignored, and named with the nearest known name', async () => {
    const body = {
      probe: {
        name: 'a',
        nmae: 'b',
        parent: { child: id, chidl: 1 },
        entries: [{ id }, { id, Id_: 2 }],
        extra: { any: 1 },
      },
      id,
      probes: 1,
    };
    const { status, headers, json } = await send(JSON.stringify(body), '?lound=true&loud=true&zzz=1');
    expect(status).toBe(200);
    expect(headers['ignored-fields']).toBe(
      '"lound";nearest="loud", "zzz", "nmae";nearest="name", "parent.chidl";nearest="child", ' +
        '"entries.1.Id_";nearest="id", "probes";nearest="probe"',
    );
    expect(headers).not.toHaveProperty('preference-applied');
    expect(json.seen).toMatchObject({
      query: { loud: true },
      body: { probe: { name: 'a', extra: { any: 1 } } },
    });
    const known = await send('{"probe": {"name": "a"}}', '?loud=true');
    expect(known.headers).not.toHaveProperty('ignored-fields');
  });

  it('names them beside what is wrong as well', async () => {
    const { status, headers } = await send('{"probe": {"nmae": "a"}}');
    expect([status, headers['ignored-fields']]).toEqual([400, '"nmae";nearest="name"']);
  });

  it.each(['handling=strict', 'respond-async, handling="strict"', 'Handling = STRICT; x=1'])(
    'they are refused for a client that prefers it: %s',
    async (prefer) => {
      const sent = await send('{"probe": {"name": "a", "nmae": "b"}}', '?lound=true', ['Prefer', prefer]);
      expect(sent.status).toBe(400);
      expect(fieldCodes(sent)).toEqual({ lound: 'not_allowed', nmae: 'not_allowed' });
      expect(sent.json.error?.fields?.nmae?.message).toBe('is unknown: did you mean name?');
      expect(sent.headers['preference-applied']).toBe('handling=strict');
      const fine = await send('{"probe": {"name": "a"}}', '', ['Prefer', prefer]);
      expect([fine.status, fine.headers['preference-applied']]).toEqual([200, 'handling=strict']);
    },
  );

  it.each(['handling=lenient', 'handling=stricter', 'xhandling=strict'])(
    '%s is not strict',
    async (prefer) => {
      expect((await send('{"probe": {"name": "a", "nmae": "b"}}', '', ['Prefer', prefer])).status).toBe(200);
    },
  );

  longIt('hostile names reach no header, and many or deep ones cost nothing', async () => {
    const names = [
      'a"b\\c',
      'x\r\nSet-Cookie: a=b',
      '名前',
      '\ud800',
      '__proto__',
      'constructor',
      'n'.repeat(9_000),
    ];
    const keys = Object.fromEntries(names.map((name) => [name, 1]));
    const body = JSON.stringify({ probe: { name: 'a' }, ...keys });
    const { status, headers } = await send(body);
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('set-cookie');
    expect(headers['ignored-fields']).toMatch(/^[\x20-\x7e]{1,4000}$/);
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`name${i}`, i]));
    const refused = await send(JSON.stringify({ probe: { name: 'a', ...many } }), '', strict);
    expect(Object.keys(fieldCodes(refused))).toHaveLength(20);
    const deep = `{"probe": {"name": "a", "extra": {"x": ${'['.repeat(3_000)}${']'.repeat(3_000)}}}}`;
    expect((await send(deep)).status).toBe(200);
  });

  it('repeats only the beginning of a key of megabytes', async () => {
    const key = '"'.repeat(1_000_000);
    const refused = await send(JSON.stringify({ probe: { name: 'a', [key]: 1 } }), '', strict);
    expect([refused.status, fieldCodes(refused)]).toEqual([400, { ['"'.repeat(80)]: 'not_allowed' }]);
    expect(refused.text.length).toBeLessThan(1_000);
  });

  it('writes any names as a list of strings (RFC 9651)', () => {
    const item = /"(?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"/.source;
    const list = new RegExp(`^${item}(;nearest=${item})?(, ${item}(;nearest=${item})?)*$`);
    const names = fc.array(
      fc.record({ name: fc.string({ unit: 'binary' }), nearest: fc.option(fc.string(), { nil: undefined }) }),
      {
        minLength: 1,
        maxLength: 50,
      },
    );
    fc.assert(
      fc.property(names, (ignored) => {
        const header = ignoredHeader(ignored)['Ignored-Fields'];
        expect(header).toMatch(list);
        expect((header as string).length).toBeLessThan(9_000);
      }),
    );
  });

  it('knows the keys of each member of a union, and of values that are optional, null or made from others', () => {
    const schema = z.object({
      doc: z
        .union([z.object({ text: z.string() }), z.object({ id: z.string(), kind: z.string() })])
        .nullable(),
      made: z.preprocess((value) => value, z.object({ at: z.string() })).optional(),
      piped: z
        .object({ day: z.string() })
        .transform(({ day }) => day)
        .default('x'),
      any: z.looseObject({ a: z.string() }).optional(),
    });
    const sent = {
      doc: { text: 'a', id: 'b', tetx: 1 },
      made: { at: 'x', on: 1 },
      piped: { day: 'x', dya: 1 },
      any: { a: 'x', b: 1 },
    };
    const found = unknownKeys({ schema, wrapper: undefined }, sent, {});
    expect(found.map(({ name }) => name)).toEqual(['doc.tetx', 'made.on', 'piped.dya']);
    expect(unknownKeys({ schema, wrapper: undefined }, { doc: null, made: 'x' }, {})).toEqual([]);
  });

  it('names the page of a code where the gateway says where it is', () => {
    const event = (path: string, resource: string, more: object = {}) =>
      ({
        path,
        resource,
        headers: {},
        requestContext: { path, domainName: 'api.example', ...more },
      }) as never;
    const page = (...args: Parameters<typeof event>) => errorUrl(event(...args), 'error');
    expect(page('/threads/x/read', '/threads/{id}/read')).toBe('https://api.example/docs/errors#error');
    const stage = { path: '/prod/threads/x/read' };
    expect(page('/threads/x/read', '/threads/{id}/read', stage)).toBe(
      'https://api.example/prod/docs/errors#error',
    );
    expect(page('/threads', '/threads', { domainName: undefined })).toBe('/docs/errors#error');
    const unknown = { ...(event('/dev/a/b', '/{proxy+}') as object), pathParameters: { proxy: 'a/b' } };
    expect(docsUrl(unknown as never)).toBe('https://api.example/dev/docs');
  });

  it('leads a browser from / to the documentation, and nobody else', async () => {
    const at = (accept: string) => raw(probes.url, { path: '/', headers: [['Accept', accept]] });
    const browser = await at('text/html,application/xhtml+xml;q=0.9,*/*;q=0.8');
    expect([browser.status, browser.headers.location]).toEqual([303, `${probes.url}/docs`]);
    for (const accept of ['*/*', 'application/json']) expect((await at(accept)).status).toBe(404);
  });
});
