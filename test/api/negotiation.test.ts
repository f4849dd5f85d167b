import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Probes, startProbes } from '../support/probes.ts';
import { asJson, bearer, raw } from '../support/raw.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Checks 7 and 8 of docs/specification/requests.md: Accept and Content-Type. */
describe('negotiation', () => {
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

  const post = (headers: [string, string][], body?: string) =>
    raw(probes.url, { method: 'POST', path: '/probes', headers, ...(body === undefined ? {} : { body }) });
  const accept = async (...values: string[]) =>
    (await post(values.map((value) => ['Accept', value]))).json.error?.code ?? 'answered';

  it.each([
    'application/json',
    'APPLICATION/JSON; charset=utf-8',
    '*/*',
    'application/*',
    'text/html, application/json;q=0.1',
    'text/html, */*;q=0.5',
    'application/json;q=1, */*;q=0',
    '',
  ])('accepts Accept: %s', async (value) => {
    expect(await accept(value)).toBe('answered');
  });

  it.each([
    'text/html',
    'application/xml, text/*',
    'application/json;q=0',
    'application/json;q=0, */*',
    '*/*;q=0',
    'application/jsonx',
    'nonsense',
  ])('406: Accept: %s', async (value) => {
    expect(await accept(value)).toBe('not_acceptable');
  });

  it('reads several Accept headers as one', async () => {
    expect(await accept('text/html', 'application/json')).toBe('answered');
    expect(await accept('text/html', 'text/plain')).toBe('not_acceptable');
  });

  const typed = async (...types: string[]) =>
    (
      await post(
        types.map((type) => ['Content-Type', type]),
        '{}',
      )
    ).json.error?.code ?? 'read';

  it.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/vnd.acme.v1+json',
    'application/merge-patch+json ; a=b',
  ])('reads Content-Type: %s', async (type) => {
    expect(await typed(type)).toBe('read');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'text/json',
    'json',
  ])('415: Content-Type: %s', async (type) => {
    expect(await typed(type)).toBe('unsupported_media_type');
  });

  it('415: a body without a Content-Type, or with two', async () => {
    expect(await typed()).toBe('unsupported_media_type');
    expect(await typed('application/json', 'text/plain')).toBe('unsupported_media_type');
  });

  it('does not require a Content-Type without a body', async () => {
    expect((await post([])).status).toBe(201);
    expect((await post([['Content-Type', 'text/plain']])).status).toBe(201);
    const headers: [string, string][] = [bearer(workspace.ada.read_key), ['Content-Type', 'text/plain']];
    expect((await raw(probes.url, { path: '/probes', headers })).status).toBe(200);
  });

  it('checks in order: 403, 406, 415, 404, 400', async () => {
    const path = '/probes/not-a-uuid/parts/x';
    const id = workspace.ada.user.id;
    const write = bearer(workspace.ada.write_key);
    const html: [string, string] = ['Accept', 'text/html'];
    const text: [string, string] = ['Content-Type', 'text/plain'];
    const status = async (at: string, ...headers: [string, string][]) =>
      (await raw(probes.url, { method: 'POST', path: at, headers, body: '{' })).status;
    expect(await status(path, html, text)).toBe(401);
    expect(await status(path, bearer(workspace.ada.read_key), html, text)).toBe(403);
    expect(await status(path, write, html, text)).toBe(406);
    expect(await status(path, write, text)).toBe(415);
    expect(await status(path, write, asJson)).toBe(404);
    expect(await status(`/probes/${id}/parts/${id}`, write, asJson)).toBe(400);
  });
});
