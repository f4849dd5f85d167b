import { seedAtOnce } from './seeding.ts';
import type { TestUser, Workspace } from './workspace.ts';

/** The users of one more account, `count` of them; the first owns it. */
export async function givenAccount(workspace: Workspace, users: number): Promise<TestUser[]> {
  const seeds = Array.from({ length: users }, (_, i) => ({
    name: `User ${i}`,
    email_address: `user-${i}@initech.example`,
    role: i === 0 ? ('owner' as const) : ('member' as const),
  }));
  const seeded = await seedAtOnce(workspace.table, 'Initech', seeds);
  return seeded.users.map((user) => ({
    ...user,
    api: workspace.client(user.write_key),
    reader: workspace.client(user.read_key),
    session: workspace.client(user.session_token),
  }));
}
