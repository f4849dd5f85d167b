import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { approversOf } from './hidden.ts';
import type { Interaction, InteractionRef, KnowsHidden } from './interaction.ts';
import { isPending, type ShareRequest } from './request.ts';

/** Who may ask for what, and who answers (docs/specification/people.md, "Share requests"). */

/**
 * A thread or an event that the caller may ask for, with the users to ask. 404 for one that nobody may know of, after as
 * many round trips as for one that there is not; 409 `already_shared` for one that the caller sees.
 */
export async function requireAskable(
  { table, caller, ports }: CallerContext<KnowsHidden>,
  { type, id }: InteractionRef,
): Promise<{ interaction: Interaction; approver_user_ids: string[] }> {
  const account_id = caller.account.id;
  const interaction = (await ports.hidden.kinds[type].find(table, account_id, [id])).get(id);
  if (interaction?.isSeenBy(caller.user)) throw new ApiError('already_shared');
  const mailbox_ids = interaction?.mailbox_ids ?? [];
  const read = mailbox_ids.length > 0 ? mailbox_ids : [id];
  const givers = await ports.hidden.givers(table, account_id, read);
  const approver_user_ids = interaction ? approversOf(interaction, givers) : [];
  if (!interaction || approver_user_ids.length === 0) throw recordNotFound();
  return { interaction, approver_user_ids };
}

const isOfRequester = ({ caller }: CallerContext, { user_id }: ShareRequest) => user_id === caller.user.id;

export const isApprover = ({ caller }: CallerContext, { approver_user_ids }: ShareRequest) =>
  approver_user_ids.includes(caller.user.id);

/** 404 for everybody but who asks and who is asked. */
export async function requireRequest(ctx: CallerContext, id: string): Promise<ShareRequest> {
  const request = await ctx.table.get<ShareRequest>(keys.shareRequest(id));
  if (!request || !(isOfRequester(ctx, request) || isApprover(ctx, request))) throw recordNotFound();
  return request;
}

/** 409 `share_request_already_answered` for one that is not pending. */
function requirePending(request: ShareRequest): void {
  if (!isPending(request)) throw new ApiError('share_request_already_answered');
}

/** A pending request that the caller answers. 403 for who asks. */
export async function requireAnswerable(ctx: CallerContext, id: string): Promise<ShareRequest> {
  const request = await requireRequest(ctx, id);
  if (!isApprover(ctx, request)) throw new ApiError('permission_denied');
  requirePending(request);
  return request;
}

/** A request that the caller sent: pending, or withdrawn already. 403 for who is asked, 412 for another version. */
export async function requireWithdrawable(ctx: CallerContext, id: string): Promise<ShareRequest> {
  const request = await requireRequest(ctx, id);
  if (!isOfRequester(ctx, request)) throw new ApiError('permission_denied');
  requireVersion(ctx, id, request);
  if (request.status !== 'withdrawn') requirePending(request);
  return request;
}
