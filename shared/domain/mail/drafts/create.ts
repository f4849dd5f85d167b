import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { listMailboxes } from '#shared/domain/mail/mailboxes/store.ts';
import { contentIdKey, shownContentIds } from '#shared/domain/mail/mime/cid.ts';
import { ownAddresses } from '#shared/domain/mail/threads/entry.ts';
import { invalidField } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import type { Bucket } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist, type Write } from '#shared/table/table.ts';
import { answeredOf, recipientsOf, subjectOf } from './answer.ts';
import { checked, isStorable, requireKind, requireRoom } from './checks.ts';
import { contentOf, nothingWritten, pack } from './content.ts';
import type { Content, Draft, DraftDraft, Kind } from './draft.ts';
import { type Original, readOriginal } from './original.ts';
import { requireSender, writingMailbox } from './policy.ts';
import { assembled, quoteOf } from './quote.ts';
import { MAX_BODY } from './written.ts';

/** Of those that are there: a message may be in one that is being deleted. */
async function chosenMailbox(ctx: CallerContext, from: ReadonlySet<string>): Promise<string> {
  const there = await listMailboxes(ctx);
  const chosen = writingMailbox(
    ctx.caller.user,
    there.flatMap(({ id }) => (from.has(id) ? id : [])),
  );
  if (chosen === undefined) throw invalidField('mailbox_id', 'required', 'is required');
  return chosen;
}

const fits = ({ body, body_html }: Content) =>
  (body ?? '').length <= MAX_BODY && (body_html ?? '').length <= MAX_BODY;

interface Writing {
  sent: DraftDraft;
  original: Original | undefined;
  mailbox: Mailbox;
}

/** What is written with the signature and the quote, and with less. */
function* contents(ctx: CallerContext, kind: Kind, { sent, original, mailbox }: Writing): Generator<Content> {
  const written = contentOf(sent);
  const { signature_html } = mailbox;
  const signature = signature_html ? contentOf({ body_html: signature_html }) : nothingWritten;
  if (original) yield assembled(written, signature, quoteOf(kind, original, ctx.caller.user.time_zone));
  yield assembled(written, signature, undefined);
}

/** All of a forwarded message; of an answered one the pictures that its quote shows. */
function attachmentsFor(kind: Kind, { message }: Original, { body_html }: Content): Draft['attachments'] {
  const shown = shownContentIds(body_html ?? '');
  const all = message.attachments.map((each) => ({
    ...each,
    inline: each.content_id !== null && shown.has(contentIdKey(each.content_id)),
    id: newId(new Date(message.sent)),
  }));
  return kind === 'forward' ? all : all.filter(({ inline }) => inline);
}

/** Of the caller, with nothing but what was sent. */
function plainDraft({ caller, now }: CallerContext, sent: DraftDraft, mailbox_id: string): Draft {
  const id = newId(now);
  return {
    ...keys.draft(caller.user.id, id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    status: 'draft',
    in_reply_to_message_id: sent.in_reply_to_message_id ?? null,
    kind: sent.kind ?? (sent.in_reply_to_message_id ? 'reply' : 'new'),
    mailbox_id,
    from_email_address: sent.from_email_address ?? null,
    to_email_addresses: sent.to_email_addresses ?? [],
    cc_email_addresses: sent.cc_email_addresses ?? [],
    bcc_email_addresses: sent.bcc_email_addresses ?? [],
    subject: sent.subject ?? null,
    rfc_id: null,
    attachments: [],
    ...{ send_at: null, sent_at: null, last_error: null, attempts: 0, proposal_id: null },
    created_at: now.toISOString(),
    updated_at: null,
  };
}

/** What an answer has of the message, as far as nothing else was sent. */
async function withOriginal(
  ctx: CallerContext,
  draft: Draft,
  sent: DraftDraft,
  original: Original,
): Promise<Draft> {
  const { kind } = draft;
  const derived =
    sent.to_email_addresses === undefined
      ? recipientsOf(kind, original, ownAddresses(ctx.caller.user, await listMailboxes(ctx)))
      : undefined;
  return {
    ...draft,
    answered: answeredOf(kind, original),
    to_email_addresses: derived?.to_email_addresses ?? draft.to_email_addresses,
    cc_email_addresses: sent.cc_email_addresses ?? derived?.cc_email_addresses ?? [],
    subject: sent.subject === undefined ? subjectOf(kind, original.message.subject) : draft.subject,
  };
}

/** A quote that finds no room is left out, in characters or in the item of the draft. */
function withText(ctx: CallerContext, draft: Draft, writing: Writing): Draft {
  const { original, sent } = writing;
  const having = (content: Content): Draft => ({
    ...draft,
    attachments: original ? attachmentsFor(draft.kind, original, content) : [],
    ...pack(content),
  });
  for (const content of contents(ctx, draft.kind, writing)) {
    const whole = having(content);
    if (fits(content) && isStorable(whole)) return whole;
  }
  return having(contentOf(sent));
}

export interface PlannedDraft {
  draft: Draft;
  mailbox: Mailbox;
}

/**
 * 404 for a mailbox without access and for a message that the caller does not see, 403 for a mailbox that the caller may
 * only look at, 400 for an address that the mailbox does not have.
 */
export async function planDraft(
  ctx: CallerContext,
  bucket: () => Bucket,
  sent: DraftDraft,
): Promise<PlannedDraft> {
  const answers = sent.in_reply_to_message_id ?? null;
  requireKind(sent.kind ?? (answers === null ? 'new' : 'reply'), answers);
  const original = answers === null ? undefined : await readOriginal(ctx, bucket(), answers);
  const mailbox_id =
    sent.mailbox_id ?? (await chosenMailbox(ctx, original?.message.mailbox_ids ?? new Set()));
  const mailbox = await requireSender(ctx, mailbox_id);
  const plain = plainDraft(ctx, sent, mailbox_id);
  const answer = original ? await withOriginal(ctx, plain, sent, original) : plain;
  const draft = withText(ctx, answer, { sent, original, mailbox });
  requireRoom(draft);
  return { draft: checked(draft, mailbox), mailbox };
}

export const draftCreation = (draft: Draft): Write => ({ put: draft, when: mustNotExist });

/** As `planDraft` refuses. */
export async function createDraft(
  ctx: CallerContext,
  bucket: () => Bucket,
  sent: DraftDraft,
): Promise<Draft> {
  const { draft } = await planDraft(ctx, bucket, sent);
  await ctx.table.transact([draftCreation(draft)]);
  return draft;
}
