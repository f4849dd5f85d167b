import { type Key, keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import type { User } from './user.ts';

/** Beside the login of its address: an account has one to an address at most, and accounts know nothing of each other's. */
export type OpenInvitation = Item & { user_id: string; account_id: string };

export type Invited = Pick<User, 'id' | 'account_id' | 'email_address'>;

/** Addresses are compared in lower case. */
export const invitationKey = ({ email_address, account_id }: Omit<Invited, 'id'>): Key =>
  keys.invitation(email_address.toLowerCase(), account_id);

export const newInvitation = (user: Invited): OpenInvitation => ({
  ...invitationKey(user),
  user_id: user.id,
  account_id: user.account_id,
});
