import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { ApiError, invalidField } from '#shared/errors.ts';
import type { Draft, Kind } from './draft.ts';
import { MAX_RECIPIENTS } from './written.ts';

/** What must hold for a draft as a whole. */

const MEGABYTE = 1024 * 1024;
/** Bytes of all attachments: what most servers accept. */
const MAX_ATTACHMENTS_BYTES = 25 * MEGABYTE;
/** An item has 400 kB, and a draft gets some more fields while it is sent. */
const MAX_ITEM_BYTES = 380_000;

const recipientFields = ['to_email_addresses', 'cc_email_addresses', 'bcc_email_addresses'] as const;

export const recipientsIn = (draft: Pick<Draft, (typeof recipientFields)[number]>): string[] => [
  ...new Set(recipientFields.flatMap((field) => draft[field])),
];

/** 400 on the last list that has some. */
function requireFewRecipients(draft: Draft): void {
  const count = recipientFields.reduce((sum, field) => sum + draft[field].length, 0);
  const last = recipientFields.findLast((field) => draft[field].length > 0);
  if (last && count > MAX_RECIPIENTS)
    throw invalidField(last, 'too_long', `has too many: a mail may have ${MAX_RECIPIENTS} recipients in all`);
}

function requireAlias({ from_email_address: from }: Draft, { email_address, aliases }: Mailbox): void {
  const own = [email_address, ...aliases].map((address) => address.toLowerCase());
  if (from !== null && !own.includes(from))
    throw invalidField('from_email_address', 'invalid', 'is no address of the mailbox');
}

export function requireKind(kind: Kind, original: string | null): void {
  if (kind === 'new' && original !== null)
    throw invalidField('kind', 'invalid', 'answers no message: leave in_reply_to_message_id out');
  if (kind !== 'new' && original === null)
    throw invalidField('in_reply_to_message_id', 'required', `is required for ${kind}`);
}

const bytesOfAttachments = ({ attachments }: Pick<Draft, 'attachments'>) =>
  attachments.reduce((sum, { size }) => sum + size, 0);

const MOST_ATTACHMENTS = 100;

/** For another attachment of so many bytes. 413 `file_too_large`. */
export function requireRoom(draft: Pick<Draft, 'attachments'>, more = 0): void {
  if (more > 0 && draft.attachments.length >= MOST_ATTACHMENTS)
    throw invalidField('attachment', 'invalid', `cannot be added: a mail has at most ${MOST_ATTACHMENTS}`);
  if (bytesOfAttachments(draft) + more > MAX_ATTACHMENTS_BYTES)
    throw new ApiError('file_too_large', { message: 'The attachments of a mail may have 25 MB in all.' });
}

/** Compressed text that is as long as it may be, the longest addresses and names of files may exceed an item. */
export const isStorable = ({ packed, ...rest }: Draft): boolean =>
  (packed?.length ?? 0) + Buffer.byteLength(JSON.stringify(rest)) <= MAX_ITEM_BYTES;

function requireStorable(draft: Draft): void {
  if (!isStorable(draft))
    throw invalidField(draft.packed ? 'body_html' : 'to_email_addresses', 'too_long', 'has too many bytes');
}

/** The same of one that got another attachment. */
export function requireStorableAttachment(draft: Draft): void {
  if (!isStorable(draft))
    throw invalidField(
      'attachment',
      'invalid',
      'cannot be added: the text and the names of files have too many bytes',
    );
}

/** The draft, when it may be stored. */
export function checked(draft: Draft, mailbox: Mailbox): Draft {
  requireKind(draft.kind, draft.in_reply_to_message_id);
  requireFewRecipients(draft);
  requireAlias(draft, mailbox);
  requireStorable(draft);
  return draft;
}
