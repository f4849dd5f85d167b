import type { Descriptions } from './descriptions.ts';

const sender = 'The address in the From header; null when there is none.';
const names = 'By email address: the name in the headers, or null.';

const serverFields = (is: string, ports: string) => ({
  is,
  fields: {
    host: 'Its name, which must lead to public addresses only.',
    port: `Its port: ${ports}.`,
    tls: 'Whether TLS comes first; otherwise STARTTLS is required.',
    username: 'The user there, mostly the email address.',
    password:
      'A password that works there, best one for the service alone. It is stored encrypted, and never given back.',
  },
});

/** What a provider of mailboxes sent back. */
const broughtFields = {
  authorization_code: 'The `code` that the provider sent back.',
  state: 'The `state` that it sent back, of `POST /mailboxes/authorizations`.',
  iss: 'The `iss` that it sent back, if it did (RFC 9207).',
};

/** Threads, mailboxes, imports and uploads (docs/specification/mail.md). */
export const mail: Descriptions = {
  Thread: {
    is: 'An email conversation, as the key’s user sees and keeps it. It appears once, whichever mailboxes it came through.',
    fields: {
      subject: 'What the mails are about, by their headers; null without a subject.',
      snippet: 'A short plain-text excerpt.',
      headline: 'A summary in one sentence; null until it is summarized.',
      summary: 'A longer summary; null until it is summarized.',
      message_count: 'How many messages of it the user sees.',
      has_attachments: 'Whether a message has files besides decorative ones.',
      read: 'Whether the key’s user has read it.',
      flagged: 'Whether the key’s user has flagged it.',
      resolved: 'Whether the key’s user has marked it as dealt with.',
      snooze_until: 'The end of the user’s snooze; null when it is not snoozed.',
      mailbox_ids: 'The mailboxes that it came through.',
      inbox_sort_time: 'When it last received a message, by which the inbox slice is sorted.',
      first_sent_at: 'When the first message was sent.',
      last_sent_at: 'When the newest message was sent, by which lists are sorted.',
      participant_names: names,
      messages: 'The messages that the user sees, oldest first. Empty in lists.',
      tasks: 'Tasks of the thread that the user sees; null in lists.',
      comments: 'Internal comments, oldest first; null in lists.',
      tags: 'The tags that it carries.',
      pending_messages: 'Messages that the user has sent and that have not come back from the provider yet.',
    },
  },
  OpenThread: {
    is: 'A thread in the list of open threads: without its messages, tasks, comments, tags and shares.',
    fields: {
      category: 'The provider’s classification; null without one.',
      sender_email_addresses: 'Everyone who sent a message.',
      participant_email_addresses: 'Everyone who sent or received a message.',
      participant_names: names,
    },
  },
  ListOpenThreadsResponse: { is: 'The open threads, returned whole.' },
  ListOpenThreadsResponseInbox: {
    is: 'Open threads in three groups; each thread is in one of them.',
    fields: {
      unread: 'Those that the user has not read.',
      flagged: 'Read ones that the user has flagged.',
      other: 'Read ones without a flag.',
    },
  },
  SnoozeThreadRequest: { is: 'How long the thread is snoozed.' },
  SnoozeThreadResponse: { is: 'The snooze that is set now.' },
  SnoozeThreadResponseThread: {
    is: 'The snoozed thread.',
    fields: { snooze_until: 'When the snooze ends: a date-time as it was sent, anything else in UTC.' },
  },
  Message: {
    is: 'A mail of a thread.',
    fields: {
      sent_at: 'When it was sent, by its headers.',
      from_email_address: sender,
      to_email_addresses: 'The recipients of the To header.',
      cc_email_addresses: 'The recipients of the Cc header.',
      participant_email_addresses: 'The sender and all recipients.',
      snippet: 'A short plain-text excerpt of what it adds.',
      summary: 'What it says, in short; null until it is summarized.',
      attachments: 'Its files, decorative ones included.',
      delivery:
        'What servers reported of a mail that was sent from here; null when they reported nothing, and for mail that came.',
    },
  },
  MessageDelivery: {
    is: 'Whom a sent mail did not reach, or not yet, as a server on its way reported it.',
    fields: {
      status: '`failed` when it did not reach somebody, `delayed` when servers still try.',
      recipients: 'Those whom it did not reach. A message does not name those of Bcc.',
    },
  },
  UndeliveredRecipient: {
    is: 'Somebody whom a sent mail did not reach.',
    fields: {
      email_address: 'The address as the mail names it.',
      status: '`failed`: it does not arrive any more. `delayed`: servers still try.',
      code: 'The status code of RFC 3463; null when none was reported.',
      diagnostic: 'What the server says about it, as plain text; null when it says nothing.',
    },
  },
  LastMessage: {
    is: 'The newest message of a thread that the user sees, in short.',
    fields: {
      sent_at: 'When it was sent, by its headers.',
      from_email_address: sender,
      from_name: 'The name in the From header; null when there is none.',
    },
  },
  Participant: {
    is: 'Someone who sent or received a message of the thread.',
    fields: {
      email_address: 'The address, in lower case.',
      name: 'The name in the headers; null when there is none.',
      contact: 'The contact with this address; null when the user sees none.',
    },
  },
  Attachment: {
    is: 'A file in a message.',
    fields: {
      file_id: 'The file that it is kept as; null when it is not kept.',
      content_type: 'The media type that the mail gives.',
      inline: 'True for images that the body shows.',
      content_id: 'The MIME Content-ID by which the HTML names it, as `cid:<content_id>`.',
      decorative:
        'True for the logo of a signature, a tracking pixel, an image in quoted earlier messages only, and the PGP or S/MIME signature of a mail.',
    },
  },
  AttachmentFile: {
    is: 'The file that an attachment is kept as; null when it is not kept.',
    fields: {
      name: 'The name to show.',
      file_name: 'The name in the mail, with its extension.',
      extension: 'What follows the last dot of the file name.',
      description: 'What is in it; null until someone describes it.',
    },
  },
  Body: {
    is: 'The text of a message, split where a reply quotes earlier ones.',
    fields: {
      source_format: 'Whether the mail was written in HTML or as plain text.',
      sanitized_html: 'The whole HTML, quote included, without unsafe markup. Null for plain text.',
      new_plain_text: 'What the message adds, above the header of the quote.',
      new_html: 'What the message adds as HTML, without unsafe markup. Null for plain text.',
      quoted_plain_text: 'The quoted earlier messages.',
      quoted_html: 'The quoted earlier messages as HTML, without unsafe markup. Null for plain text.',
      has_quote_header: 'Whether a header was found that begins a quote.',
      truncated: 'True when the mail was too large to read in full: every text holds only its beginning.',
    },
  },
  PendingMessage: {
    is: 'A draft that is being sent, in the form of a message. Its id is that of the draft.',
    fields: {
      delivery_status: '`sending`: on its way to the provider. `sent`: the provider has taken it.',
      thread_id: 'The thread that it answers; null when it begins one.',
      mailbox_id: 'The mailbox that it is sent from.',
      from_email_address: 'The address that it is sent from.',
      to_email_addresses: 'The recipients of the To header.',
      cc_email_addresses: 'The recipients of the Cc header.',
      bcc_email_addresses: 'Recipients that the others do not see.',
      subject: 'The subject line; null without one.',
      body: 'What it says, as plain text.',
      body_html: 'What it says, as HTML.',
      rfc_id: 'The Message-ID header, by which the copy in the mailbox is recognized.',
      sent_at: 'When the provider took it; null until then.',
    },
  },
  Draft: {
    is: 'A mail that is written and not sent yet. Only its user sees it.',
    fields: {
      user_id: 'Who writes it.',
      status:
        '`queued` until it is sent, `sending` while its server gets it, then `sent`, or `failed`: then it can be changed, and sent again.',
      thread_id: 'The thread that it answers in; null for a new or forwarded mail.',
      in_reply_to_message_id: 'The message that it answers or forwards.',
      kind: 'What it does with that message; `new` without one.',
      mailbox_id: 'The mailbox that sends it.',
      from_email_address: 'The address of the mailbox, or an alias, that it is from; null for the first.',
      to_email_addresses: 'Whom it is to.',
      cc_email_addresses: 'Who gets a copy that the others see.',
      bcc_email_addresses: 'Who gets a copy that nobody else sees.',
      subject: 'What it is about.',
      body: 'Its text, with signature and quote. When only HTML is written, it follows from that.',
      body_html: 'Its HTML, sanitized. When only text is written, it follows from that.',
      rfc_id: 'Its Message-ID without angle brackets, the same on every attempt; null until it was queued.',
      attachments: 'Its files, 25 MB in all.',
      send_at: 'When it will be sent; null for at once.',
      sent_at: 'When its server accepted it.',
      last_error: 'Why it was not sent the last time.',
      attempts: 'How often it was tried since it was queued, five times at most.',
      delivery: 'What servers reported of it since it was sent; null when they reported nothing.',
      proposal_id: 'The proposal that it was made by.',
    },
  },
  DraftDraft: {
    is: 'A mail to write. An answer gets what is not sent from the message that it answers.',
    fields: {
      in_reply_to_message_id: 'A message that the user sees, to answer or forward.',
      kind: '`reply` when a message is answered, and else `new`.',
      mailbox_id: 'A mailbox that the user owns or may edit.',
      from_email_address: 'The address of the mailbox or an alias of it.',
      to_email_addresses: 'Whom it is to; 500 recipients in all.',
      cc_email_addresses: 'Who gets a copy that the others see.',
      bcc_email_addresses: 'Who gets a copy that nobody else sees.',
      subject: 'What it is about.',
      body: 'What is written, as text.',
      body_html: 'What is written, as HTML.',
    },
  },
  DraftChanges: {
    is: 'Changes of a draft: fields that are not sent stay, and `null` clears.',
    fields: {
      in_reply_to_message_id: 'Another message to answer; what is written stays.',
      kind: 'What it does with the message.',
      mailbox_id: 'A mailbox that the user owns or may edit.',
      from_email_address: 'The address of the mailbox or an alias of it.',
      to_email_addresses: 'Whom it is to; 500 recipients in all.',
      cc_email_addresses: 'Who gets a copy that the others see.',
      bcc_email_addresses: 'Who gets a copy that nobody else sees.',
      subject: 'What it is about.',
      body: 'The whole text.',
      body_html: 'The whole text as HTML.',
    },
  },
  DraftListResponse: {
    is: 'Drafts that are not sent.',
    fields: { drafts: 'The newest 500 of the user, newest first.' },
  },
  DraftLastError: {
    is: 'Why a draft was not sent.',
    fields: { code: 'For programs.', message: 'For people.' },
  },
  CreateDraftRequest: { is: 'The mail to write.', fields: { draft: 'The new draft.' } },
  UpdateDraftRequest: { is: 'The changes of a draft.', fields: { draft: 'The changed fields.' } },
  SendDraftRequest: {
    is: 'When a draft is sent.',
    fields: {
      send_at: 'Now without it, and for a moment that has passed.',
      undo_seconds: 'For so long it stays `queued` at least, so that it can be taken back; 0 by default.',
    },
  },
  AttachToDraftRequest: { is: 'The file to attach.', fields: { attachment: 'An upload or a file.' } },
  AttachmentDraft: {
    is: 'An upload or a file, exactly one of both.',
    fields: {
      upload_id: 'An upload of the user, which becomes a private file.',
      file_id: 'A file that the user sees.',
    },
  },
  Mailbox: {
    is: 'A mailbox of a user, connected or filled from an archive.',
    fields: {
      user_id: 'The same as `owner_user_id`.',
      owner_user_id: 'The user whose mail it is.',
      email_address: 'The address that mail to it has.',
      name: 'What its owner calls it.',
      aliases: 'Other addresses whose mail arrives here.',
      provider: 'Where its mail comes from.',
      access: 'What the key’s user may do: own it, edit its threads or only see them.',
      primary: 'Whether it is the mailbox of its owner’s scope `personal`.',
      status: 'How it stands with the provider: only an `active` mailbox receives mail.',
      contact_creation:
        'Which addresses in imported mail become contacts: `sent`, those that its owner wrote to; `all`, also those of people who wrote; `none`.',
      label_sync: 'Whether flags and read states of its owner are also set at the provider.',
      calendar_sync: 'Whether the calendars at the server of the mailbox are followed.',
      share_metadata:
        'Whether colleagues learn that threads and events exist which they do not see, and may ask for access.',
      outbound_enabled: 'Whether mail can be sent from it.',
      signature_html: 'What is put below mail from it; null without a signature.',
      backfill_from: 'The first day whose mail is read; null when all of it is.',
      shares: 'Whom its mail is shared with; null for users who do not own it.',
    },
  },
  MailboxChanges: {
    is: 'What its owner changes of a mailbox; fields that are not sent stay.',
    fields: {
      name: 'What its owner calls it.',
      contact_creation:
        'Which addresses in imported mail become contacts: `sent`, those that its owner wrote to; `all`, also those of people who wrote; `none`.',
      primary: 'Whether it is the mailbox of its owner’s scope `personal`.',
      label_sync: 'Whether flags and read states of its owner are also set at its mail server.',
      calendar_sync: 'Whether the calendars at the server of the mailbox are followed.',
      share_metadata:
        'Whether colleagues learn that threads and events exist which they do not see, and may ask for access.',
      signature_html: 'What is put below mail from it; null for none.',
      backfill_from: 'The first day whose mail is read; null for all mail.',
    },
  },
  NewMailbox: {
    is: 'A mailbox, and how the service signs in to it.',
    fields: {
      provider:
        '`imap` for servers with a password, `gmail` or `outlook` for a provider that lets the service in.',
      email_address: 'The address that mail to it has; for `imap` alone.',
      name: 'What its owner calls it; by default the address.',
      imap: 'The server that stores the mail.',
      smtp: 'The server that sends; without it nothing is sent.',
      ...broughtFields,
    },
  },
  ImapServer: serverFields(
    'The server that stores mail, which speaks IMAP.',
    '993 with TLS, 143 with STARTTLS',
  ),
  SmtpServer: serverFields(
    'The server that sends mail, which speaks SMTP.',
    '465 with TLS, 587 with STARTTLS',
  ),
  CreateMailboxRequest: { is: 'A mailbox to connect.', fields: { mailbox: 'The mailbox with its servers.' } },
  NewMailboxAuthorization: {
    is: 'Who is to let the service into which mailbox.',
    fields: {
      provider: '`gmail` or `outlook`, where the operator has set it up.',
      redirect_url: 'Where the provider sends the browser back to.',
      mailbox_id: 'The mailbox that is connected anew; without it, a new one.',
    },
  },
  CreateMailboxAuthorizationRequest: {
    is: 'A mailbox that is to be connected by its provider.',
    fields: { authorization: 'The provider, and where it sends the browser back to.' },
  },
  MailboxCredentials: {
    is: 'How the service signs in for the owner of a mailbox.',
    fields: {
      ...broughtFields,
      imap: 'The server that stores the mail; the present one stays when it is not sent.',
      smtp: 'The server that sends; null for none, and the present one stays when it is not sent.',
      caldav: 'The server of the calendars, which speaks CalDAV. It is sent alone.',
    },
  },
  MailboxCredentialsCaldav: {
    is: 'A CalDAV server, and who its user is.',
    fields: {
      url: 'Its https address, or that of the user’s calendars.',
      username: 'The user there, mostly an email address.',
      password:
        'A password that works there, best one for the service alone. It is stored encrypted, and never given back.',
    },
  },
  UpdateMailboxCredentialsRequest: {
    is: 'Credentials of a mailbox.',
    fields: { mailbox: 'What the service signs in with.' },
  },
  SyncMailboxRequest: {
    is: 'Reads the mail and the calendars of a mailbox now.',
    fields: {
      full: 'Whether every message and event is compared, and not only what changed; false by default.',
    },
  },
  SyncReport: {
    is: 'What a mailbox has at its server, and what of it is here.',
    fields: {
      mailbox_id: 'The mailbox that is read.',
      from: 'When the run began that counted; null before the first one.',
      to: 'When that run ended, or paused.',
      folders: 'Every folder at the server that holds messages.',
      messages_recovered:
        'How many messages the last comparison of each folder found missing here, and read.',
      recent_failures: 'The latest 50 messages that could not be read, newest first.',
    },
  },
  SyncReportFolder: {
    is: 'A folder at the server.',
    fields: {
      name: 'Its full path.',
      messages_at_provider: 'The messages that the server counts.',
      messages_imported: 'Those that are here.',
      messages_skipped:
        'Those that are left out: spam, trash and drafts, what is older than `backfill_from`, and of a folder of all mail what is in another one too.',
      messages_failed: 'Those that could not be read.',
    },
  },
  SyncReportRecentFailure: {
    is: 'A message that could not be read.',
    fields: {
      rfc_id: 'Its Message-ID; null when it could not be told.',
      subject: 'Its subject line; null when it could not be told.',
      reason: 'A stable identifier of the reason.',
      attempts: 'How often it was tried.',
      next_attempt_at: 'When it is tried again; null after the last attempt.',
    },
  },
  UpdateMailboxRequest: { is: 'The changes of a mailbox.', fields: { mailbox: 'The changed fields.' } },
  MailboxLock: {
    is: 'Why the provider refuses the service; null while it does not.',
    fields: {
      code: 'A stable identifier of the reason.',
      message: 'The reason as English text for a person.',
      locked_at: 'Since when it is refused.',
    },
  },
  MailboxSync: {
    is: 'How far the reading of its mail is.',
    fields: {
      last_started_at: 'When mail was last asked for; null before the first time.',
      last_finished_at: 'When all mail had last been read; null before the first time.',
      next_at: 'When mail is asked for again; null when that is not planned.',
      backfill_percent: 'How much of the older mail is read, from 0 to 100; null when there is none to read.',
      threads_imported: 'How many threads its mail is in; null while it is not counted.',
      messages_imported: 'How many messages were read.',
      messages_pending: 'How many messages wait to be read.',
      messages_failed: 'How many messages could not be read.',
    },
  },
  MailboxSyncLastError: {
    is: 'Why the last reading failed; null when it did not.',
    fields: {
      code: 'A stable identifier of the failure.',
      message: 'The failure as English text for a person.',
    },
  },
  MailImport: {
    is: 'The import of a mail archive into a mailbox. Every message is counted: imported, skipped or failed.',
    fields: {
      user_id: 'Who started it.',
      mailbox_id: 'The mailbox that the mail goes into.',
      upload_id: 'The upload with the archive.',
      file_name: 'The name of the archive.',
      status: '`complete` also when some messages failed; `failed` when the archive could not be read.',
      messages_imported: 'How many are in the mailbox now that were not before.',
      messages_failed: 'How many could not be read.',
      started_at: 'When the first message was read; null until then.',
      finished_at: 'When the last message was read; null until then.',
    },
  },
  MailImportFailure: {
    is: 'A message of an archive that could not be read.',
    fields: {
      name: 'Its file in the archive; null in an archive that is one file.',
      reason: 'A stable identifier of the reason.',
      message: 'The reason as English text for a person.',
    },
  },
  MailImportError: {
    is: 'Why the whole import failed; null when it did not.',
    fields: {
      code: 'A stable identifier of the failure.',
      message: 'The failure as English text for a person.',
    },
  },
  CreateMailImportRequestImport: {
    is: 'Which archive to import.',
    fields: { upload_id: 'A received upload of the user, an archive in one of the formats of mail.' },
  },
};
