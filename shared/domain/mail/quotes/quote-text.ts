import { findQuote } from './quote.ts';
import { isQuotedText, type QuoteLine } from './quote-line.ts';

/** The two parts of a text; without a quote header `quoted` is null and `fresh` is the whole. */
export interface TextSplit {
  fresh: string;
  quoted: string | null;
}

/** Splits plain text (lines by LF) at the quote header of a reply. `fresh + quoted` is the text, unchanged. */
export function splitText(text: string, forwarded = false): TextSplit {
  const texts = text.split('\n');
  const lines: QuoteLine[] = texts.map((line) => ({
    text: line,
    quoted: isQuotedText(line),
    mark: null,
    ruled: false,
  }));
  const start = findQuote(lines, forwarded);
  if (start === null) return { fresh: text, quoted: null };
  const above = texts.slice(0, start.line).reduce((sum, line) => sum + line.length + 1, 0);
  const offset = above + start.column;
  return { fresh: text.slice(0, offset), quoted: text.slice(offset) };
}

/** The text without lines that start with `>`, and without the line above them that ends in a colon. */
export function withoutQuotes(text: string): string {
  const lines = text.split('\n');
  const isQuoted = (index: number) => isQuotedText(lines[index] ?? '');
  const announces = (index: number) =>
    /:\s*$/.test(lines[index]!) && (isQuoted(index + 1) || isQuoted(index + 2));
  return lines.filter((_, index) => !isQuoted(index) && !announces(index)).join('\n');
}
