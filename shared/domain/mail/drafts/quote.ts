import { Temporal } from 'temporal-polyfill';
import type { MailAddress, ParsedBody } from '#shared/domain/mail/mime/message.ts';
import { splitSanitized } from '#shared/domain/platform/html/cut.ts';
import { escapeHtml } from '#shared/domain/platform/outgoing-mail/plain.ts';
import { safeHtml, textToHtml } from './content.ts';
import type { Content, Kind } from './draft.ts';
import type { Original } from './original.ts';
import { MAX_BODY } from './written.ts';

/** The quoted or forwarded message below what is written. Mail programs recognize these words and marks. */

/** Characters of a quote, so that there is room for an answer. */
const MAX_QUOTE = MAX_BODY / 2;

const nameOf = ({ email_address, name }: MailAddress) =>
  name ? `${name} <${email_address}>` : email_address;

function dateOf(sent: number, time_zone: string): string {
  const date = Temporal.Instant.fromEpochMilliseconds(sent).toZonedDateTimeISO(time_zone);
  const day = date.toLocaleString('en-GB', {
    ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  });
  return `${day} at ${date.toPlainTime().toString({ smallestUnit: 'minute' })}`;
}

const textOf = ({ new_plain_text, quoted_plain_text }: ParsedBody) =>
  [new_plain_text, quoted_plain_text].filter((part) => part).join('\n\n');

/** Pictures in mail that came are shown from here, which only users of the service can read. */
function htmlOf(body: ParsedBody, { message }: Original): string {
  const html = body.sanitized_html ?? textToHtml(textOf(body));
  const known = message.attachments.flatMap(({ id, file_id, content_id }) =>
    content_id === null ? [] : [[`/files/${file_id}/download?attachment_id=${id}`, content_id] as const],
  );
  return known.reduce(
    // A string to put in would be read as a pattern: senders choose these ids.
    (text, [address, content_id]) => text.replaceAll(`"${address}"`, () => `"cid:${escapeHtml(content_id)}"`),
    html,
  );
}

function cutHtml(html: string): string {
  if (html.length <= MAX_QUOTE) return html;
  return splitSanitized(html, Math.max(0, html.lastIndexOf('<', MAX_QUOTE))).before;
}

const cutText = (text: string) => text.slice(0, MAX_QUOTE).toWellFormed();

const noBody: ParsedBody = {
  ...{ source_format: null, sanitized_html: null, new_plain_text: null, new_html: null },
  ...{ quoted_plain_text: null, quoted_html: null, has_quote_header: false, truncated: false },
};

function forwarded({ message }: Original, time_zone: string): string[] {
  const list = (addresses: MailAddress[]) => addresses.slice(0, 50).map(nameOf).join(', ');
  return [
    '---------- Forwarded message ---------',
    `From: ${message.from ? nameOf(message.from) : ''}`,
    `Date: ${dateOf(message.sent, time_zone)}`,
    `Subject: ${message.subject ?? ''}`,
    `To: ${list(message.to)}`,
    ...(message.cc.length > 0 ? [`Cc: ${list(message.cc)}`] : []),
  ];
}

function quoteLines(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`.trimEnd()))
    .join('\n');
}

/** What stands below an answer, in both forms. */
export function quoteOf(kind: Kind, original: Original, time_zone: string): { text: string; html: string } {
  const body = original.body ?? noBody;
  const text = cutText(textOf(body));
  const html = cutHtml(htmlOf(body, original));
  if (kind === 'forward') {
    const head = forwarded(original, time_zone);
    const shown = head.map(escapeHtml).join('<br />');
    return {
      text: `${head.join('\n')}\n\n${text}`,
      html: `<div class="gmail_quote"><div class="gmail_attr">${shown}</div><br />${html}</div>`,
    };
  }
  const { from, sent } = original.message;
  const who = from ? nameOf(from) : 'somebody';
  const wrote = `On ${dateOf(sent, time_zone)}, ${who} wrote:`;
  return {
    text: `${wrote}\n\n${quoteLines(text)}`,
    html:
      `<div class="gmail_quote"><div class="gmail_attr">${escapeHtml(wrote)}</div>` +
      `<blockquote type="cite">${html}</blockquote></div>`,
  };
}

/** What is written, then the signature, then the quote. */
export function assembled(
  written: Content,
  signature: Content,
  quote: { text: string; html: string } | undefined,
): Content {
  const texts = [written.body, signature.body && `-- \n${signature.body}`, quote?.text];
  const htmls = [
    written.body_html && `<div>${written.body_html}</div>`,
    signature.body_html && `<div class="gmail_signature">${signature.body_html}</div>`,
    quote?.html,
  ];
  const some = (parts: (string | null | undefined)[]) => parts.filter((part) => part);
  if (some(texts).length === 0) return { body: null, body_html: null };
  return { body: some(texts).join('\n\n'), body_html: safeHtml(some(htmls).join('<br />')) };
}
