import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { requireMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { Draft } from './draft.ts';

/** A draft is its user's alone; who sends from a mailbox owns it, or may edit it. */

/** Sent ones are kept apart from the others for some time. */
export async function findDraft(table: Table, user_id: string, id: string): Promise<Draft | undefined> {
  const [found] = await table.getMany<Draft>([keys.draft(user_id, id), keys.sentDraft(user_id, id)]);
  return found;
}

/** 404 for a draft of somebody else. */
export async function requireDraft({ table, caller }: CallerContext, id: string): Promise<Draft> {
  const draft = await findDraft(table, caller.user.id, id);
  if (!draft) throw recordNotFound();
  return draft;
}

/** 422 `draft_not_editable` once it is queued. */
export function requireEditable({ status }: Pick<Draft, 'status'>): void {
  if (status !== 'draft' && status !== 'failed') throw new ApiError('draft_not_editable');
}

export const maySend = ({ mailboxes }: Pick<User, 'mailboxes'>, mailbox_id: string): boolean =>
  mailboxes[mailbox_id] === 'owner' || mailboxes[mailbox_id] === 'edit';

/** The one of these mailboxes through which the user writes: the primary one, else one of the user's own. */
export function writingMailbox(user: User, ids: Iterable<string>): string | undefined {
  const rankOf = (id: string) => {
    if (id === user.primary_mailbox_id) return 0;
    return user.mailboxes[id] === 'owner' ? 1 : 2;
  };
  const may = [...ids].filter((id) => maySend(user, id)).sort();
  return may.sort((a, b) => rankOf(a) - rankOf(b))[0];
}

/** 404 for a mailbox that the caller has no access to, 403 for one that the caller may only look at. */
export async function requireSender(ctx: CallerContext, mailbox_id: string): Promise<Mailbox> {
  const mailbox = await requireMailbox(ctx, mailbox_id);
  if (!maySend(ctx.caller.user, mailbox_id)) throw new ApiError('permission_denied');
  return mailbox;
}

/** The same of the mailbox of a draft, also when it was deleted since: it sends nothing then. */
export async function requireSenderOf(
  { table, caller: { user, account } }: CallerContext,
  { mailbox_id }: Pick<Draft, 'mailbox_id'>,
): Promise<Mailbox> {
  const sees = Object.hasOwn(user.mailboxes, mailbox_id);
  const mailbox = sees ? await table.get<Mailbox>(keys.mailbox(account.id, mailbox_id)) : undefined;
  if (!mailbox) throw recordNotFound();
  if (!maySend(user, mailbox_id)) throw new ApiError('permission_denied');
  return mailbox;
}

/** 422 for a mailbox that sends nothing, or is locked. */
export function requireOutbound({ mail_server, status }: Mailbox): void {
  if (!mail_server?.smtp) throw new ApiError('outbound_disabled');
  if (status === 'locked') throw new ApiError('mailbox_locked');
}
