import type { User } from '#shared/domain/identity/users/user.ts';
import type { Write } from '#shared/table/table.ts';

/** Port: the mailbox that an owner begins with, so that mail can be imported at once. */
export interface MakesMailboxes {
  /** The owner with access to it, and the write that stores it: 500 `mailbox_creation_failed`. */
  withMailbox(owner: User, now: Date): { owner: User; mailbox: Write };
}
