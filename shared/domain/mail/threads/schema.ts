import * as z from 'zod';
import { commentSchema } from '#shared/domain/collaboration/comments/comment.ts';
import { SHARES_IN_LISTS, shareSchema } from '#shared/domain/collaboration/shares/share.ts';
import { tagSchema } from '#shared/domain/collaboration/tags/tag.ts';
import { timestamp, uuid } from '#shared/values.ts';

/** The response schemas of threads and their parts (docs/specification/mail.md, "Thread" and "Body"). */

const file = z
  .strictObject({
    id: uuid,
    name: z.string().nullable(),
    file_name: z.string().nullable(),
    extension: z.string().nullable(),
    description: z.string().nullable(),
  })
  .meta({ id: 'AttachmentFile' });

const attachmentSchema = z
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

export const messageSchema = z
  .strictObject({
    id: uuid,
    sent_at: timestamp.nullable(),
    from_email_address: z.string().nullable(),
    to_email_addresses: z.array(z.string()),
    cc_email_addresses: z.array(z.string()),
    participant_email_addresses: z.array(z.string()),
    snippet: z.string().nullable(),
    summary: z.string().nullable(),
    attachments: z.array(attachmentSchema).nullable(),
    body: bodySchema.nullable(),
  })
  .meta({ id: 'Message' });

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

/** The fields that threads and open-thread entries have in common. */
const commonFields = {
  id: uuid,
  subject: z.string().nullable(),
  snippet: z.string().nullable(),
  headline: z.string().nullable(),
  summary: z.string().nullable(),
  message_count: z.int().nullable(),
  has_attachments: z.boolean().nullable(),
  read: z.boolean(),
  flagged: z.boolean(),
  resolved: z.boolean(),
  snooze_until: z.string().nullable(),
  mailbox_ids: z.array(uuid),
  inbox_sort_time: timestamp.nullable(),
  first_sent_at: timestamp.nullable(),
  last_sent_at: timestamp.nullable(),
  last_message: lastMessage.nullable().meta({ description: 'The newest message that the user sees' }),
  participant_count: z.int().meta({
    description: 'Of all participants; lists name up to 100 of them, and a thread by itself up to 10,000',
  }),
};

const participantNames = z.record(z.string(), z.string().nullable());

export const openThreadSchema = z
  .strictObject({
    ...commonFields,
    category: z.enum(['personal', 'promotion', 'update', 'forum']).nullable(),
    sender_email_addresses: z.array(z.string()),
    participant_email_addresses: z.array(z.string()),
    participant_names: participantNames,
  })
  .meta({ id: 'OpenThread' });

export const threadSchema = z
  .strictObject({
    ...commonFields,
    participants: z.record(z.string(), z.union([contactSummary, z.string(), z.null()])).meta({
      description: 'By email address: the matching contact, else the name in the headers, else null',
    }),
    participant_names: participantNames,
    participant_list: z.array(participant).meta({
      description: '`participants` and `participant_names` in one list of records, in the same order',
    }),
    messages: z.array(messageSchema).nullable(),
    tasks: z.array(z.unknown()).nullable(),
    comments: z.array(commentSchema).nullable(),
    tags: z.array(tagSchema).nullable(),
    shares: z
      .array(shareSchema)
      .nullable()
      .meta({
        description: `In lists ${SHARES_IN_LISTS} at most; the shares of the thread are listed whole`,
      }),
    pending_messages: z.array(pendingMessageSchema),
  })
  .meta({ id: 'Thread' });

export type OpenThreadRecord = z.infer<typeof openThreadSchema>;
export type ThreadRecord = z.infer<typeof threadSchema>;
export type MessageRecord = z.infer<typeof messageSchema>;
