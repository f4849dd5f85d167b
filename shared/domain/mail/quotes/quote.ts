import { type Attribution, attributionAt, isDated, isFull } from './quote-attribution.ts';
import { endOfHeaderBlock, isHeaderBlock, isRule } from './quote-header.ts';
import { insideQuote, isBlank, isBrokenOff, type QuoteLine } from './quote-line.ts';
import { delimiterKind, SENT_FROM } from './quote-words.ts';

/**
 * Finds where the quote of a reply begins, for text and HTML alike, both given as lines.
 *
 * The quote begins at the topmost header below which everything is quoted (or is a footer, a signature, a nested
 * header). With an answer below or between quoted lines there is no split: the whole text is new. A forwarded message
 * is not a quote, nor is the text below its first line. Linear in the number of lines.
 *
 * Messages below a header block carry no marks, so an answer inside the first of them looks like a part of it. When
 * there is no text above the block, the answer can only be there: the quote begins at the next header, if any.
 */
export interface QuoteStart {
  line: number;
  /** Characters of that line that belong to the answer. */
  column: number;
}

/**
 * The place where the quote begins, or null. `forwarded`: the subject marks a forward. `illustrated`: an image is above
 * the first line.
 */
export function findQuote(
  lines: readonly QuoteLine[],
  forwarded: boolean,
  illustrated = false,
): QuoteStart | null {
  const rest = new Rest(lines);
  const top = illustrated ? null : topBlock(rest, lines);
  if (top === null) return findFrom(rest, lines, 0, forwarded);
  if (forwarded) return null;
  const end = endOfHeaderBlock(lines, top);
  const next = findFrom(rest, lines, end, false);
  const hasText = next && (next.column > 0 || lines.slice(end, next.line).some((line) => !isBlank(line)));
  return hasText ? next : { line: top, column: 0 };
}

/** The line of the header block at the beginning of a text, or null. */
function topBlock(rest: Rest, lines: readonly QuoteLine[]): number | null {
  const at = lines.findIndex((line) => !isBlank(line));
  if (!rest.announces[at]) return null;
  const { mark, text } = lines[at]!;
  return mark === 'reply' || delimiterKind(text) === 'reply' ? null : at;
}

function findFrom(
  rest: Rest,
  lines: readonly QuoteLine[],
  from: number,
  forwarded: boolean,
): QuoteStart | null {
  let hasText = false;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.quoted && line.mark !== 'cite') {
      const announced = announcedInside(lines, at);
      if (announced === 'forward' || (announced === 'message' && forwarded)) return null;
      if (announced && rest.isQuoted(at)) return { line: at, column: 0 };
      continue;
    }
    if (delimiterKind(line.text) === 'forward') return null;
    if (isBlank(line) && line.mark === null) continue;
    if (rest.announces[at]) return forwarded ? null : { line: at, column: 0 };
    const column = attributedColumn(rest, at, hasText);
    if (column !== null) return { line: at, column };
    hasText ||= !isBlank(line);
  }
  return null;
}

/** The column in line `at` where an attribution begins below which everything is quoted, or null. */
function attributedColumn(rest: Rest, at: number, hasText: boolean): number | null {
  const found = rest.attributions[at];
  if (!found) return null;
  if (rest.isQuoted(found.end)) return found.column;
  // Without quote marks and text above it, the text after an attribution may be the answer.
  const sure = found.column > 0 ? isFull(found) : hasText && isDated(found);
  return sure && rest.hasNoQuote(found.end) ? found.column : null;
}

/** A line after which everything is an earlier message, whatever it looks like. */
function announcesMessage(lines: readonly QuoteLine[], at: number): boolean {
  const { text, mark, quoted } = lines[at]!;
  if (quoted || (mark === null && text === '')) return false;
  return (
    mark === 'reply' ||
    mark === 'headers' ||
    delimiterKind(text) === 'reply' ||
    isHeaderBlock(lines, isRule(text) ? at + 1 : at)
  );
}

/** Quoted lines within which a header inside its own quote must end. */
const INSIDE_LINES = 12;

/** What the quoted lines from `at` on announce, when a program put the header inside the quote. */
function announcedInside(
  lines: readonly QuoteLine[],
  at: number,
): 'forward' | 'message' | 'attribution' | null {
  if (lines[at - 1]?.quoted) return null;
  const inside = insideQuote(lines, at, INSIDE_LINES);
  const first = inside.findIndex((line) => !isBlank(line));
  if (first === -1) return null;
  if (delimiterKind(inside[first]!.text) === 'forward') return 'forward';
  if (announcesMessage(inside, first)) return 'message';
  const found = attributionAt(inside, first);
  return found?.column === 0 && isDated(found) ? 'attribution' : null;
}

/** Facts about each line and all lines below it, computed once from the bottom up. */
class Rest {
  readonly announces: boolean[];
  readonly attributions: (Attribution | null)[];
  private readonly quoted: boolean[];
  private readonly lastQuote: number;

  constructor(lines: readonly QuoteLine[]) {
    this.quoted = new Array(lines.length + 1).fill(true);
    this.announces = new Array(lines.length).fill(false);
    this.attributions = new Array(lines.length).fill(null);
    for (let at = lines.length - 1; at >= 0; at--) {
      const line = lines[at]!;
      const announces = announcesMessage(lines, at);
      const attribution = attributionAt(lines, at);
      this.announces[at] = announces;
      this.attributions[at] = attribution;
      const ends = announces || (!line.quoted && SIGNATURE.test(line.text));
      const belongs = attribution?.column === 0 || belongsToQuote(lines, at);
      this.quoted[at] = ends || (belongs && this.quoted[at + 1]!);
    }
    this.lastQuote = lines.findLastIndex((line) => line.quoted);
  }

  /**
   * All lines from here on are quoted or blank, or belong to headers and footers. There is no answer below a signature,
   * a list footer or an earlier message with its own header.
   */
  isQuoted(from: number): boolean {
    return this.quoted[from]! && this.lastQuote >= from;
  }

  hasNoQuote(from: number): boolean {
    return this.lastQuote < from;
  }
}

const SIGNATURE = /^(?:--|-- |—|-{5}BEGIN PGP SIGNATURE-{5}|_{2,}|-{10,}|={10,})\s*$/;

function belongsToQuote(lines: readonly QuoteLine[], at: number): boolean {
  const line = lines[at]!;
  if (line.quoted || line.mark === 'attribution' || isBlank(line)) return true;
  return SENT_FROM.test(line.text.trim()) || isBrokenOff(lines, at);
}
