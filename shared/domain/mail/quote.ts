import { delimiterKind, headerKind, LEAD, SENT_FROM, WROTE } from './quote-words.ts';

/**
 * Where the quote of a reply begins, for text and HTML alike: both are given as lines.
 *
 * The quote begins at the header nearest the top below which everything is quoted (or a footer, a signature, a
 * nested header). With an answer below or between, there is no split: the whole text is new. A forwarded message is
 * no quote, and neither is what stands below its first line. Linear in the number of lines.
 */
export interface QuoteLine {
  text: string;
  /** By `>` or inside a blockquote. */
  quoted: boolean;
  /**
   * What the HTML says about elements that begin here. `reply`: everything below is an earlier message. `cite`: a
   * quote begins here, perhaps with its attribution. `attribution`: this line is one.
   */
  mark: 'reply' | 'cite' | 'attribution' | null;
}

/** True for a line of a text that a mail program marked as quoted, by `>` or as Supercite does by initials (`AL>`). */
export function isQuotedText(line: string): boolean {
  return /^\s{0,3}(?:[A-Z]{1,4})?>/.test(line);
}

/** The index of the first line of the quote, or null. `forwarded`: the subject says that this is a forward. */
export function findQuote(lines: readonly QuoteLine[], forwarded: boolean): number | null {
  const rest = new Rest(lines);
  let hasText = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.quoted && line.mark !== 'cite') continue;
    if (delimiterKind(line.text) === 'forward') return null;
    const isBlank = line.text.trim() === '';
    if (isBlank && line.mark === null) continue;
    if (announcesMessage(lines, at)) return forwarded ? null : at;
    const end = attributionEnd(lines, at);
    if (end !== null && rest.isQuoted(end)) return at;
    // Without marks and without text above it, what follows an attribution may as well be the answer.
    if (end !== null && hasText && rest.hasNoQuote(end) && isDated(lines, at, end)) return at;
    hasText ||= !isBlank;
  }
  return null;
}

/** A line after which all is an earlier message, however it looks. */
function announcesMessage(lines: readonly QuoteLine[], at: number): boolean {
  const { text, mark, quoted } = lines[at]!;
  if (quoted) return false;
  return (
    mark === 'reply' || delimiterKind(text) === 'reply' || isHeaderBlock(lines, isRule(text) ? at + 1 : at)
  );
}

const isRule = (text: string) => /^\s*[_-]{5,}\s*$/.test(text);

const HEADER_BLOCK_LINES = 8;

/** `From:` with at least two of date, recipients and subject in the lines below, as Outlook writes it. */
function isHeaderBlock(lines: readonly QuoteLine[], at: number): boolean {
  let first = at;
  while (first < lines.length && first < at + 2 && lines[first]!.text.trim() === '') first++;
  if (headerKind(lines[first]?.text ?? '') !== 'from') return false;
  const kinds = new Set<string>();
  for (let i = first; i < lines.length && i < first + HEADER_BLOCK_LINES; i++) {
    const kind = headerKind(lines[i]!.text);
    if (kind && !lines[i]!.quoted) kinds.add(kind);
  }
  return kinds.size >= 3;
}

const MAX_ATTRIBUTION_LINES = 4;
const MAX_ATTRIBUTION = 500;

/** The line after the attribution that begins at `at`, or null when there is none. */
function attributionEnd(lines: readonly QuoteLine[], at: number): number | null {
  const { mark, quoted, text } = lines[at]!;
  if (mark === 'attribution') return endOfMark(lines, at);
  if (mark === 'cite' && quoted) return at;
  const last = Math.min(lines.length, at + (mayFold(text) ? MAX_ATTRIBUTION_LINES : 1));
  let joined = '';
  for (let i = at; i < last && !lines[i]!.quoted && lines[i]!.text.trim() !== ''; i++) {
    if (joined.length + lines[i]!.text.length > MAX_ATTRIBUTION) return null;
    joined = `${joined} ${visible(lines[i]!.text)}`.trim();
    if (isAttribution(joined) || (mark === 'cite' && /[:：]$/.test(joined))) return i + 1;
    if (nextIsQuoted(lines, i + 1) && isLooseAttribution(joined)) return i + 1;
  }
  return null;
}

