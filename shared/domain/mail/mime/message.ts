/** A mailbox named in a header. */
export interface MailAddress {
  /** Lower-cased, trimmed. */
  email_address: string;
  name: string | null;
}

export interface ParsedAttachment {
  /** A safe base name: no path, no control characters, never empty, at most 255 characters. */
  file_name: string;
  content_type: string;
  /** Bytes. */
  size: number;
  /** Whether the body shows it as an image. */
  inline: boolean;
  /** Without angle brackets. */
  content_id: string | null;
  /** A signature logo, a tracking pixel, or an image only in quoted earlier messages. */
  decorative: boolean;
  content: Uint8Array;
}

/** The mail provider's classification (docs/specification/mail.md, "Body"). */
export const categories = ['personal', 'promotion', 'update', 'forum'] as const;

export type Category = (typeof categories)[number];

/**
 * The body split at the quote header of a reply (docs/specification/mail.md, "Body"). HTML fields are null when plain.
 */
export interface ParsedBody {
  source_format: 'html' | 'plain' | null;
  sanitized_html: string | null;
  new_plain_text: string | null;
  new_html: string | null;
  quoted_plain_text: string | null;
  quoted_html: string | null;
  has_quote_header: boolean;
  truncated: boolean;
}

export interface ParsedMessage {
  /** Message-ID without angle brackets; a missing one is made from the digest of the content. */
  rfc_id: string;
  /** Ids without angle brackets in header order, without repeats and the message's own id, at most 80. */
  in_reply_to: string[];
  references: string[];
  subject: string | null;
  /** ISO 8601, UTC, milliseconds: Date, else the mbox envelope's date, else the first Received that has one. */
  sent_at: string | null;
  /** The delivery time of this copy: the topmost Received, else the mbox envelope; may be in the future. */
  received_at: string | null;
  from: MailAddress | null;
  to: MailAddress[];
  cc: MailAddress[];
  bcc: MailAddress[];
  /** Where this copy wants answers; nowhere in particular when it is empty. */
  reply_to: MailAddress[];
  /** Number of recipients beyond the stored 10,000. */
  recipients_omitted: number;
  /** Sent by a list, a machine or a no-reply address. */
  automatic: boolean;
  /** This copy came from a server, so its sender is a claim; false for one that its author stored. */
  delivered: boolean;
  /** The addresses of the lists that it came through. */
  list_addresses: string[];
  category: Category | null;
  /** Whether the owner of the archive had read it, and marked it with a star or flag. */
  read: boolean;
  starred: boolean;
  /** At most 200 code points of the new text, white space collapsed. */
  snippet: string | null;
  attachments: ParsedAttachment[];
  /** Number of attachments that are not stored. */
  attachments_omitted: number;
  body: ParsedBody;
}
