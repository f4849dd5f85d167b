import { either, exactly, missing, type Table, type Write, when } from '#shared/table/table.ts';
import { checkFree, findHolding, inUse } from './addresses.ts';
import { type Invited, invitationKey, newInvitation, type OpenInvitation } from './open-invitation.ts';
import type { User } from './user.ts';

/** Open invitations to an address (docs/decisions/0089-invitations-and-addresses.md). */

/** The accounts that are looked at when none is named: whoever has an account may invite anybody. */
const MOST = 25;

/** The item is missing, or is the user's. */
const free = (user: Pick<User, 'id'>) => when<OpenInvitation>({ user_id: either(missing, exactly(user.id)) });

/**
 * The writes that invite the user: 409 when somebody has joined with the address, and when another user of the account is
 * invited to it.
 */
export async function openInvitation(table: Table, user: Invited): Promise<Write[]> {
  const holding = await findHolding(table, user.email_address);
  return [
    checkFree(user.email_address, holding),
    { put: newInvitation(user), when: free(user), otherwise: inUse },
  ];
}

/** None for a user who is not the one invited. */
async function withdrawInvitation(table: Table, user: User): Promise<Write[]> {
  const key = invitationKey(user);
  const open = await table.get<OpenInvitation>(key);
  return open && open.user_id !== user.id ? [] : [{ delete: key, when: free(user) }];
}

/** What a change of a user makes of the invitation. */
export async function invitationWrites(table: Table, before: User, after: User): Promise<Write[]> {
  if (before.status === after.status) return [];
  if (before.status === 'invited') return withdrawInvitation(table, before);
  return after.status === 'invited' ? openInvitation(table, after) : [];
}

/** The write that uses it up. */
export const endInvitation = (user: Invited): Write => ({
  delete: invitationKey(user),
  when: when<OpenInvitation>({ user_id: exactly(user.id) }),
});

/** To an address: of the account, or of the oldest accounts that invite it. */
export async function findInvitations(
  table: Table,
  email_address: string,
  account_id: string | undefined,
): Promise<OpenInvitation[]> {
  const { PK, SK } = invitationKey({ email_address, account_id: account_id ?? '' });
  if (account_id === undefined)
    return (await table.query<OpenInvitation>({ partition: PK, sort: { begins: SK }, limit: MOST })).items;
  const found = await table.get<OpenInvitation>({ PK, SK });
  return found ? [found] : [];
}