/** True for a line that begins like an attribution, by one of its first words or a date. */
function mayFold(text: string): boolean {
  const start = visible(text.slice(0, 60));
  return LEAD.test(start) || /^\S{0,6}[\s,.]{0,2}\d/.test(start);
}

/**
 * Without the characters that only set the writing direction, which Hebrew and Arabic attributions are full of, and
 * with a colon for the dashes that Zoho writes around its attribution.
 */
const visible = (text: string) =>
  text
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/^-{2,}\s*/, '')
    .replace(/\s?-{2,}$/, ':');

function endOfMark(lines: readonly QuoteLine[], at: number): number {
  let end = at + 1;
  while (
    end < lines.length &&
    lines[end]!.mark === null &&
    !lines[end]!.quoted &&
    lines[end]!.text.trim() !== ''
  ) {
    if (/[:：]$/.test(lines[end - 1]!.text)) break;
    end++;
  }
  return end;
}

function nextIsQuoted(lines: readonly QuoteLine[], from: number): boolean {
  let at = from;
  while (at < lines.length && at < from + 2 && !lines[at]!.quoted && lines[at]!.text.trim() === '') at++;
  return lines[at]?.quoted ?? false;
}

const DATE =
  /\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[-年/.]\s?\d{1,2}|\d{1,2}[:.h]\d{2}|\b(?:19|20)\d{2}\b|\d{4}년/;
const ADDRESS = /[^\s<>@]+@[^\s<>@]+/;
const WROTE_WORD = new RegExp(
  `(?:^|[\\s,)>”"]|[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\d])(?:${WROTE.map(
    (word) => word.replace(/[()]/g, '\\$&'),
  ).join('|')})(?=[\\s:：(<,]|$)`,
  'iu',
);

/** A line that ends in a colon and says who wrote, or when and from which address. */
function isAttribution(line: string): boolean {
  if (!/[:：]\s*$/.test(line)) return false;
  const dated = DATE.test(line);
  const addressed = ADDRESS.test(line);
  return (WROTE_WORD.test(line) && (dated || addressed)) || (dated && addressed);
}

/** What may stand above quoted lines only: `Ann wrote:`, `Ann <ann@a.example> writes`, `* Ann [date]:`. */
function isLooseAttribution(line: string): boolean {
  const ends = /[:：,.…]\s*$/.test(line);
  return (ends && WROTE_WORD.test(line)) || (/[:：]\s*$/.test(line) && (LEAD.test(line) || DATE.test(line)));
}

function isDated(lines: readonly QuoteLine[], at: number, end: number): boolean {
  const joined = lines
    .slice(at, end)
    .map((line) => visible(line.text))
    .join(' ');
  return isAttribution(joined) && DATE.test(joined);
}

/** What is known about the lines from some index to the end, computed once from the bottom up. */
class Rest {
  private readonly quoted: boolean[];
  private readonly lastQuote: number;

  constructor(lines: readonly QuoteLine[]) {
    this.quoted = new Array(lines.length + 1).fill(true);
    for (let at = lines.length - 1; at >= 0; at--) {
      this.quoted[at] = endsText(lines, at) || (belongsToQuote(lines, at) && this.quoted[at + 1]!);
    }
    this.lastQuote = lines.findLastIndex((line) => line.quoted);
  }

  /** All lines from here on are quoted or blank, or belong to headers, footers and signatures. */
  isQuoted(from: number): boolean {
    return this.quoted[from]! && this.lastQuote >= from;
  }

  hasNoQuote(from: number): boolean {
    return this.lastQuote < from;
  }
}

function belongsToQuote(lines: readonly QuoteLine[], at: number): boolean {
  const { text, quoted, mark } = lines[at]!;
  if (quoted || mark === 'attribution' || text.trim() === '' || SENT_FROM.test(text.trim())) return true;
  return attributionEnd(lines, at) !== null;
}

const SIGNATURE = /^(?:--|-- |—|-{5}BEGIN PGP SIGNATURE-{5}|_{10,}|-{10,}|={10,})\s*$/;

/** From here on there is no answer: a signature or list footer, or an earlier message with its own header. */
function endsText(lines: readonly QuoteLine[], at: number): boolean {
  return !lines[at]!.quoted && (SIGNATURE.test(lines[at]!.text) || announcesMessage(lines, at));
}
