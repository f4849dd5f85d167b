import PostalMime, { type Email } from 'postal-mime';
import { parsedAttachments } from './attachments.ts';
import { parsedBody } from './body.ts';
import { headerStart, isHeaderField } from './header-line.ts';
import { addresses, isAutomatic, linkedMessageIds, messageId, sentAt } from './headers.ts';
import { MAX_MESSAGE, TOO_LARGE } from './limits.ts';
import type { ParsedMessage } from './message.ts';
import { withoutQuotes } from './quote-text.ts';
import { oneLine } from './text.ts';
import { isForwardSubject } from './threading.ts';

const MAX_PARTS = 1000;
const MAX_LINES = 1_000_000;
const MAX_NESTING = 100;
const MAX_HEADERS = 2 * 1024 * 1024;
const MAX_SUBJECT = 1000;
const MAX_SNIPPET = 200;
const READ_FOR_SNIPPET = 20_000;

/** Why a message cannot be read; `message` is for people. */
export class MailError extends Error {
  readonly reason: 'too_large' | 'too_complex' | 'not_a_message';

  constructor(reason: MailError['reason'], message: string) {
    super(message);
    this.name = 'MailError';
    this.reason = reason;
  }
}

/**
 * Reads one RFC 5322 message. Missing fields, unknown character sets and broken encodings are read as well as
 * possible; no string in the result has NUL or lone surrogates.
 *
 * Throws MailError: `too_large` over 25 MB; `too_complex` over 1,000 parts, a million lines, 100 levels or 2 MB of
 * headers; `not_a_message` without a single header field.
 */
export async function parseMessage(raw: Uint8Array): Promise<ParsedMessage> {
  if (raw.length > MAX_MESSAGE) throw new MailError('too_large', TOO_LARGE);
  const start = headerStart(raw);
  if (!isHeaderField(raw, start)) throw new MailError('not_a_message', 'The text has no mail header.');
  checkLines(raw);
  const email = await readMime(raw.subarray(start));
  return assemble(email, raw);
}

function checkLines(raw: Uint8Array): void {
  let lines = 0;
  for (let at = raw.indexOf(10); at !== -1; at = raw.indexOf(10, at + 1)) {
    lines++;
    if (lines > MAX_LINES) throw new MailError('too_complex', 'The message has more than 1,000,000 lines.');
  }
}

async function readMime(raw: Uint8Array): Promise<Email> {
  const options = { maxNestingDepth: MAX_NESTING, maxHeadersSize: MAX_HEADERS, forceRfc822Attachments: true };
  try {
    return await new CountingParser(options).parse(raw);
  } catch (error) {
    if (error instanceof MailError) throw error;
    throw new MailError(
      'too_complex',
      `The message is built too deep or too large: ${(error as Error).message}.`,
    );
  }
}

/** What postal-mime calls for each line of the message; its types leave it out. */
interface LineReader {
  currentNode: unknown;
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>;
}

// postal-mime has no limit on the number of parts, and each costs time and memory. Every part is the current node
// for a while, so counting those stops a flood while it is read.
class CountingParser extends (PostalMime as unknown as new (options: object) => PostalMime & LineReader) {
  private readonly nodes = new Set<unknown>();

  override async processLine(line: Uint8Array, isFinal: boolean): Promise<void> {
    await super.processLine(line, isFinal);
    this.nodes.add(this.currentNode);
    // The message itself is one node more.
    if (this.nodes.size <= MAX_PARTS + 1) return;
    throw new MailError('too_complex', 'The message has more than 1,000 parts.');
  }
}

function assemble(email: Email, raw: Uint8Array): ParsedMessage {
  const rfc_id = messageId(email, raw);
  const subject = oneLine(email.subject ?? '', MAX_SUBJECT) || null;
  const from = addresses(email, 'from')[0] ?? null;
  const forwarded = isForwardSubject(subject);
  const body = parsedBody({ html: email.html ?? '', plain: email.text ?? '', forwarded });
  return {
    rfc_id,
    in_reply_to: linkedMessageIds(email, 'in-reply-to', rfc_id),
    references: linkedMessageIds(email, 'references', rfc_id),
    subject,
    sent_at: sentAt(email),
    from,
    to: addresses(email, 'to'),
    cc: addresses(email, 'cc'),
    bcc: addresses(email, 'bcc'),
    automatic: isAutomatic(email, from),
    snippet: snippetOf(body.new_plain_text ?? ''),
    attachments: parsedAttachments(email.attachments, body),
    body,
  };
}

/** The beginning of the new text for lists; between answers, quoted lines and who wrote them are left out. */
function snippetOf(fresh: string): string | null {
  const own = withoutQuotes(fresh.slice(0, READ_FOR_SNIPPET));
  return oneLine(own, MAX_SNIPPET) || oneLine(fresh, MAX_SNIPPET) || null;
}
