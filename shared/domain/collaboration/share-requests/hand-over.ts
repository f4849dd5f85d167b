import { asOfNow, type Context } from '#shared/context.ts';
import type { Passes, Passing } from '#shared/domain/identity/users/leaving.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { withdrawn } from './answer.ts';
import { isPending, type ShareRequest } from './request.ts';
import { changedRequestWrites, type Row } from './writes.ts';

/** Who takes over a user's mailboxes answers what the user was asked; what the user asked for is withdrawn. */

function passed(request: ShareRequest, { from, to }: Passing, now: Date): ShareRequest {
  if (request.user_id === from.id) return withdrawn(request, now);
  const ids = request.approver_user_ids.map((id) => (id === from.id ? to.id : id));
  const approver_user_ids = [...new Set(ids)].filter((id) => id !== request.user_id);
  // Who asks took over the mailbox.
  if (approver_user_ids.length === 0) return withdrawn(request, now);
  return { ...request, approver_user_ids, updated_at: nextMoment(request, now) };
}

function passRequest(ctx: Context, id: string, passing: Passing): Promise<void> {
  return retryOnConflict(async () => {
    const request = await ctx.table.get<ShareRequest>(keys.shareRequest(id));
    if (!request || !isPending(request)) return;
    await ctx.table.transact(changedRequestWrites(request, passed(request, passing, asOfNow(ctx).now)));
  });
}

export const passShareRequests: Passes<object> = async (ctx, passing, timeIsUp) => {
  for (const direction of ['sent', 'received'] as const) {
    const { PK, SK } = keys.shareRequestRow(passing.from.id, direction, true, '');
    for await (const page of ctx.table.pages<Row>(PK, SK))
      for (const { request_id } of page) {
        if (timeIsUp()) return false;
        await passRequest(ctx, request_id, passing);
      }
  }
  return true;
};
