import * as z from 'zod';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { ApiError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { momentOrShortcut, readMomentOrShortcut } from '#shared/shortcuts.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Write } from '#shared/table/table.ts';
import type { Mailbox } from '../mailboxes/mailbox.ts';
import { recipientsIn } from './checks.ts';
import type { Draft, DraftRecord } from './draft.ts';
import { sendingAt } from './due.ts';
import { requireDraft, requireOutbound, requireSenderOf } from './policy.ts';
import { showDraft } from './store.ts';
import { changedDraft, draftWrite } from './writes.ts';

/** What a request to send says. */
export const sending = {
  send_at: momentOrShortcut.nullish(),
  undo_seconds: z.int().min(0).max(30).optional(),
};

export interface Sending {
  send_at?: string | null | undefined;
  undo_seconds?: number | undefined;
}

/** The later of both; never before now. */
function momentOf(
  { caller: { user }, now }: CallerContext,
  { send_at, undo_seconds = 0 }: Sending,
): { at: Date; shown: Date | null } {
  const undo = new Date(now.getTime() + undo_seconds * 1_000);
  const { time_zone } = user;
  const wanted = send_at ? readMomentOrShortcut(send_at, { field: 'send_at', now, time_zone }) : now;
  const at = wanted > undo ? wanted : undo;
  return { at, shown: at > now ? at : null };
}

/** Of the domain that sends, so that a server finds nothing strange about it. */
function messageIdOf({ id, from_email_address: from }: Draft, { email_address }: Mailbox): string {
  const domain = (from ?? email_address).split('@').at(-1) as string;
  return `${id}@${new URL(`http://${domain}`).hostname}`;
}

function queued(ctx: CallerContext, before: Draft, mailbox: Mailbox, sent: Sending) {
  const { at, shown } = momentOf(ctx, sent);
  const after: Draft & { sending_id: string } = {
    ...before,
    status: 'queued',
    rfc_id: before.rfc_id ?? messageIdOf(before, mailbox),
    send_at: shown?.toISOString() ?? null,
    sending_id: newId(ctx.now),
    attempts: 0,
    last_error: null,
  };
  const draft = changedDraft(before, after, ctx.now);
  return { draft, ...sendingAt(draft, at, ctx.now) };
}

/**
 * 404 and 403 as for its mailbox; 409 `draft_already_queued`, 422 `outbound_disabled`, `mailbox_locked` and
 * `draft_has_no_recipients`. The writes of `also` are in the same transaction.
 */
export function sendDraft(
  ctx: CallerContext,
  id: string,
  sent: Sending,
  also: (draft: DraftRecord) => Write[],
): Promise<DraftRecord> {
  return retryOnConflict(async () => {
    const before = await requireDraft(ctx, id);
    const mailbox = await requireSenderOf(ctx, before);
    if (before.status !== 'draft' && before.status !== 'failed') throw new ApiError('draft_already_queued');
    requireOutbound(mailbox);
    if (recipientsIn(before).length === 0) throw new ApiError('draft_has_no_recipients');
    requireVersion(ctx, id, before);
    const { draft, writes, jobs } = queued(ctx, before, mailbox, sent);
    const shown = await showDraft(ctx, draft);
    await commit(ctx, { writes: [draftWrite(before, draft), ...writes, ...also(shown)], jobs });
    return shown;
  });
}
