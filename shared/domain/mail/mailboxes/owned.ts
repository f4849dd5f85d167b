import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Mailbox } from './mailbox.ts';

/** The ids of a user's own mailboxes, without those that others share. */
export const ownedIds = ({ mailboxes }: Pick<User, 'mailboxes'>): string[] =>
  Object.keys(mailboxes).filter((id) => mailboxes[id] === 'owner');

/** A user's own mailboxes, also deleted ones whose mail is kept. */
export const readOwned = (table: Table, user: User): Promise<Mailbox[]> =>
  table.getMany<Mailbox>(ownedIds(user).map((id) => keys.mailbox(user.account_id, id)));
