import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newAccount } from '#shared/domain/identity/accounts/create.ts';
import { authenticate } from '#shared/domain/identity/credentials/authenticate.ts';
import { newCredential } from '#shared/domain/identity/credentials/issue.ts';
import { listOpenSessions } from '#shared/domain/identity/sessions/store.ts';
import { findLogin } from '#shared/domain/identity/users/addresses.ts';
import { newUser, partsOfName } from '#shared/domain/identity/users/create.ts';
import { newId } from '#shared/ids.ts';
import { clientOptions } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import { Table } from '#shared/table/table.ts';
import { signIn } from '../../infra/migrations/0003-sign-in.ts';
import { ownTable } from '../support/table.ts';

describe('the migration to sign-in', () => {
  const now = new Date();
  let client: DynamoDBClient;
  let table: Table;
  beforeAll(async () => {
    client = new DynamoDBClient(clientOptions(inject('dynamodb_endpoint')));
    table = new Table(await ownTable(), client);
  });
  afterAll(() => client.destroy());

  async function givenUser(email_address: string, status: 'active' | 'closed') {
    const [id, account_id] = [newId(now), newId(now)];
    const names = { ...partsOfName('Ada'), email_address, role: 'owner' as const };
    const user = newUser({ id, account_id, ...names, time_zone: 'UTC', week_starts_on: 'monday' }, now);
    await table.put(user);
    await table.put({ ...newAccount({ id: account_id, name: 'A', owner_user_id: id }, now), status });
    return user;
  }

  async function givenToken(user: { id: string; account_id: string }, expires_at: Date | null) {
    const { account_id, id: user_id } = user;
    const issued = newCredential(
      { account_id, user_id, kind: 'session', tier: 'read_write', expires_at },
      now,
    );
    await table.put(issued.credential);
    return issued;
  }

  async function migrateTwice() {
    for (let run = 0; run < 2; run++) {
      let cursor: unknown;
      do cursor = await signIn.step(table, cursor);
      while (cursor !== undefined);
    }
  }

  it('reserves addresses of active accounts, and gives session tokens a session', async () => {
    const ada = await givenUser('Ada@acme.example', 'active');
    const twins = [
      await givenUser('twin@acme.example', 'active'),
      await givenUser('twin@acme.example', 'active'),
    ];
    await givenUser('gone@acme.example', 'closed');
    const old = { PK: keys.account(ada.account_id).PK, SK: 'USERADDRESS#abc' };
    await table.put({ ...old, holder_id: ada.id });
    const later = new Date(now.getTime() + 60_000);
    const tokens = [await givenToken(ada, null), await givenToken(ada, later)];
    const ids = tokens.map(({ credential }) => credential.id);
    await migrateTwice();
    expect(await findLogin(table, 'ada@ACME.example')).toMatchObject({ user_id: ada.id });
    expect(twins.map(({ id }) => id)).toContain((await findLogin(table, 'twin@acme.example'))?.user_id);
    expect(await findLogin(table, 'gone@acme.example')).toBeUndefined();
    expect(await table.get(old)).toBeUndefined();
    const sessions = await listOpenSessions(table, ada.id, now);
    const ends = new Map(sessions.map(({ id, expires_at }) => [id, expires_at]));
    expect(ids.map((id) => ends.get(id))).toEqual([null, later.toISOString()]);
    for (const { hash } of tokens) expect(await authenticate(table, hash, now)).toBeDefined();
  });
});
