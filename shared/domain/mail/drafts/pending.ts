import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { htmlWithImages, type ImageChoice } from '#shared/domain/mail/threads/images.ts';
import type { PendingMessage } from '#shared/domain/mail/threads/schema.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { unpack } from './content.ts';
import { copiesOfDraft } from './copies.ts';
import type { Draft } from './draft.ts';
import { type Answering, threadsOf } from './store.ts';

/** What the caller has sent in a thread, until the copy of the server is there. */

/**
 * Shows that an answer is being sent, or was. It is in the thread of the answered message, which may become part of another:
 * `thread_id` is where it was when its sending began.
 */
export type PendingDraft = Item & Answering & { draft_id: string; thread_id: string };

const isThere = async ({ table }: CallerContext, draft: Draft, mailbox: Mailbox | undefined) =>
  mailbox !== undefined && (await copiesOfDraft(table, draft, mailbox)).length > 0;

const isUnderWay = ({ status }: Draft) => status === 'sending' || status === 'sent';

interface Shown {
  thread_id: string;
  mailboxes: Map<string, Mailbox>;
  images: ImageChoice | undefined;
}

/** What it quotes may have external images, as the mail that it answers. */
function shown(draft: Draft, { thread_id, mailboxes, images }: Shown): PendingMessage {
  const { body, body_html } = unpack(draft);
  const { id, status, mailbox_id, subject, rfc_id, created_at, sent_at } = draft;
  return {
    ...{ id, delivery_status: status === 'sent' ? 'sent' : 'sending', thread_id, mailbox_id },
    from_email_address: draft.from_email_address ?? mailboxes.get(mailbox_id)?.email_address ?? null,
    to_email_addresses: draft.to_email_addresses,
    cc_email_addresses: draft.cc_email_addresses,
    bcc_email_addresses: draft.bcc_email_addresses,
    ...{ subject, body, body_html: htmlWithImages(body_html, images), rfc_id, created_at, sent_at },
  };
}

async function draftsOf({ table, caller }: CallerContext, ids: string[]): Promise<Draft[]> {
  const found = await table.getMany<Draft>(
    ids.flatMap((id) => [keys.draft(caller.user.id, id), keys.sentDraft(caller.user.id, id)]),
  );
  return found.filter(isUnderWay);
}

/** Oldest first. One read more while nothing is under way, and one for each answer that is, in whatever thread. */
export async function pendingIn(
  ctx: CallerContext,
  thread_id: string,
  images?: ImageChoice,
): Promise<PendingMessage[]> {
  const { PK, SK } = keys.pendingDraft(ctx.caller.user.id, '');
  const all = await ctx.table.all<PendingDraft>(PK, SK);
  const threadOf = await threadsOf(ctx, all);
  const pending = all.filter((each) => threadOf(each) === thread_id);
  if (pending.length === 0) return [];
  const drafts = await draftsOf(
    ctx,
    pending.map(({ draft_id }) => draft_id),
  );
  const mailboxes = await ctx.table.getMany<Mailbox>(
    [...new Set(drafts.map(({ mailbox_id }) => mailbox_id))].map((id) =>
      keys.mailbox(ctx.caller.account.id, id),
    ),
  );
  const byId = new Map(mailboxes.map((mailbox) => [mailbox.id, mailbox]));
  const showing = { thread_id, mailboxes: byId, images };
  const there = await Promise.all(drafts.map((draft) => isThere(ctx, draft, byId.get(draft.mailbox_id))));
  return drafts
    .filter((_, i) => !there[i])
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((draft) => shown(draft, showing));
}
