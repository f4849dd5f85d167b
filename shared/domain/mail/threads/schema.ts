import * as z from 'zod';
import { commentSchema } from '#shared/domain/collaboration/comments/comment.ts';
import { SHARES_IN_LISTS, shareSchema } from '#shared/domain/collaboration/shares/share.ts';
import { tagSchema } from '#shared/domain/collaboration/tags/tag.ts';
import { deliverySchema } from '#shared/domain/mail/bounces/delivery.ts';
import { taskSchema } from '#shared/domain/work/tasks/task.ts';
import { apart, derived, given, narrower, resource, type StoredFields } from '#shared/resource.ts';
import { timestamp, uuid } from '#shared/values.ts';

/**
 * The fields of threads and their parts (docs/specification/mail.md, "Thread" and "Body"). A thread is shown from its
 * entry, which has what one user sees of it.
 */

const file = z
  .strictObject({
    id: uuid,
    name: z.string().nullable(),
    file_name: z.string().nullable(),
    extension: z.string().nullable(),
    description: z.string().nullable(),
  })
  .meta({ id: 'AttachmentFile' });

export const attachmentSchema = z
  .strictObject({
    id: uuid,
    file_id: uuid.nullable(),
    file: file.nullable(),
    content_type: z.string().nullable(),
    size: z.int().nullable().meta({ description: 'Bytes' }),
    inline: z.boolean().nullable(),
    content_id: z.string().nullable(),
    decorative: z.boolean(),
  })
  .meta({ id: 'Attachment' });

const bodySchema = z
  .strictObject({
    source_format: z.enum(['html', 'plain']).nullable(),
    sanitized_html: z.string().nullable(),
    new_plain_text: z.string().nullable(),
    new_html: z.string().nullable(),
    quoted_plain_text: z.string().nullable(),
    quoted_html: z.string().nullable(),
    has_quote_header: z.boolean().nullable(),
    truncated: z.boolean(),
  })
  .meta({ id: 'Body' });

export const messages = resource('Message', {
  id: given(uuid),
  sent_at: derived(timestamp.nullable()),
  from_email_address: derived(z.string().nullable()),
  to_email_addresses: derived(z.array(z.string())),
  cc_email_addresses: derived(z.array(z.string())),
  participant_email_addresses: derived(z.array(z.string())),
  snippet: given(z.string().nullable()),
  summary: derived(z.string().nullable()),
  attachments: derived(z.array(attachmentSchema).nullable()),
  delivery: derived(deliverySchema.nullable()),
  body: derived(bodySchema.nullable()),
});

const pendingMessageSchema = z
  .strictObject({
    id: uuid,
    delivery_status: z.enum(['sending', 'sent']),
    thread_id: uuid.nullable(),
    mailbox_id: uuid.nullable(),
    from_email_address: z.string().nullable(),
    to_email_addresses: z.array(z.string()),
    cc_email_addresses: z.array(z.string()),
    bcc_email_addresses: z.array(z.string()),
    subject: z.string().nullable(),
    body: z.string().nullable(),
    body_html: z.string().nullable(),
    rfc_id: z.string().nullable(),
    created_at: timestamp.nullable(),
    sent_at: timestamp.nullable(),
  })
  .meta({ id: 'PendingMessage' });

export type PendingMessage = z.infer<typeof pendingMessageSchema>;

const contactSummary = z.strictObject({ id: uuid, name: z.string() }).meta({ id: 'ContactSummary' });

const lastMessage = z
  .strictObject({
    id: uuid,
    sent_at: timestamp,
    from_email_address: z.string().nullable(),
    from_name: z.string().nullable().meta({ description: 'As in the headers of the mail' }),
  })
  .meta({ id: 'LastMessage' });

const participant = z
  .strictObject({
    email_address: z.string(),
    name: z.string().nullable().meta({ description: 'As in the headers of the mails' }),
    contact: contactSummary.nullable().meta({ description: 'The contact with this address, when visible' }),
  })
  .meta({ id: 'Participant' });

const category = z.enum(['personal', 'promotion', 'update', 'forum']).nullable();
const senders = z.array(z.string());
const participantNames = z.record(z.string(), z.string().nullable());
const shownTime = timestamp.nullable();
const shownFlag = z.boolean().nullable();
const shownNumber = z.int().nullable();

/** The fields that threads and open-thread entries have in common. */
const common = {
  id: derived(uuid),
  subject: given(z.string().nullable()),
  snippet: given(z.string().nullable()),
  headline: derived(z.string().nullable()),
  summary: derived(z.string().nullable()),
  message_count: narrower(shownNumber, z.int()),
  has_attachments: narrower(shownFlag, z.boolean()),
  read: derived(z.boolean()),
  flagged: derived(z.boolean()),
  resolved: derived(z.boolean()),
  snooze_until: derived(z.string().nullable()),
  /** Those that the user has access to; the entry also has mailboxes that only a share opens. */
  mailbox_ids: derived(z.array(uuid)),
  inbox_sort_time: given(shownTime),
  first_sent_at: narrower(shownTime, timestamp),
  last_sent_at: narrower(shownTime, timestamp),
  last_message: derived(
    lastMessage.nullable().meta({ description: 'The newest message that the user sees' }),
  ),
  participant_count: given(
    z.int().meta({
      description: 'Of all participants; lists name up to 100 of them, and a thread by itself up to 10,000',
    }),
  ),
  /** As many as the response has room for; the entry has all that fit into it. */
  participant_names: apart(given(participantNames)),
};

export const openThreads = resource('OpenThread', {
  ...common,
  category: given(category),
  sender_email_addresses: derived(senders),
  participant_email_addresses: derived(z.array(z.string())),
});

export const threads = resource('Thread', {
  ...common,
  participants: derived(
    z.record(z.string(), z.union([contactSummary, z.string(), z.null()])).meta({
      description: 'By email address: the matching contact, else the name in the headers, else null',
    }),
  ),
  participant_list: derived(
    z.array(participant).meta({
      description: '`participants` and `participant_names` in one list of records, in the same order',
    }),
  ),
  messages: derived(z.array(messages.response).nullable()),
  tasks: derived(z.array(taskSchema).nullable()),
  comments: derived(z.array(commentSchema).nullable()),
  tags: derived(z.array(tagSchema).nullable()),
  shares: derived(
    z
      .array(shareSchema)
      .nullable()
      .meta({
        description: `In lists ${SHARES_IN_LISTS} at most; the shares of the thread are listed whole`,
      }),
  ),
  pending_messages: derived(z.array(pendingMessageSchema)),
});

/** The fields that an entry and a message store as they are shown. */
export type ShownOfEntry = StoredFields<typeof openThreads.fields>;
export type ShownOfMessage = StoredFields<typeof messages.fields>;

export type OpenThreadRecord = z.infer<typeof openThreads.response>;
export type ThreadRecord = z.infer<typeof threads.response>;
export type MessageRecord = z.infer<typeof messages.response>;
