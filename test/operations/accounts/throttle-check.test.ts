import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { Credential } from '#shared/domain/identity/credentials/credential.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { counterName, KEY_LIMIT, slotOf } from '#shared/domain/platform/rates/rate.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { failureOf } from '../../support/failures.ts';
import { bearer, raw } from '../../support/raw.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /accounts/throttle_check', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterEach(() => workspace.setTime(undefined));
  afterAll(() => workspace.stop());

  const rateHeaders = (headers: Headers) =>
    [...headers.keys()].filter((name) => name.startsWith('ratelimit-'));

  it('200: the ok object, without rates where there is no credential', async () => {
    const { status, body, headers } = await workspace.client().throttleCheck();
    expect([status, body, rateHeaders(headers)]).toEqual([200, { ok: 'ok' }, []]);
  });

  it('200: with the rates of the credential, of which the check takes one', async () => {
    workspace.setTime(new Date(Date.now() + 600_000));
    const remaining = async () => {
      const { body, headers } = await workspace.linus.reader.throttleCheck();
      expect(body).toEqual({ ok: 'ok' });
      expect(rateHeaders(headers)).toHaveLength(3);
      return Number(headers.get('ratelimit-remaining'));
    };
    const first = await remaining();
    expect(first).toBe(KEY_LIMIT - 1);
    expect(await remaining()).toBe(first - 1);
  });

  it('200: whatever API access and terms allow', async () => {
    const [user] = (await givenAccount(workspace, 1)) as [TestUser];
    const { account_id, id } = user.user;
    await workspace.table.update<Account>(keys.account(account_id), { set: { api_access: 'disabled' } });
    await workspace.table.update<User>(keys.user(account_id, id), { set: { terms_pending: true } });
    expect((await user.reader.throttleCheck()).status).toBe(200);
  });

  it('429: too many requests', async () => {
    const now = new Date();
    workspace.setTime(now);
    const counter = counterName(slotOf(now));
    const key = keys.credential(hashSecret(workspace.linus.write_key));
    await workspace.table.update<Credential>(key, { add: { [counter]: KEY_LIMIT } });
    const failure = await failureOf(workspace.linus.api.throttleCheck());
    expect([failure.status, failure.code, failure.headers.get('ratelimit-remaining')]).toEqual([
      429,
      'rate_limited',
      '0',
    ]);
    expect(Number(failure.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('401 invalid_credentials: a bad credential', async () => {
    const [user] = (await givenAccount(workspace, 1)) as [TestUser];
    const { account_id, id } = user.user;
    await workspace.table.update<User>(keys.user(account_id, id), { set: { status: 'deactivated' } });
    const unknown = `${workspace.ada.read_key.slice(0, -1)}${workspace.ada.read_key.endsWith('0') ? '1' : '0'}`;
    for (const key of [user.read_key, unknown, 'wsk_live_nothing']) {
      const failure = await failureOf(workspace.client(key).throttleCheck());
      expect([failure.status, failure.code]).toEqual([401, 'invalid_credentials']);
      expect(failure.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('401 invalid_credentials: two credentials, or one of another scheme', async () => {
    const path = '/accounts/throttle_check';
    const { read_key } = workspace.ada;
    for (const headers of [
      [bearer(read_key), bearer(read_key)],
      [['Authorization', 'Basic YTpi']] as [string, string][],
      [['Authorization', '']] as [string, string][],
    ]) {
      const { status, json } = await raw(workspace.url, { method: 'GET', path, headers });
      expect([status, json.error?.code]).toEqual([401, 'invalid_credentials']);
    }
  });
});
