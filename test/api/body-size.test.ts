import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longIt } from '../support/long.ts';
import { type Probes, startProbes } from '../support/probes.ts';
import { asJson, bearer, fieldCodes, raw } from '../support/raw.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Check 3 of docs/specification/requests.md: a body of at most 5 MB, checked before the key. */
describe('body size', () => {
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

  const LIMIT = 5_242_880;
  /** JSON of exactly `bytes` bytes. */
  const bodyOf = (bytes: number, letter = 'x') => {
    const frame = '{"note":""}'.length;
    return `{"note":"${letter.repeat((bytes - frame) / Buffer.byteLength(letter))}"}`;
  };
  const post = (body: string | Buffer, headers = [asJson]) =>
    raw(probes.url, { method: 'POST', path: '/probes', headers, body });

  it('reads 5,242,880 bytes', async () => {
    const response = await post(bodyOf(LIMIT));
    expect(response.status).toBe(400);
    expect(response.json.error?.fields).toMatchObject({ note: { code: 'too_long' } });
  });

  it.each([5_242_881, 10_485_760, 10_485_761, 12_000_000])('413: %i bytes', async (bytes) => {
    const response = await post(bodyOf(bytes));
    expect([response.status, response.json.error?.code]).toEqual([413, 'payload_too_large']);
    expect(response.headers['content-type']).toBe('application/json');
  });

  it('counts bytes, not characters', async () => {
    // The JSON around it has 11 bytes, and each letter two.
    const even = LIMIT - 1;
    expect((await post(bodyOf(even, 'é'))).status).toBe(400);
    expect((await post(bodyOf(even + 2, 'é'))).status).toBe(413);
  });

  it('accepts a binary body up to the limit of Lambda, which receives it as base64', async () => {
    expect((await post(Buffer.alloc(4_700_000, 0xff))).status).toBe(400);
    expect((await post(Buffer.alloc(4_730_000, 0xff))).status).toBe(413);
  });

  it('returns 413 before 401', async () => {
    const path = '/probes/1/parts/2';
    const response = await raw(probes.url, {
      method: 'POST',
      path,
      headers: [asJson],
      body: bodyOf(LIMIT + 1),
    });
    expect(response.status).toBe(413);
    const small = await raw(probes.url, { method: 'POST', path, headers: [asJson], body: '{}' });
    expect(small.status).toBe(401);
  });

  longIt('bounds the cost of deep nesting: 5 MB of [', async () => {
    const response = await post('['.repeat(LIMIT));
    expect([response.status, response.json.error?.code]).toEqual([400, 'invalid_request']);
    expect(response.json.error).not.toHaveProperty('fields');
    const id = workspace.ada.user.id;
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const echo = (field: string) =>
      raw(probes.url, {
        method: 'POST',
        path: `/probes/${id}/parts/${id}`,
        headers: [asJson, bearer(workspace.ada.write_key)],
        body: `{"probe":{"name":"a","${field}":${deep}}}`,
      });
    expect(fieldCodes(await echo('note'))).toEqual({ note: 'invalid' });
    expect((await echo('unknown')).status).toBe(200);
  });
});
