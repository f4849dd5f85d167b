import * as z from 'zod';
import {
  presentShares,
  type ShareRecord,
  type StoredShare,
  shareSchema,
} from '#shared/domain/collaboration/shares/share.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { mailProviders } from '#shared/mail-providers.ts';
import { apart, derived, given, required, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { isoDate, nameText, text, timestamp, uuid } from '#shared/values.ts';

export const failureSchema = z.strictObject({ code: z.string(), message: z.string() });

const sync = z.strictObject({
  last_started_at: timestamp.nullable(),
  last_finished_at: timestamp.nullable(),
  next_at: timestamp.nullable(),
  backfill_percent: z.int().nullable(),
  threads_imported: z.int().nullable(),
  messages_imported: z.int(),
  messages_pending: z.int(),
  messages_failed: z.int(),
  last_error: failureSchema.nullable(),
});

/** Whose addresses become contacts: those that were written to, also those that wrote, or nobody's. */
export const contactCreations = ['sent', 'all', 'none'] as const;

export type ContactCreation = (typeof contactCreations)[number];

const contactCreation = z.enum(contactCreations);

/** Set by the service at first, and changed by requests. */
const changed = <Written extends z.ZodType, Shown extends z.ZodType>(written: Written, shown: Shown) => ({
  ...given(shown),
  change: written.optional(),
});

const mailboxes = resource('Mailbox', {
  id: given(uuid),
  user_id: given(uuid),
  owner_user_id: derived(uuid),
  email_address: given(z.string()),
  name: required(nameText(255), z.string()),
  aliases: given(z.array(z.string())),
  provider: given(z.enum([...mailProviders, 'imap', 'import'])),
  access: derived(z.enum(['owner', 'edit', 'view'])),
  primary: apart(changed(z.boolean(), z.boolean())),
  status: given(z.enum(['connecting', 'importing', 'active', 'locked', 'disconnected'])),
  lock: derived(z.strictObject({ code: z.string(), message: z.string(), locked_at: timestamp }).nullable()),
  contact_creation: apart(required(contactCreation, contactCreation)),
  label_sync: changed(z.boolean(), z.boolean()),
  calendar_sync: apart(required(z.boolean(), z.boolean())),
  share_metadata: apart(changed(z.boolean(), z.boolean())),
  outbound_enabled: derived(z.boolean()),
  signature_html: apart(changed(text(20_000).nullable(), z.string().nullable())),
  backfill_from: apart(changed(isoDate.nullable(), isoDate.nullable())),
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
    /** Missing as long as they were never chosen: false, no signature, all mail. */
    share_metadata?: boolean;
    signature_html?: string | null;
    backfill_from?: string | null;
    /** Since then it is there for its mail alone. */
    deleted_at?: string;
    /** Shares by id. */
    shares: Record<string, StoredShare>;
    /** Missing without a server of calendars. */
    calendar_sync?: boolean;
    calendar_server?: CalendarLogin;
    /** The calendars at the server, those that it no longer has too. */
    calendar_ids?: string[];
    calendar_state?: CalendarState;
    /** Missing for mailboxes that are filled from archives alone. */
    mail_server?: MailLogin;
    /** Of mailboxes with a mail server. */
    mail_state?: MailState;
    /** The server that sends refuses the login or mail; until it takes a mail, or somebody gives other credentials. */
    sending_error?: Failure;
    /** The server that sends takes no mail before this time. */
    sending_after?: string;
    /** Since when all of its mail is to be compared with the server. */
    mail_compare_after?: string;
    /** While `status` is locked. */
    lock?: Failure & { locked_at: string };
    messages_imported: number;
    messages_failed: number;
  };

export type Failure = z.infer<typeof failureSchema>;

/** Of a reading whose process ended each time. */
export const readingStopped: Failure = {
  code: 'reading_stopped',
  message: 'The reading stopped every time it was tried. It is tried again later.',
};

/** How the service signs in to a server of calendars. The password is sealed for the mailbox. */
export interface CalendarLogin {
  url: string;
  username: string;
  password: string;
}

/** How the service signs in to one mail server. The password is sealed for the mailbox; OAuth has a token instead. */
export interface StoredServer {
  host: string;
  port: number;
  tls: boolean;
  username: string;
  password: string | null;
  /** With OAuth, of each consent another one: whoever read the mailbox by an earlier one knows. */
  consent_id?: string;
}

/** Sealed tokens of OAuth 2.0. */
export interface MailTokens {
  refresh_token: string;
  access_token: string;
  /** Of the access token. */
  expires_at: string;
  /** Milliseconds: until then a worker that refreshes them has them to itself. */
  held_until?: number;
}

/** How the service signs in to the mail servers of a mailbox. */
export interface MailLogin {
  imap: StoredServer;
  /** Null for a mailbox that sends nothing. */
  smtp: StoredServer | null;
  /** Null with passwords. */
  oauth: MailTokens | null;
}

/** How the reading of a mailbox goes. */
export interface MailState {
  last_started_at: string | null;
  last_finished_at: string | null;
  /** Null while none is planned. */
  next_at: string | null;
  last_error: Failure | null;
  /** In a row; `refusals` are those in which the server refused the credentials. */
  failures: number;
  refusals: number;
  /** Of the first reading; 100 from then on. */
  backfill_percent: number;
  messages_pending: number;
  /** Runs that came to their end: large numbers of folders are looked at in turn. */
  round?: number;
  /** The last `sync_report`. */
  report?: MailReport;
}

/** Of a mailbox that was not read yet. */
export const noMailState: MailState = {
  ...{ last_started_at: null, last_finished_at: null, next_at: null, last_error: null },
  ...{ failures: 0, refusals: 0, backfill_percent: 0, messages_pending: 0 },
};

/** Its folders are stored apart, all of one run. */
export interface MailReport {
  id: string;
  parts: number;
  /** What the folders say, as a hash. */
  digest: string;
  from: string;
  to: string;
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

/** What its owner chooses, and is stored as chosen. */
export const choices = [
  ...(['name', 'contact_creation', 'label_sync', 'calendar_sync'] as const),
  ...(['share_metadata', 'signature_html', 'backfill_from'] as const),
] as const;

export type MailboxChanges = Pick<z.output<typeof mailboxChanges>, (typeof choices)[number] | 'primary'>;

export const creationOf = ({ contact_creation = 'sent' }: Pick<Mailbox, 'contact_creation'>) =>
  contact_creation;

/** What its owner chooses, with what was never chosen. */
export const chosen = (mailbox: Mailbox) => ({
  ...mailbox,
  contact_creation: creationOf(mailbox),
  calendar_sync: mailbox.calendar_sync ?? false,
  share_metadata: mailbox.share_metadata ?? false,
  signature_html: mailbox.signature_html ?? null,
  backfill_from: mailbox.backfill_from ?? null,
});

export function sharesOfMailbox({ id, shares }: Mailbox): ShareRecord[] {
  return presentShares(shares, { type: 'mailboxes', id });
}

/** Of its mail where it has a server, otherwise of its calendars. */
function presentSync(mailbox: Mailbox): z.infer<typeof sync> {
  const { mail_server, mail_state, calendar_state } = mailbox;
  const state = mail_server ? mail_state : calendar_state;
  return {
    last_started_at: state?.last_started_at ?? null,
    last_finished_at: state?.last_finished_at ?? null,
    next_at: state?.next_at ?? null,
    backfill_percent: mail_server ? (mail_state?.backfill_percent ?? 0) : null,
    threads_imported: null,
    messages_imported: mailbox.messages_imported,
    messages_pending: mail_state?.messages_pending ?? 0,
    messages_failed: mailbox.messages_failed,
    last_error: state?.last_error ?? mailbox.sending_error ?? calendar_state?.last_error ?? null,
  };
}

/** `shares` is null in lists. */
export function presentMailbox(
  mailbox: Mailbox,
  viewer: User,
  shares: ShareRecord[] | null,
): z.infer<typeof mailboxSchema> {
  const { contact_creation, calendar_sync, share_metadata, signature_html, backfill_from } = chosen(mailbox);
  return mailboxes.present(mailbox, {
    owner_user_id: mailbox.user_id,
    access: viewer.mailboxes[mailbox.id] ?? 'view',
    primary: viewer.primary_mailbox_id === mailbox.id,
    ...{ contact_creation, calendar_sync, share_metadata, signature_html, backfill_from },
    lock: mailbox.lock ?? null,
    outbound_enabled: !!mailbox.mail_server?.smtp,
    sync: presentSync(mailbox),
    shares,
  });
}
