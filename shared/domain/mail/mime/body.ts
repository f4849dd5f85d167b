import { splitHtml } from '#shared/domain/mail/quotes/quote-html.ts';
import { splitText, type TextSplit } from '#shared/domain/mail/quotes/quote-text.ts';
import { sanitizeWithin } from '#shared/domain/platform/html/sanitize.ts';
import type { ParsedBody } from './message.ts';
import { cutToBytes, storable } from './text.ts';

/** Bytes of UTF-8 of a decoded text part; of a larger part only the beginning is read. */
const MAX_TEXT = 1024 * 1024;

/** The decoded text parts of a message; a missing part is an empty string. */
export interface TextParts {
  html: string;
  plain: string;
  /** Whether the subject marks the message as a forward. */
  forwarded: boolean;
}

/** The body fields (docs/specification/mail.md, "Body") of the text parts. Inline images keep their cid: references. */
export function parsedBody({ html, plain, forwarded }: TextParts): ParsedBody {
  const text = readable(plain);
  const source = readable(html);
  const sanitized = sanitizeWithin(source.text, 'mail');
  const truncated = text.cut || source.cut || sanitized.cut;
  const shown = sanitized.html.trim();
  if (shown !== '') return htmlBody(shown, text.text, forwarded, truncated);
  if (text.text !== '') return plainBody(splitText(text.text, forwarded), truncated);
  return { ...EMPTY, source_format: formatOf(html, plain), truncated };
}

const EMPTY: ParsedBody = {
  source_format: null,
  sanitized_html: null,
  new_plain_text: null,
  new_html: null,
  quoted_plain_text: null,
  quoted_html: null,
  has_quote_header: false,
  truncated: false,
};

const formatOf = (html: string, plain: string) => (html !== '' ? 'html' : plain !== '' ? 'plain' : null);

/** Line breaks as LF, no trailing white space, at most 1 MB. */
function readable(part: string): { text: string; cut: boolean } {
  const { text, cut } = cutToBytes(storable(part).replace(/\r\n?/g, '\n').trimEnd(), MAX_TEXT);
  return { text: text.trimEnd(), cut };
}

function plainBody({ fresh, quoted }: TextSplit, truncated: boolean): ParsedBody {
  return {
    ...EMPTY,
    source_format: 'plain',
    new_plain_text: fresh,
    quoted_plain_text: quoted,
    has_quote_header: quoted !== null,
    truncated,
  };
}

function htmlBody(sanitized: string, plain: string, forwarded: boolean, truncated: boolean): ParsedBody {
  const { html, text } = splitHtml(sanitized, forwarded);
  const written = splitText(plain, forwarded);
  // The sender's own plain text reads better, but only when it has the same content as the HTML.
  const agree = plain !== '' && (written.quoted === null) === (html.quoted === null);
  const { fresh, quoted } = agree ? written : text;
  return {
    source_format: 'html',
    sanitized_html: sanitized,
    new_plain_text: fresh,
    new_html: html.fresh,
    quoted_plain_text: quoted,
    quoted_html: html.quoted,
    has_quote_header: html.quoted !== null,
    truncated,
  };
}
