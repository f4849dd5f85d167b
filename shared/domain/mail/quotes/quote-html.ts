import { splitSanitized } from '#shared/domain/platform/html/cut.ts';
import { type HtmlLine, htmlLines, RULE, textOfLines } from '#shared/domain/platform/html/lines.ts';
import { offsetInLine } from '#shared/domain/platform/html/offset.ts';
import { findQuote } from './quote.ts';
import { isQuotedText, type QuoteLine } from './quote-line.ts';
import type { TextSplit } from './quote-text.ts';

/** The two parts of an HTML body, as HTML and as text. */
export interface HtmlSplit {
  html: TextSplit;
  text: TextSplit;
}

/** Marks of elements after which everything is an earlier message (Outlook, NetEase). */
const REPLY = new Set([
  'divRplyFwdMsg',
  'appendonsend',
  'stopSpelling',
  'OutlookMessageHeader',
  'isReplyContent',
  'ms-outlook-mobile-reference-message',
  'mail-editor-reference-message-container',
]);
const ATTRIBUTION = new Set(['gmail_attr', 'moz-cite-prefix']);
/** Wrappers of a quote with its attribution (Gmail, Yahoo, Proton, Zoho, Tuta, NetEase; cite: Apple, Thunderbird). */
const CITE = new Set([
  'cite',
  'gmail_quote',
  'gmail_quote_container',
  'gmail_extra',
  'yahoo_quoted',
  'protonmail_quote',
  'zmail_extra',
  'tutanota_quote',
  'ntes-mailmaster-quote',
]);
/** Wrappers whose whole content is the quote, without a blockquote inside. */
const ALL_QUOTED = new Set(['yahoo_quoted', 'protonmail_quote', 'zmail_extra', 'tutanota_quote']);

/**
 * Splits a sanitized mail body at the quote header of a reply. Both parts are well-formed; their texts together are the
 * whole text.
 */
export function splitHtml(sanitized: string, forwarded = false): HtmlSplit {
  const lines = htmlLines(sanitized);
  const illustrated = sanitized.lastIndexOf('<img', lines[0]?.start) !== -1;
  const start = findQuote(lines.map(quoteLine), forwarded, illustrated);
  const whole = textOfLines(lines);
  if (start === null)
    return { html: { fresh: sanitized, quoted: null }, text: { fresh: whole, quoted: null } };
  const { before, after } = splitSanitized(sanitized, offsetInLine(sanitized, lines, start));
  const above = lines.slice(0, start.line).reduce((sum, { text }) => sum + text.length + 1, 0);
  return {
    html: { fresh: before, quoted: after },
    text: { fresh: whole.slice(0, above + start.column), quoted: whole.slice(above + start.column) },
  };
}

function quoteLine(line: HtmlLine, index: number, lines: readonly HtmlLine[]): QuoteLine {
  const isCited = line.marks.some((mark) => CITE.has(mark));
  const wrapped = !isCited && line.inside.some((mark) => ALL_QUOTED.has(mark));
  return {
    text: line.text,
    quoted: line.quoteDepth > 0 || wrapped || isQuotedText(line.text),
    mark: markOf(line, index, lines, isCited),
    ruled: line.marks.includes(RULE),
  };
}

function markOf(
  line: HtmlLine,
  index: number,
  lines: readonly HtmlLine[],
  isCited: boolean,
): QuoteLine['mark'] {
  if (line.marks.some((mark) => REPLY.has(mark))) return 'reply';
  if (line.marks.includes('border-top') && looksLikeHeaders(lines, index)) return 'headers';
  if (line.inside.some((mark) => ATTRIBUTION.has(mark))) return 'attribution';
  return isCited ? 'cite' : null;
}

const LABEL = /^[^:：]{1,30}[:：]/;

/** Three lines with labels below a rule: Outlook's header block in any language. */
function looksLikeHeaders(lines: readonly HtmlLine[], index: number): boolean {
  return [0, 1, 2].every((step) => LABEL.test(lines[index + step]?.text ?? ''));
}
