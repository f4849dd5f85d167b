import * as z from 'zod';
import {
  inOrder,
  presentShare,
  type ShareRecord,
  type StoredShare,
  shareRecord,
} from '#shared/domain/collaboration/shares/share.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Item } from '#shared/table/table.ts';
import { isoDate, timestamp, uuid } from '#shared/values.ts';

/** A mailbox as stored. Provider `import` has no mail server: its mail comes from archives only. */
export type Mailbox = Item & {
  id: string;
  account_id: string;
  user_id: string;
  email_address: string;
  name: string;
  aliases: string[];
  provider: 'import';
  status: 'active';
  label_sync: boolean;
  /** By id: who it is shared with. */
  shares: Record<string, StoredShare>;
  messages_imported: number;
  messages_failed: number;
  created_at: string;
  updated_at: string | null;
};

const failure = z.strictObject({ code: z.string(), message: z.string() });

/** docs/specification/mail.md, "Mailboxes". */
export const mailboxRecord = z
  .strictObject({
    id: uuid,
    user_id: uuid,
    owner_user_id: uuid,
    email_address: z.string(),
    name: z.string(),
    aliases: z.array(z.string()),
    provider: z.enum(['gmail', 'outlook', 'imap', 'import']),
    access: z.enum(['owner', 'edit', 'view']),
    primary: z.boolean(),
    status: z.enum(['connecting', 'importing', 'active', 'locked', 'disconnected']),
    lock: z.strictObject({ code: z.string(), message: z.string(), locked_at: timestamp }).nullable(),
    label_sync: z.boolean(),
    calendar_sync: z.boolean(),
    share_metadata: z.boolean(),
    outbound_enabled: z.boolean(),
    signature_html: z.string().nullable(),
    backfill_from: isoDate.nullable(),
    sync: z.strictObject({
      last_started_at: timestamp.nullable(),
      last_finished_at: timestamp.nullable(),
      next_at: timestamp.nullable(),
      backfill_percent: z.int().nullable(),
      threads_imported: z.int().nullable(),
      messages_imported: z.int(),
      messages_pending: z.int(),
      messages_failed: z.int(),
      last_error: failure.nullable(),
    }),
    shares: z.array(shareRecord).nullable(),
    created_at: timestamp,
    updated_at: timestamp.nullable(),
  })
  .meta({ id: 'Mailbox' });

export function sharesOfMailbox({ id, shares }: Mailbox): ShareRecord[] {
  return inOrder(Object.values(shares)).map((share) => presentShare(share, { type: 'mailboxes', id }));
}

/** `shares` is null in lists. No mailbox with a mail server exists yet, so what a server would tell is empty. */
export function presentMailbox(
  mailbox: Mailbox,
  viewer: User,
  shares: ShareRecord[] | null,
): z.infer<typeof mailboxRecord> {
  return {
    id: mailbox.id,
    user_id: mailbox.user_id,
    owner_user_id: mailbox.user_id,
    email_address: mailbox.email_address,
    name: mailbox.name,
    aliases: mailbox.aliases,
    provider: mailbox.provider,
    access: viewer.mailboxes[mailbox.id] ?? 'view',
    primary: viewer.primary_mailbox_id === mailbox.id,
    status: mailbox.status,
    lock: null,
    label_sync: mailbox.label_sync,
    calendar_sync: false,
    share_metadata: false,
    outbound_enabled: false,
    signature_html: null,
    backfill_from: null,
    sync: {
      last_started_at: null,
      last_finished_at: null,
      next_at: null,
      backfill_percent: null,
      threads_imported: null,
      messages_imported: mailbox.messages_imported,
      messages_pending: 0,
      messages_failed: mailbox.messages_failed,
      last_error: null,
    },
    shares,
    created_at: mailbox.created_at,
    updated_at: mailbox.updated_at,
  };
}
