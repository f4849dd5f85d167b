import type { User } from './user.ts';

/** The primary mailbox of a user with the access of its groups, as long as the user reads it: access may end. */
export const primaryOf = ({
  primary_mailbox_id: id,
  mailboxes,
}: Pick<User, 'mailboxes' | 'primary_mailbox_id'>) =>
  id !== null && Object.hasOwn(mailboxes, id) ? id : null;
