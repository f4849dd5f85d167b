import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { type Probes, startProbes } from '../support/probes.ts';
import { asJson, bearer, raw } from '../support/raw.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Check 6 of docs/specification/requests.md: API access of the account, the key's tier, the terms. */
describe('access', () => {
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
  afterEach(async () => {
    await setAccess('enabled');
    await setTerms(false);
  });

  const setAccess = (api_access: Account['api_access']) =>
    workspace.table.update<Account>(keys.account(workspace.account_id), { set: { api_access } });
  const setTerms = (pending: boolean) =>
    workspace.table.update<User>(keys.user(workspace.account_id, workspace.grace.user.id), {
      set: { terms_pending: pending },
    });
  type Credential = 'read_key' | 'write_key' | 'session_token';
  const id = '0198c0de-0000-7000-8000-000000000001';
  const requests = {
    read: { method: 'GET', path: '/probes' },
    write: { method: 'POST', path: `/probes/${id}/parts/${id}`, body: '{"probe":{"name":"a"}}' },
    session: { method: 'DELETE', path: `/probes/${id}` },
  };
  const outcome = async (access: keyof typeof requests, credential: Credential) => {
    const request = requests[access];
    const headers = [bearer(workspace.grace[credential]), ...('body' in request ? [asJson] : [])];
    const { status, json } = await raw(probes.url, { ...request, headers });
    return json.error?.code ?? status;
  };
  const outcomes = async (credential: Credential) => [
    await outcome('read', credential),
    await outcome('write', credential),
    await outcome('session', credential),
  ];

  it('enabled: the tier of the key decides; a session may call every operation', async () => {
    expect(await outcomes('read_key')).toEqual([200, 'api_key_insufficient', 'api_key_insufficient']);
    expect(await outcomes('write_key')).toEqual([200, 200, 'api_key_insufficient']);
    expect(await outcomes('session_token')).toEqual([200, 200, 204]);
  });

  it('read_only: keys only read, the tier is checked first, and sessions are not affected', async () => {
    await setAccess('read_only');
    expect(await outcomes('read_key')).toEqual([200, 'api_key_insufficient', 'api_key_insufficient']);
    expect(await outcomes('write_key')).toEqual([200, 'api_access_read_only', 'api_key_insufficient']);
    expect(await outcomes('session_token')).toEqual([200, 200, 204]);
  });

  it('disabled: refuses every key, before it checks the tier', async () => {
    await setAccess('disabled');
    const off = 'api_access_disabled';
    expect(await outcomes('read_key')).toEqual([off, off, off]);
    expect(await outcomes('write_key')).toEqual([off, off, off]);
    expect(await outcomes('session_token')).toEqual([200, 200, 204]);
  });

  it('refuses everything else until the terms are accepted, and checks that last', async () => {
    await setTerms(true);
    const terms = 'terms_acceptance_required';
    expect(await outcomes('read_key')).toEqual([terms, 'api_key_insufficient', 'api_key_insufficient']);
    expect(await outcomes('write_key')).toEqual([terms, terms, 'api_key_insufficient']);
    expect(await outcomes('session_token')).toEqual([terms, terms, terms]);
    await setAccess('read_only');
    expect(await outcome('write', 'write_key')).toBe('api_access_read_only');
  });

  it('403 carries the rate limit', async () => {
    const headers = [bearer(workspace.grace.read_key)];
    const response = await raw(probes.url, { method: 'DELETE', path: `/probes/${id}`, headers });
    expect(response.status).toBe(403);
    expect(response.headers).toMatchObject({ 'ratelimit-limit': '600' });
  });
});
