import { createAccount } from '#shared/domain/identity/accounts/create.ts';
import { createApiKey } from '#shared/domain/identity/credentials/create.ts';
import { issueSession } from '#shared/domain/identity/sessions/issue.ts';
import { takeAddress } from '#shared/domain/identity/users/addresses.ts';
import { newUser, partsOfName } from '#shared/domain/identity/users/create.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { newId } from '#shared/ids.ts';
import { mustNotExist, type Table } from '#shared/table/table.ts';

/** Creates an account with its users and their keys as sign-up will, for the demo and for tests. */
export interface SeedUser {
  name: string;
  email_address: string;
  role: User['role'];
  time_zone?: string;
  week_starts_on?: User['week_starts_on'];
}

export interface SeededUser {
  user: User;
  read_key: string;
  write_key: string;
  session_token: string;
}

async function seedUser(
  table: Table,
  account_id: string,
  id: string,
  seed: SeedUser,
  now: Date,
): Promise<SeededUser> {
  const draft = {
    id,
    account_id,
    email_address: seed.email_address,
    ...partsOfName(seed.name),
    role: seed.role,
    time_zone: seed.time_zone ?? 'Etc/UTC',
    week_starts_on: seed.week_starts_on ?? ('monday' as const),
  };
  const user = newUser(draft, now);
  await table.transact([{ put: user, when: mustNotExist }, await takeAddress(table, user)]);
  const credential = { account_id, user_id: id, expires_at: null };
  const read = await createApiKey(table, { ...credential, name: 'Read', tier: 'read' }, now);
  const write = await createApiKey(table, { ...credential, name: 'Read and write', tier: 'read_write' }, now);
  const session = await issueSession(table, user, null, now);
  return { user, read_key: read.secret, write_key: write.secret, session_token: session.secret };
}

/** The first user owns the account. */
export async function seedAccount(
  table: Table,
  name: string,
  users: SeedUser[],
  now: Date,
  account_id = newId(now),
): Promise<{ account_id: string; users: SeededUser[] }> {
  const ids = users.map(() => newId(now));
  await createAccount(table, { id: account_id, name, owner_user_id: ids[0] as string }, now);
  const seeded: SeededUser[] = [];
  for (const [i, user] of users.entries())
    seeded.push(await seedUser(table, account_id, ids[i] as string, user, now));
  return { account_id, users: seeded };
}
