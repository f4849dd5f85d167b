import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { ApiKey } from '#shared/domain/identity/credentials/api-key.ts';
import { createApiKey } from '#shared/domain/identity/credentials/create.ts';
import type { Credential } from '#shared/domain/identity/credentials/credential.ts';
import { isWellFormedSecret } from '#shared/domain/identity/credentials/secret.ts';
import { keys } from '#shared/table/keys.ts';
import { putAtOnce } from '../../support/seeding.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('POST /api_keys', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());
  afterEach(() => setAccess('enabled'));

  const setAccess = (api_access: Account['api_access']) =>
    workspace.table.update<Account>(keys.account(workspace.account_id), { set: { api_access } });
  const create = (api_key: { name: string; tier: 'read' | 'read_write'; expires_at?: string | null }) =>
    workspace.grace.session.createApiKey({ body: { api_key } });

  it('201: a key that works, with its secret', async () => {
    const { status, body } = await create({ name: ' CRM export ', tier: 'read' });
    expect(status).toBe(201);
    const { secret, ...shown } = body.api_key;
    expect(isWellFormedSecret(secret)).toBe(true);
    expect(secret.startsWith(shown.prefix)).toBe(true);
    expect(shown).toMatchObject({
      name: 'CRM export',
      tier: 'read',
      user_id: workspace.grace.user.id,
      last_used_at: null,
      expires_at: null,
    });
    const me = await workspace.client(secret).retrieveCurrentUser();
    expect(me.body.user.id).toBe(workspace.grace.user.id);
  });

  it('400: the 101st key of a user, also of some at once, until one is revoked; other users are not affected', async () => {
    const { linus, ada, table, account_id } = workspace;
    const make = (user = linus) =>
      user.session.createApiKey({ body: { api_key: { name: 'One of many', tier: 'read' } } });
    const before = (await linus.session.listApiKeys()).body.api_keys;
    const draft = {
      account_id,
      user_id: linus.user.id,
      name: 'One of many',
      tier: 'read' as const,
      expires_at: null,
    };
    await putAtOnce(table, (gathering) =>
      Promise.all(
        Array.from({ length: 98 - before.length }, () => createApiKey(gathering, draft, new Date())),
      ),
    );
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => make()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const full = { status: 400, code: 'invalid_request', fields: { api_key: { code: 'invalid' } } };
    await expect(make()).rejects.toMatchObject(full);
    expect((await make(ada)).status).toBe(201);
    await linus.session.deleteApiKey({ params: { id: before[0]?.id as string } });
    expect((await make()).status).toBe(201);
  });

  it('stores no secret, only its hash', async () => {
    const { body } = await create({ name: 'Hidden', tier: 'read_write' });
    const row = await workspace.table.get<ApiKey>(keys.apiKeyRow(workspace.account_id, body.api_key.id));
    const credential = await workspace.table.get<Credential>(keys.credential(row?.hash as string));
    expect(credential?.id).toBe(body.api_key.id);
    expect(JSON.stringify([row, credential])).not.toContain(body.api_key.secret);
  });

  it('201: a key that stops working at expires_at', async () => {
    const now = new Date('2031-05-01T10:00:00.000Z');
    workspace.setTime(now);
    const { body } = await create({ name: 'Short', tier: 'read', expires_at: '2031-05-01T12:01:00+02:00' });
    expect(body.api_key.expires_at).toBe('2031-05-01T10:01:00.000Z');
    const reader = workspace.client(body.api_key.secret);
    workspace.setTime(new Date('2031-05-01T10:00:59.999Z'));
    await expect(reader.retrieveCurrentUser()).resolves.toMatchObject({ status: 200 });
    workspace.setTime(new Date('2031-05-01T10:01:00.000Z'));
    await expect(reader.retrieveCurrentUser()).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    workspace.setTime(undefined);
  });

  it('reads a plain date as midnight in the zone of the user', async () => {
    const { body } = await create({ name: 'Dated', tier: 'read', expires_at: '2099-07-01' });
    // Grace is in New York.
    expect(body.api_key.expires_at).toBe('2099-07-01T04:00:00.000Z');
  });

  it('400: every bad field at once', async () => {
    const body = { api_key: { name: ' ', tier: 'admin' as never, expires_at: 'soon' } };
    const failure = await workspace.grace.session.createApiKey({ body }).catch((error) => error);
    expect(failure).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(
      Object.fromEntries(
        Object.entries(failure.fields).map(([name, f]) => [name, (f as { code: string }).code]),
      ),
    ).toEqual({
      name: 'required',
      tier: 'invalid',
      expires_at: 'invalid_format',
    });
  });

  it.each(['2099-02-30', '2099-02-30T10:00:00Z'])('400: %s is not a calendar date', async (expires_at) => {
    await expect(create({ name: 'Short', tier: 'read', expires_at })).rejects.toMatchObject({
      status: 400,
      fields: { expires_at: { code: 'invalid_format' } },
    });
  });

  it('400: expires_at that is not in the future', async () => {
    const now = new Date();
    workspace.setTime(now);
    const create_now = create({ name: 'Late', tier: 'read', expires_at: now.toISOString() });
    await expect(create_now).rejects.toMatchObject({
      status: 400,
      fields: { expires_at: { code: 'invalid' } },
    });
    workspace.setTime(undefined);
  });

  it('403: read_write while API access is read-only; read stays possible', async () => {
    await setAccess('read_only');
    const failure = { status: 403, code: 'api_access_read_only' };
    await expect(create({ name: 'Writer', tier: 'read_write' })).rejects.toMatchObject(failure);
    await expect(create({ name: 'Reader', tier: 'read' })).resolves.toMatchObject({ status: 201 });
  });

  it('403: any key while API access is off', async () => {
    await setAccess('disabled');
    const failure = { status: 403, code: 'api_access_disabled' };
    await expect(create({ name: 'Reader', tier: 'read' })).rejects.toMatchObject(failure);
  });

  it('403: an API key cannot make keys', async () => {
    const call = workspace.ada.api.createApiKey({ body: { api_key: { name: 'Child', tier: 'read' } } });
    await expect(call).rejects.toMatchObject({ status: 403, code: 'api_key_insufficient' });
  });
});
