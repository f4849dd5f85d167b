import type { TestUser } from './workspace.ts';

let made = 0;

/** A group that `creator` created, with these users. */
export async function givenGroup(creator: TestUser, users: TestUser[] = [], name?: string) {
  const group = { name: name ?? `Group ${++made}`, user_ids: users.map(({ user }) => user.id) };
  return (await creator.api.createGroup({ body: { group } })).body.group;
}

/** The groups that a user is in, as the user's own record says. */
export async function groupsOf(user: TestUser): Promise<string[]> {
  return (await user.reader.retrieveCurrentUser()).body.user.group_ids;
}
