import type { Descriptions } from './descriptions.ts';

const sender = 'The address in the From header; null when there is none.';
const names = 'By email address: the name in the headers, or null.';

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
      has_attachments: 'Whether a message has files besides decorative images.',
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
      attachments: 'Its files, decorative images included.',
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
        'True for the logo of a signature, a tracking pixel, or an image in quoted earlier messages only.',
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
      share_metadata: 'Whether colleagues learn that a thread exists, without its content.',
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
      calendar_sync: 'Whether the calendars at the server of the mailbox are followed.',
    },
  },
  MailboxCredentials: {
    is: 'How the service signs in for the owner of a mailbox.',
    fields: { caldav: 'The server of the calendars, which speaks CalDAV.' },
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
    is: 'Reads the calendars of a mailbox now.',
    fields: { full: 'Whether every event is compared, and not only what changed; false by default.' },
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
