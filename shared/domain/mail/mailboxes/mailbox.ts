import * as z from 'zod';
import {
  presentShares,
  type ShareRecord,
  type StoredShare,
  shareSchema,
} from '#shared/domain/collaboration/shares/share.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { apart, derived, given, narrower, required, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { isoDate, nameText, timestamp, uuid } from '#shared/values.ts';

const failure = z.strictObject({ code: z.string(), message: z.string() });

const sync = z.strictObject({
  last_started_at: timestamp.nullable(),
  last_finished_at: timestamp.nullable(),
  next_at: timestamp.nullable(),
  backfill_percent: z.int().nullable(),
  threads_imported: z.int().nullable(),
  messages_imported: z.int(),
  messages_pending: z.int(),
  messages_failed: z.int(),
  last_error: failure.nullable(),
});

/** Whose addresses become contacts: those that were written to, also those that wrote, or nobody's. */
export const contactCreations = ['sent', 'all', 'none'] as const;

export type ContactCreation = (typeof contactCreations)[number];

const contactCreation = z.enum(contactCreations);

const mailboxes = resource('Mailbox', {
  id: given(uuid),
  user_id: given(uuid),
  owner_user_id: derived(uuid),
  email_address: given(z.string()),
  name: required(nameText(255), z.string()),
  aliases: given(z.array(z.string())),
  provider: narrower(z.enum(['gmail', 'outlook', 'imap', 'import']), z.literal('import')),
  access: derived(z.enum(['owner', 'edit', 'view'])),
  primary: derived(z.boolean()),
  status: narrower(
    z.enum(['connecting', 'importing', 'active', 'locked', 'disconnected']),
    z.enum(['active', 'locked']),
  ),
  lock: derived(z.strictObject({ code: z.string(), message: z.string(), locked_at: timestamp }).nullable()),
  contact_creation: apart(required(contactCreation, contactCreation)),
  label_sync: given(z.boolean()),
  calendar_sync: apart(required(z.boolean(), z.boolean())),
  share_metadata: derived(z.boolean()),
  outbound_enabled: derived(z.boolean()),
  signature_html: derived(z.string().nullable()),
  backfill_from: derived(isoDate.nullable()),
  sync: derived(sync),
  shares: apart(given(z.array(shareSchema).nullable())),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

/** A mailbox as stored. Provider `import` has no mail server: its mail comes from archives only. */
export type Mailbox = Item &
  StoredFields<typeof mailboxes.fields> & {
    account_id: string;
    /** Missing as long as it was never chosen. */
    contact_creation?: ContactCreation;
    /** Shares by id. */
    shares: Record<string, StoredShare>;
    /** Missing without a server of calendars. */
    calendar_sync?: boolean;
    calendar_server?: CalendarLogin;
    /** The calendars at the server, those that it no longer has too. */
    calendar_ids?: string[];
    calendar_state?: CalendarState;
    /** While `status` is locked. */
    lock?: Failure & { locked_at: string };
    messages_imported: number;
    messages_failed: number;
  };

export type Failure = z.infer<typeof failure>;

/** How the service signs in to a server of calendars. The password is sealed for the mailbox. */
export interface CalendarLogin {
  url: string;
  username: string;
  password: string;
}

/** How the last reading of the calendars went. */
export interface CalendarState {
  last_started_at: string;
  last_finished_at: string | null;
  /** Null while none is planned. */
  next_at: string | null;
  last_error: Failure | null;
  /** In a row, of which the server refused the credentials so often. */
  failures: number;
  refusals: number;
}

/** docs/specification/mail.md, "Mailboxes". */
export const mailboxSchema = mailboxes.response;

export const mailboxChanges = mailboxes.changes.meta({ id: 'MailboxChanges' });

export type MailboxChanges = Pick<
  z.output<typeof mailboxChanges>,
  'name' | 'contact_creation' | 'calendar_sync'
>;

export const creationOf = ({ contact_creation = 'sent' }: Pick<Mailbox, 'contact_creation'>) =>
  contact_creation;

export function sharesOfMailbox({ id, shares }: Mailbox): ShareRecord[] {
  return presentShares(shares, { type: 'mailboxes', id });
}

/** `shares` is null in lists. No mailbox with a mail server exists yet: what it reads are calendars. */
export function presentMailbox(
  mailbox: Mailbox,
  viewer: User,
  shares: ShareRecord[] | null,
): z.infer<typeof mailboxSchema> {
  const { calendar_state: state } = mailbox;
  return mailboxes.present(mailbox, {
    owner_user_id: mailbox.user_id,
    access: viewer.mailboxes[mailbox.id] ?? 'view',
    primary: viewer.primary_mailbox_id === mailbox.id,
    contact_creation: creationOf(mailbox),
    lock: mailbox.lock ?? null,
    calendar_sync: mailbox.calendar_sync ?? false,
    share_metadata: false,
    outbound_enabled: false,
    signature_html: null,
    backfill_from: null,
    sync: {
      last_started_at: state?.last_started_at ?? null,
      last_finished_at: state?.last_finished_at ?? null,
      next_at: state?.next_at ?? null,
      backfill_percent: null,
      threads_imported: null,
      messages_imported: mailbox.messages_imported,
      messages_pending: 0,
      messages_failed: mailbox.messages_failed,
      last_error: state?.last_error ?? null,
    },
    shares,
  });
}
