import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiKey } from '#shared/domain/identity/credentials/api-key.ts';
import { keys } from '#shared/table/keys.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /api_keys', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  // The keys of a new user are made in one millisecond.
  const byName = <T extends { name: string }>(records: T[]) =>
    records.toSorted((a, b) => (a.name < b.name ? -1 : 1));

  it("200: a member's own keys, without secrets", async () => {
    const { status, body } = await workspace.grace.session.listApiKeys();
    expect(status).toBe(200);
    expect(byName(body.api_keys).map((key) => [key.name, key.tier, key.user_id])).toEqual([
      ['Read', 'read', workspace.grace.user.id],
      ['Read and write', 'read_write', workspace.grace.user.id],
    ]);
    expect(Object.keys(body.api_keys[0] as object).sort()).toEqual(
      ['created_at', 'expires_at', 'id', 'last_used_at', 'name', 'prefix', 'tier', 'user_id'].sort(),
    );
  });

  it('200: admins see the keys of every user of the account, and of no other', async () => {
    const { body } = await workspace.ada.session.listApiKeys();
    const users = new Set(body.api_keys.map((key) => key.user_id));
    expect(users).toEqual(
      new Set([workspace.ada, workspace.grace, workspace.linus].map(({ user }) => user.id)),
    );
    expect(body.api_keys).toHaveLength(6);
  });

  it('tells when a key was last used', async () => {
    const used = new Date('2032-01-02T03:04:05.678Z');
    workspace.setTime(used);
    await workspace.linus.reader.retrieveCurrentUser();
    const { body } = await workspace.linus.session.listApiKeys();
    workspace.setTime(undefined);
    expect(byName(body.api_keys).map((key) => [key.name, key.last_used_at])).toEqual([
      ['Read', used.toISOString()],
      ['Read and write', null],
    ]);
  });

  it('leaves out a key whose revocation was interrupted', async () => {
    const session = workspace.hank.session;
    const [first, second] = (await session.listApiKeys()).body.api_keys;
    const row = await workspace.table.get<ApiKey>(
      keys.apiKeyRow(workspace.hank.user.account_id, first?.id as string),
    );
    await workspace.table.delete(keys.credential(row?.hash as string));
    expect((await session.listApiKeys()).body.api_keys.map((key) => key.id)).toEqual([second?.id]);
    const again = await session.deleteApiKey({ params: { id: first?.id as string } });
    expect(again.status).toBe(204);
  });

  it('lists the oldest first', async () => {
    for (const [second, name] of ['One', 'Two', 'Three'].entries()) {
      workspace.setTime(new Date(Date.UTC(2033, 0, 1, 0, 0, second)));
      await workspace.linus.session.createApiKey({ body: { api_key: { name, tier: 'read' } } });
    }
    const { body } = await workspace.linus.session.listApiKeys();
    workspace.setTime(undefined);
    expect(body.api_keys.slice(-3).map((key) => key.name)).toEqual(['One', 'Two', 'Three']);
  });
});
