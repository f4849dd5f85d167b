import * as z from 'zod';
import { deliverySchema, type Undelivered } from '#shared/domain/mail/bounces/delivery.ts';
import { attachmentSchema } from '#shared/domain/mail/threads/schema.ts';
import type { StoredAttachment } from '#shared/domain/mail/threads/thread.ts';
import {
  apart,
  defaulted,
  derived,
  given,
  narrower,
  optional,
  resource,
  type StoredFields,
} from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';
import { written } from './written.ts';

const id = uuid.nullable();
const kind = z.enum(['new', 'reply', 'reply_all', 'forward']);
const status = z.enum(['draft', 'queued', 'sending', 'sent', 'failed']);
const addresses = z.array(z.string().meta({ example: 'priya@ferries.example' }));
const text = z.string().nullable();

const failure = z.strictObject({
  code: z.enum([
    'recipient_refused',
    'authentication_failed',
    'message_too_large',
    'provider_rate_limited',
    'provider_failed',
    'connection_failed',
  ]),
  message: z.string(),
});

export type SendFailure = z.infer<typeof failure>;

const recipients = defaulted(written.recipients, [], addresses);

const drafts = resource('Draft', {
  id: given(uuid),
  user_id: given(uuid),
  status: given(status),
  thread_id: derived(id),
  in_reply_to_message_id: optional(uuid.nullish(), id),
  kind: optional(kind.optional(), kind),
  mailbox_id: optional(uuid.optional(), uuid),
  from_email_address: optional(written.address.nullish(), text.meta({ example: 'ada@acme.example' })),
  to_email_addresses: recipients,
  cc_email_addresses: recipients,
  bcc_email_addresses: recipients,
  subject: optional(written.subject.optional(), text.meta({ example: 'Winter timetable' })),
  body: apart(optional(written.body.optional(), text.meta({ example: 'Thank you, we come at noon.' }))),
  body_html: apart(
    optional(written.body.optional(), text.meta({ example: '<p>Thank you, we come at noon.</p>' })),
  ),
  rfc_id: given(text),
  attachments: derived(z.array(attachmentSchema)),
  send_at: given(timestamp.nullable()),
  sent_at: given(timestamp.nullable()),
  last_error: narrower(failure.nullable(), failure.nullable()),
  attempts: given(z.int()),
  delivery: derived(deliverySchema.nullable()),
  proposal_id: given(id),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

/** What a mail says, as text and as HTML. */
export interface Content {
  body: string | null;
  body_html: string | null;
}

/** The message that a draft answers or forwards. */
export interface Answered {
  message_id: string;
  /** The hash of its Message-ID, by which its thread is found. */
  id_hash: string;
  /** `In-Reply-To` and `References`, without angle brackets; empty of a forwarded message. */
  references: string[];
}

/** A draft as stored. */
export type Draft = Item &
  StoredFields<typeof drafts.fields> & {
    account_id: string;
    /** Compressed JSON of its `Content`; missing while nothing is written. */
    packed?: Uint8Array;
    attachments: StoredAttachment[];
    answered?: Answered;
    /** The job that sends it, of this time it was queued. */
    sending_id?: string;
    /** `Date` of the mail: the same for all attempts. */
    dated_at?: string;
    /** It is being given to the server: only the server knows whether it has it. */
    on_wire?: true;
    /** It failed while nobody knew whether the server has it. */
    unsure?: true;
    /** Of a sent one: how often its copy was tried to be stored. */
    copies?: number;
    /** Of a sent one: whom it did not reach, or late. */
    undelivered?: Undelivered[];
  };

export type Kind = z.infer<typeof kind>;

/** docs/specification/mail.md, "Drafts". */
export const draftSchema = drafts.response;

export type DraftRecord = z.output<typeof draftSchema>;

export const draftDraft = drafts.strictDraft
  .extend({
    to_email_addresses: written.recipients.optional(),
    cc_email_addresses: written.recipients.optional(),
    bcc_email_addresses: written.recipients.optional(),
  })
  .meta({ id: 'DraftDraft' });

type Written = z.output<typeof drafts.writableChanges>;

export type DraftDraft = Written;

/** Fields that are not sent stay, and `null` clears. */
export const draftChanges = drafts.changes.meta({ id: 'DraftChanges' });

export type DraftChanges = Written;

export const presentDraft = (
  draft: Draft,
  shown: Content & Pick<DraftRecord, 'thread_id' | 'attachments' | 'delivery'>,
): DraftRecord => drafts.present(draft, shown);
