import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { presentDelivery } from '#shared/domain/mail/bounces/delivery.ts';
import { requireMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { htmlWithImages, type ImageChoice } from '#shared/domain/mail/threads/images.ts';
import type { IdRow } from '#shared/domain/mail/threads/message-ids.ts';
import { requireSeenThread } from '#shared/domain/mail/threads/policy.ts';
import { presentAttachment } from '#shared/domain/mail/threads/present.ts';
import { keys } from '#shared/table/keys.ts';
import { nothingWritten, unpack } from './content.ts';
import { type Answered, type Draft, type DraftRecord, presentDraft } from './draft.ts';

/** The drafts of the caller. */

/** The newest of a user. */
const MOST = 500;
/** Bytes of all texts in a list: further drafts are returned without theirs. */
const TEXT_BYTES = 4 * 1024 * 1024;

export interface DraftFilters {
  status?: 'draft' | 'queued' | 'failed' | undefined;
  thread_id?: string | undefined;
  mailbox_id?: string | undefined;
}

interface Shown {
  thread_id: string | null;
  images: ImageChoice | undefined;
  withText?: boolean;
}

/** What a draft is an answer to. */
export type Answering = Pick<Draft, 'account_id' | 'kind'> & {
  answered?: Pick<Answered, 'message_id' | 'id_hash'>;
};

/** By the drafts: threads merge, so where an answered message is can change. */
export async function threadsOf({ table }: Pick<CallerContext, 'table'>, drafts: Answering[]) {
  const wanted = drafts.flatMap(({ account_id, answered }) =>
    answered ? [keys.messageId(account_id, answered.id_hash, answered.message_id)] : [],
  );
  const rows = await table.getMany<IdRow>(wanted);
  const byMessage = new Map(rows.map((row) => [row.message_id, row.thread_id]));
  return (draft: Answering): string | null => {
    if (!draft.answered || draft.kind === 'forward') return null;
    return byMessage.get(draft.answered.message_id) ?? null;
  };
}

/** What it quotes may have external images, as the mail that it answers. */
function present(draft: Draft, { thread_id, images, withText = true }: Shown): DraftRecord {
  const { body, body_html } = withText ? unpack(draft) : nothingWritten;
  return presentDraft(draft, {
    ...{ body, body_html: htmlWithImages(body_html, images), thread_id },
    attachments: draft.attachments.map(presentAttachment),
    delivery: presentDelivery(draft.undelivered),
  });
}

export async function showDraft(
  ctx: CallerContext,
  draft: Draft,
  images?: ImageChoice,
): Promise<DraftRecord> {
  return present(draft, { thread_id: (await threadsOf(ctx, [draft]))(draft), images });
}

/** 404 for a thread that the caller does not see, and a mailbox without access. */
async function requireNamed(ctx: CallerContext, { thread_id, mailbox_id }: DraftFilters) {
  const [seen] = await Promise.all([
    thread_id === undefined ? undefined : requireSeenThread(ctx, thread_id),
    mailbox_id === undefined ? undefined : requireMailbox(ctx, mailbox_id),
  ]);
  return seen?.thread.id;
}

async function newestDrafts({ table, caller }: CallerContext, wanted: (draft: Draft) => boolean) {
  const { PK, SK } = keys.draft(caller.user.id, '');
  const found: Draft[] = [];
  for await (const page of table.pages<Draft>(PK, SK, { newest_first: true })) {
    found.push(...page.filter(wanted));
    if (found.length >= MOST) break;
  }
  return found.slice(0, MOST);
}

/** Those that are not sent, newest first. */
export async function listDrafts(
  ctx: CallerContext,
  { images, ...filters }: DraftFilters & { images?: ImageChoice | undefined },
): Promise<DraftRecord[]> {
  const { status, mailbox_id } = filters;
  const [thread_id, drafts] = await Promise.all([
    requireNamed(ctx, filters),
    newestDrafts(
      ctx,
      (draft) =>
        (status === undefined || draft.status === status) &&
        (mailbox_id === undefined || draft.mailbox_id === mailbox_id),
    ),
  ]);
  const threadOf = await threadsOf(ctx, drafts);
  let left = TEXT_BYTES;
  return drafts
    .filter((draft) => thread_id === undefined || threadOf(draft) === thread_id)
    .map((draft) => {
      const record = present(draft, { thread_id: threadOf(draft), images, withText: left > 0 });
      left -= Buffer.byteLength(`${record.body ?? ''}${record.body_html ?? ''}`);
      return record;
    });
}
