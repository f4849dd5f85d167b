import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asJson, bearer, fieldCodes, raw } from '../support/raw.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Numbers and days at the ends of their ranges. */
describe('bounds', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace?.stop());

  const ask = (method: string, path: string, body?: unknown) =>
    raw(workspace.url, {
      method,
      path,
      headers: [bearer(workspace.ada.session_token), asJson],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it.each(['proposals', 'conversations'])('/%s: refuses a page of more than 15 digits', async (list) => {
    for (const page of ['1234567890123456', '9'.repeat(400), '0', '-1', '1.5', '1e3', ' 1'])
      for (const field of ['page', 'per_page']) {
        const response = await ask('GET', `/${list}?${field}=${encodeURIComponent(page)}`);
        expect([page, response.status, Object.keys(fieldCodes(response))]).toEqual([page, 400, [field]]);
      }
    expect((await ask('GET', `/${list}?page=999999999999999`)).status).toBe(200);
    expect((await ask('GET', `/${list}?per_page=999999999999999`)).status).toBe(200);
  });

  it.each([
    ['0000-01-01', 'invalid_format'],
    ['0000-12-31T23:59:59Z', 'invalid_format'],
    ['0001-01-01T00:00:00+01:00', 'invalid_format'],
    ['9999-12-31T23:59:59-01:00', 'invalid_format'],
    ['9999-12-31T23:59:59Z', undefined],
    ['9999-12-31', undefined],
  ])('%s as the end of an API key: %s', async (expires_at, code) => {
    const response = await ask('POST', '/api_keys', { api_key: { name: 'Key', tier: 'read', expires_at } });
    expect(fieldCodes(response)).toEqual(code ? { expires_at: code } : {});
    expect(response.status).toBe(code ? 400 : 201);
  });

  it('refuses a birthday in the year 0 and accepts one in the year 1', async () => {
    const born = (birthday: string) => ask('POST', '/contacts', { contact: { name: 'Ada', birthday } });
    expect(fieldCodes(await born('0000-02-29'))).toEqual({ birthday: 'invalid_format' });
    expect((await born('0001-02-28')).status).toBe(201);
  });
});
