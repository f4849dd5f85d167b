import type { QuoteLine } from './quote-line.ts';
import { INLINE_LEAD, LEAD, WROTE } from './quote-words.ts';

/** Attributions: the possibly folded line that names the author of the quote below. */

/** The place of an attribution: in line `at` after `column` characters, up to the line before `end`. */
export interface Attribution {
  column: number;
  end: number;
  /** All of it, as one line. */
  text: string;
}

const MAX_LINES = 4;
const MAX_LENGTH = 500;

/** The attribution that begins in line `at`, or null. */
export function attributionAt(lines: readonly QuoteLine[], at: number): Attribution | null {
  const { mark, quoted, text } = lines[at]!;
  if (mark === 'attribution') return { column: 0, end: endOfMark(lines, at), text };
  if (mark === 'cite' && quoted) return { column: 0, end: at, text };
  if (quoted || text.trim() === '') return null;
  const column = mayFold(text) ? 0 : inlineColumn(text);
  const found = column === null ? null : foldedAt(lines, at, column, MAX_LINES);
  // An attribution inside another one may be a part of it.
  return found ?? foldedAt(lines, at, 0, 1);
}

function foldedAt(
  lines: readonly QuoteLine[],
  at: number,
  column: number,
  count: number,
): Attribution | null {
  let text = '';
  for (let i = at; i < lines.length && i < at + count; i++) {
    const line = lines[i]!;
    const piece = i === at ? line.text.slice(column) : line.text;
    // A `>` at the start of a line may close the address of the previous line.
    const ends = piece.trim() === '' || (line.quoted && !endsInsideBracket(text));
    if (ends || text.length + piece.length > MAX_LENGTH) return null;
    text = `${text} ${visible(piece)}`.trim();
    const announced = lines[at]!.mark === 'cite' && /[:：]$/.test(text);
    if (announced || isAttribution(text) || isLooseAbove(lines, i + 1, text))
      return { column, end: i + 1, text };
  }
  return null;
}

const endsInsideBracket = (text: string) => text.lastIndexOf('<') > text.lastIndexOf('>');

/** True for a line that begins like an attribution, with one of its first words or a date. */
function mayFold(text: string): boolean {
  const start = visible(text.slice(0, 60));
  return LEAD.test(start) || /^\S{0,6}[\s,.]{0,2}\d/.test(start);
}

/**
 * Where an attribution may begin after the end of an answer on the same line: after white space or at dashes, with one
 * of its first words and a date. Words before it that contain an address belong to the attribution.
 */
function inlineColumn(text: string): number | null {
  const start = Math.max(0, text.length - MAX_LENGTH);
  const last = [...text.slice(start).matchAll(INLINE_LEAD)].at(-1);
  if (!last) return null;
  const column = start + last.index + (last[0].startsWith('-') ? 0 : last[0].length);
  return ADDRESS.test(text.slice(start, column)) ? null : column;
}

/**
 * Without characters that only set the writing direction, of which Hebrew and Arabic attributions have many, and with a
 * colon for the dashes that Zoho writes around its attribution.
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

export const DATE =
  /\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}[-年/.]\s?\d{1,2}|\d{1,2}[:.h]\d{2}|\b(?:19|20)\d{2}\b|\d{4}년/;
export const ADDRESS = /[^\s<>@]+@[^\s<>@]+/;
const VERBS = WROTE.map((word) => word.replace(/[()]/g, '\\$&')).join('|');
const BEFORE_VERB =
  '(?:^|[\\s,)>”"]|[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\d])';
const WROTE_WORD = new RegExp(`${BEFORE_VERB}(?:${VERBS})(?=[\\s:：(<,]|$)`, 'iu');
const ENDS_IN_WROTE = new RegExp(`${BEFORE_VERB}(?:${VERBS})$`, 'iu');

/** A line that ends in a colon or a verb and names who wrote, or when and from which address. */
function isAttribution(line: string): boolean {
  const dated = DATE.test(line);
  const addressed = ADDRESS.test(line);
  if (!/[:：]\s*$/.test(line)) return dated && addressed && ENDS_IN_WROTE.test(line);
  return (WROTE_WORD.test(line) && (dated || addressed)) || (dated && addressed);
}

/** Forms that count only above quoted lines: `Ann wrote:`, `* Ann [date]:`, `2009/11/17 Ann <ann@a.example>`. */
function isLooseAbove(lines: readonly QuoteLine[], next: number, line: string): boolean {
  if (endsInsideBracket(line) || !nextIsQuoted(lines, next)) return false;
  if (/[:：,.…]\s*$/.test(line) && WROTE_WORD.test(line)) return true;
  if (/[:：]\s*$/.test(line) && (LEAD.test(line) || DATE.test(line))) return true;
  return mayFold(line) && DATE.test(line) && ADDRESS.test(line);
}

function nextIsQuoted(lines: readonly QuoteLine[], from: number): boolean {
  let at = from;
  while (at < lines.length && at < from + 2 && !lines[at]!.quoted && lines[at]!.text.trim() === '') at++;
  return lines[at]?.quoted ?? false;
}

/** True for an attribution with a date, which needs no quoted line below it. */
export function isDated({ text }: Attribution): boolean {
  return isAttribution(text) && DATE.test(text);
}

/** Like `isDated` for an attribution after other words, with stricter rules. */
export function isFull({ text }: Attribution): boolean {
  return DATE.test(text) && ADDRESS.test(text) && WROTE_WORD.test(text);
}
