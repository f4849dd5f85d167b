import { notificationsOf } from '#shared/domain/collaboration/notifications/emit.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import { countNear } from '#shared/domain/platform/limits/near.ts';
import { countInHour } from '#shared/domain/platform/rates/hourly.ts';
import { invalidField, rateLimited } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { TRANSACTION_LIMIT, type Write } from '#shared/table/table.ts';
import type { InteractionRef, KnowsHidden } from './interaction.ts';
import { requireAskable } from './policy.ts';
import { presentRequest, type ShareRequest, type ShareRequestDraft, typeOf } from './request.ts';
import { type Asked, newRequestWrites } from './writes.ts';

/** docs/specification/people.md, "Share requests". */
const MOST_IN_HOUR = 60;
const MAX_PENDING = 100;
/** Milliseconds between two requests of a user for one record. */
const ASK_AGAIN = 86_400_000;

type Ctx = CallerContext<KnowsHidden & SeesRecords>;

/** 429 for a user who asks too often, also for what there is not: nobody tries many ids. */
async function countAsking({ table, caller, now }: Ctx): Promise<void> {
  const counted = { what: 'share_requests', subject: caller.user.id };
  const retry_after = await countInHour(table, counted, MOST_IN_HOUR, now);
  if (retry_after > 0)
    throw rateLimited(retry_after, `The limit is ${MOST_IN_HOUR} requests for access in an hour for a user.`);
}

/** 429 until a day after the last request for the record, however it ended. */
function requirePause(last: Asked | undefined, now: Date): void {
  const wait = last ? Date.parse(last.asked_at) + ASK_AGAIN - now.getTime() : 0;
  if (wait > 0)
    throw rateLimited(Math.ceil(wait / 1_000), 'The limit is one request for the same record in a day.');
}

/** What is written with one more besides. 400 when the user has the maximum number of them. */
async function roomForOneMore({ table, caller }: Ctx): Promise<Write[]> {
  const { PK, SK } = keys.shareRequestRow(caller.user.id, 'sent', true, '');
  const pending = await countNear(table, {
    key: keys.additions(caller.user.id, 'share_requests'),
    most: MAX_PENDING,
    count: () => table.count({ partition: PK, sort: { begins: SK } }, MAX_PENDING),
  });
  if (pending.count >= MAX_PENDING)
    throw invalidField(
      'share_request',
      'invalid',
      `cannot be added: a user has at most ${MAX_PENDING} pending ones`,
    );
  return pending.writes;
}

function newRequest(
  { caller, now }: Ctx,
  { record_type, message }: ShareRequestDraft,
  asked: { id: string; approver_user_ids: string[] },
): ShareRequest {
  const id = newId(now);
  return {
    ...keys.shareRequest(id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    ...{ record_type, record_id: asked.id, message: message ?? null },
    approver_user_ids: asked.approver_user_ids,
    status: 'pending',
    ...{ answered_by_user_id: null, answered_at: null, share_id: null },
    created_at: now.toISOString(),
    updated_at: null,
  };
}

/** The one that is pending already. */
async function findPending({ table }: Ctx, last: Asked | undefined): Promise<ShareRequest | undefined> {
  if (last?.status !== 'pending') return undefined;
  return table.get<ShareRequest>(keys.shareRequest(last.request_id));
}

export interface Sent {
  request: ShareRequest;
  /** It was pending already. */
  existing: boolean;
}

/** Asks those who may give access, once. */
export async function createShareRequest(ctx: Ctx, draft: ShareRequestDraft): Promise<Sent> {
  await countAsking(ctx);
  const ref: InteractionRef = { type: typeOf(draft), id: draft.record_id };
  return retryOnConflict(async () => {
    const { interaction, approver_user_ids } = await requireAskable(ctx, ref);
    const { id, label } = interaction;
    const last = await ctx.table.get<Asked>(keys.askedFor(ctx.caller.user.id, ref.type, id));
    const pending = await findPending(ctx, last);
    if (pending) return { request: pending, existing: true };
    requirePause(last, ctx.now);
    const room = await roomForOneMore(ctx);
    const request = newRequest(ctx, draft, { id, approver_user_ids });
    const writes = [...newRequestWrites(request, last), ...room];
    const occurrence = {
      account_id: ctx.caller.account.id,
      record: { type: ref.type, id, label },
      about: { share: presentRequest(request) },
      actor_id: ctx.caller.user.id,
      told: [{ event: 'interaction_share_requested' as const, user_ids: approver_user_ids }],
    };
    const told = await notificationsOf(ctx, occurrence, TRANSACTION_LIMIT - writes.length);
    await commit(ctx, together(writes, told));
    return { request, existing: false };
  });
}
