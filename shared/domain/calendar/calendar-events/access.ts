import { accessOf, isCurrent } from '#shared/domain/collaboration/records/policy.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { UntimedEvent } from './inherited.ts';

/**
 * Who sees an event: the readers of its calendar's mailbox, users who are invited, and those it is shared with. Of a
 * private one all but the owner see only when it is (docs/specification/calendar.md, "Access").
 */

export type Viewer = Pick<User, 'id' | 'role' | 'group_ids' | 'mailboxes'>;

export const readsMailbox = ({ mailboxes }: Pick<User, 'mailboxes'>, { mailbox_id }: UntimedEvent) =>
  mailbox_id !== null && Object.hasOwn(mailboxes, mailbox_id);

export const accessTo = (user: Viewer, event: UntimedEvent) =>
  accessOf(event, user, readsMailbox(user, event));

/** More than when it is. */
export const seesDetails = (user: Viewer, event: UntimedEvent) => !event.private || event.user_id === user.id;

export const isVisible = (caller: Caller, event: UntimedEvent): boolean =>
  isCurrent(event, caller) && accessTo(caller.user, event) !== undefined;
