import { findHolding, hold } from '#shared/domain/identity/users/addresses.ts';
import { endInvitation, findInvitations } from '#shared/domain/identity/users/invitations.ts';
import type { OpenInvitation } from '#shared/domain/identity/users/open-invitation.ts';
import { findEachWithAccount } from '#shared/domain/identity/users/store.ts';
import type { Table, Write } from '#shared/table/table.ts';
import { isOfNamed, type Person, refused } from './admit.ts';

/** Whom a proven address lets in, and the writes that give the address to who joins. */
export interface Entry {
  person: Person;
  address: Write[];
}

/** Who is invited into accounts that are not closed. */
async function invitedBy(table: Table, invitations: OpenInvitation[]): Promise<Person[]> {
  const people = await findEachWithAccount(table, invitations);
  return people.filter(({ user, account }) => user.status === 'invited' && account.status === 'active');
}

/** The oldest invitation counts: ids sort by time. */
const oldest = (people: Person[]): Person | undefined =>
  people.toSorted((a, b) => (a.user.id < b.user.id ? -1 : 1))[0];

/**
 * Who has the address, else who is invited to it: into the account, when one is named. Undefined when it is the address of a
 * user of another account, as a person is a user of one.
 */
export async function findByAddress(
  table: Table,
  address: string,
  account_id: string | undefined,
): Promise<Entry | undefined> {
  const holding = await findHolding(table, address);
  const { holder } = holding;
  if (holder) return isOfNamed(holder, account_id) ? { person: holder, address: [] } : undefined;
  const person = oldest(await invitedBy(table, await findInvitations(table, address, account_id)));
  if (!person) return undefined;
  const ended = { ...endInvitation(person.user), otherwise: refused };
  return { person, address: [hold(person.user, holding), ended] };
}
