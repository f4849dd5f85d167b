import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticate } from '#shared/domain/identity/credentials/authenticate.ts';
import { createApiKey } from '#shared/domain/identity/credentials/create.ts';
import { revokeApiKey } from '#shared/domain/identity/credentials/delete.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import { findApiKey } from '#shared/domain/identity/credentials/store.ts';
import { keys } from '#shared/table/keys.ts';
import { failCall, meanwhile } from '../../../support/faults.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

/** A key and its row in the list, when a call to the table fails. */
describe('API keys and failures', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const create = () => {
    const { account_id, id: user_id } = workspace.hank.user;
    const draft = { account_id, user_id, name: 'Faulty', tier: 'read' as const, expires_at: null };
    return createApiKey(workspace.table, draft, new Date());
  };
  const listed = async () => (await workspace.hank.session.listApiKeys()).body.api_keys.length;
  const works = (secret: string) =>
    workspace
      .client(secret)
      .retrieveCurrentUser()
      .then(
        () => true,
        (failure) => failure.status !== 401,
      );

  it('a request whose key is revoked meanwhile does not bring it back', async () => {
    const { row, secret } = await create();
    const hash = hashSecret(secret);
    const start = Date.UTC(2060, 0, 1);
    // So many counters are stale that the next request removes them.
    for (let i = 0; i < 21; i++) await authenticate(workspace.table, hash, new Date(start + i * 600_000));
    const revoke = () => revokeApiKey(workspace.ctx, row);
    // The key and its user are counted before.
    const fault = meanwhile(workspace.table, 'UpdateItemCommand', revoke, 3);
    await authenticate(workspace.table, hash, new Date(start + 22 * 600_000));
    fault.remove();
    expect(fault.hit).toBe(true);
    expect(await workspace.table.get(keys.credential(hash))).toBeUndefined();
  });

  it('are created completely or not at all', async () => {
    const before = await listed();
    for (const when of ['before', 'after'] as const) {
      const fault = failCall(workspace.table, 1, when);
      await expect(create()).rejects.toThrow('Injected fault');
      expect(fault.hit).toBe(true);
      fault.remove();
    }
    // The second was written, and its response was lost: it is listed, so that it can be revoked.
    expect(await listed()).toBe(before + 1);
    const prefix = keys.apiKeyRow(workspace.hank.user.account_id, '');
    const rows = await workspace.table.all(prefix.PK, prefix.SK);
    expect(rows).toHaveLength(before + 1);
  });

  it.each([
    [1, 'before', true],
    [1, 'after', false],
    [2, 'before', false],
    [2, 'after', false],
  ] as const)(
    'are refused from the first write of a revocation on: call %i, %s',
    async (call, when, working) => {
      const { row, secret } = await create();
      const fault = failCall(workspace.table, call, when);
      await expect(revokeApiKey(workspace.ctx, row)).rejects.toThrow('Injected fault');
      expect(fault.hit).toBe(true);
      fault.remove();
      expect(await works(secret)).toBe(working);
      // Not listed from then on, although its row still exists: it is unusable.
      const { api_keys } = (await workspace.hank.session.listApiKeys()).body;
      expect(api_keys.some(({ id }) => id === row.id)).toBe(working);
      await revokeApiKey(workspace.ctx, row);
      expect(await works(secret)).toBe(false);
      expect(await findApiKey(workspace.table, row.account_id, row.id)).toBeUndefined();
    },
  );
});
