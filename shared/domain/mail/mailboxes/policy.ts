import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { isAdmin } from '#shared/domain/identity/users/policy.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Mailbox } from './mailbox.ts';

/** Access to a mailbox is stored with the users: its owner, and those it is shared with. */

export const isOwner = ({ user }: Pick<Caller, 'user'>, mailbox: Pick<Mailbox, 'user_id'>) =>
  mailbox.user_id === user.id;

/** Mail of a deleted mailbox may be kept: the item says who reads it. */
export const isDeleted = (mailbox: Pick<Mailbox, 'deleted_at'> | undefined) =>
  mailbox?.deleted_at !== undefined;

/** A mailbox that the caller has access to. */
export async function findMailbox(
  { table, caller }: CallerContext,
  id: string,
): Promise<Mailbox | undefined> {
  if (!Object.hasOwn(caller.user.mailboxes, id)) return undefined;
  const mailbox = await table.get<Mailbox>(keys.mailbox(caller.account.id, id));
  return isDeleted(mailbox) ? undefined : mailbox;
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

/** For deleting a mailbox: 404 for those who do not see it, 403 for those who may not. Kept mail can be removed later. */
export async function requireDeletable(
  ctx: CallerContext,
  id: string,
  keep_threads: boolean,
): Promise<Mailbox> {
  const { user, account } = ctx.caller;
  const sees = Object.hasOwn(user.mailboxes, id) || isAdmin(user);
  const mailbox = sees ? await ctx.table.get<Mailbox>(keys.mailbox(account.id, id)) : undefined;
  if (!mailbox || (isDeleted(mailbox) && keep_threads)) throw recordNotFound();
  if (!isOwner(ctx.caller, mailbox) && !isAdmin(user))
    throw isDeleted(mailbox) ? recordNotFound() : new ApiError('permission_denied');
  return mailbox;
}
