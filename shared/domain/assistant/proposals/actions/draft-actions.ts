import { changeOf, type Display } from '#shared/domain/collaboration/replies/display.ts';
import { contentOf } from '#shared/domain/mail/drafts/content.ts';
import { draftCreation, type PlannedDraft, planDraft } from '#shared/domain/mail/drafts/create.ts';
import { draftDeletion } from '#shared/domain/mail/drafts/delete.ts';
import { type DraftDraft, draftDraft, type Kind } from '#shared/domain/mail/drafts/draft.ts';
import { requireDraft, writingMailbox } from '#shared/domain/mail/drafts/policy.ts';
import { listMailboxes } from '#shared/domain/mail/mailboxes/store.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { type Action, type ActionContext, type Actions, notUndoable } from './action.ts';

/** Drafts are proposed, and sent by people alone. */

const titles: Record<Kind, string> = {
  new: 'Draft a mail',
  reply: 'Draft a reply',
  reply_all: 'Draft a reply to all',
  forward: 'Draft a forwarded mail',
};

const list = (texts: string[]) => texts.join(', ') || null;

/** As it would be sent, without signature and quote. */
function shown({ draft, mailbox }: PlannedDraft, sent: DraftDraft): Display['changes'] {
  const fields: Record<string, string | null> = {
    from_email_address: draft.from_email_address ?? mailbox.email_address,
    to_email_addresses: list(draft.to_email_addresses),
    cc_email_addresses: list(draft.cc_email_addresses),
    bcc_email_addresses: list(draft.bcc_email_addresses),
    subject: draft.subject,
    body: contentOf(sent).body,
    attachments: list(draft.attachments.flatMap(({ inline, file_name }) => (inline ? [] : [file_name]))),
  };
  return Object.entries(fields).flatMap(([field, text]) =>
    text === null ? [] : [changeOf(field, null, text)],
  );
}

/** A new mail is written in the user's own mailbox when none is named, in one that sends if there is one. */
async function withMailbox(ctx: ActionContext, sent: DraftDraft): Promise<DraftDraft> {
  if (sent.mailbox_id !== undefined || sent.in_reply_to_message_id) return sent;
  const all = await listMailboxes(ctx);
  const sending = all.filter(({ mail_server }) => mail_server?.smtp);
  const known = [sending, all].map((some) => some.map(({ id }) => id));
  const [mailbox_id] = known.flatMap((ids) => writingMailbox(ctx.caller.user, ids) ?? []);
  return { ...sent, mailbox_id };
}

const create: Action<DraftDraft> = {
  params: draftDraft,
  params_hint:
    '{in_reply_to_message_id: of a message in read_record, when it answers or forwards one, kind: "reply", "reply_all" or "forward", body: plain text without signature and quote; to_email_addresses, cc_email_addresses and subject follow from the message; mailbox_id: left out}',

  async prepare(ctx, sent) {
    const planned = await planDraft(ctx, () => bucketOf(ctx), await withMailbox(ctx, sent));
    const { draft } = planned;
    return {
      record: null,
      base_updated_at: null,
      tag_id: null,
      // Whom it answers follows from the message, for whoever accepts.
      params: { ...sent, mailbox_id: draft.mailbox_id, kind: draft.kind },
      display: { title: titles[draft.kind], summary: null, changes: shown(planned, sent) },
      apply: async (proposal_id) => ({
        writes: [draftCreation({ ...draft, proposal_id })],
        jobs: [],
        applied: { type: 'draft', id: draft.id },
        undo: {},
      }),
    };
  },

  async undo(ctx, { applied_record_id }) {
    const draft = await requireDraft(ctx, applied_record_id ?? '');
    if (draft.status !== 'draft' || draft.updated_at !== null) throw notUndoable();
    return { writes: [draftDeletion(draft)], jobs: [] };
  },
};

/** Its parameters are those of the request that does the same. */
export const draftActions: Actions = { 'draft.create': create as Action };
