import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Mailbox } from './mailbox.ts';

/** Access to a mailbox is stored with the users: its owner, and those it is shared with. */

export const isOwner = ({ user }: Pick<Caller, 'user'>, mailbox: Pick<Mailbox, 'user_id'>) =>
  mailbox.user_id === user.id;

/** A mailbox that the caller has access to. */
export async function findMailbox(
  { table, caller }: CallerContext,
  id: string,
): Promise<Mailbox | undefined> {
  if (!Object.hasOwn(caller.user.mailboxes, id)) return undefined;
  return table.get<Mailbox>(keys.mailbox(caller.account.id, id));
}

/** 404 for any other. */
export async function requireMailbox(ctx: CallerContext, id: string): Promise<Mailbox> {
  const mailbox = await findMailbox(ctx, id);
  if (!mailbox) throw recordNotFound();
  return mailbox;
}

/** 403 for everyone except the mailbox's owner. */
export function requireOwner(caller: Caller, mailbox: Mailbox): void {
  if (!isOwner(caller, mailbox)) throw new ApiError('permission_denied');
}

/** A mailbox that the caller owns. 404 without access to it, 403 for one of somebody else. */
export async function requireOwnMailbox(ctx: CallerContext, id: string): Promise<Mailbox> {
  const mailbox = await requireMailbox(ctx, id);
  requireOwner(ctx.caller, mailbox);
  return mailbox;
}
