import { type HtmlToken, htmlTokens, isVoid } from './tokens.ts';

/** The open elements at a place in sanitized HTML: their start tags as written, outermost first. */
interface OpenElement {
  name: string;
  tag: string;
}

/**
 * Cuts sanitized HTML (the output of `sanitizeHtml`) at a token boundary into two well-formed pieces: elements open at
 * `offset` are closed in the first piece and opened again in the second. No text is lost.
 */
export function splitSanitized(html: string, offset: number): { before: string; after: string } {
  const open: OpenElement[] = [];
  for (const token of htmlTokens(html)) {
    if (token.start >= offset) break;
    track(open, html, token);
  }
  const reopened = open.map((element) => element.tag).join('');
  return { before: html.slice(0, offset) + closing(open), after: reopened + html.slice(offset) };
}

/** The longest well-formed beginning of sanitized HTML with at most `max` of the characters < > &. */
export function beginningOf(html: string, max: number): string {
  const open: OpenElement[] = [];
  let weight = 0;
  for (const token of htmlTokens(html)) {
    const own = markupIn(html, token.start, token.end);
    // Each open element still needs an end tag, and this token may open one more.
    if (weight + own + 2 * (open.length + 1) > max) return html.slice(0, token.start) + closing(open);
    weight += own;
    track(open, html, token);
  }
  return html;
}

/** The number of < > & in a range of text. */
export function markupIn(html: string, start = 0, end = html.length): number {
  let count = 0;
  for (let at = start; at < end; at++) {
    const code = html.charCodeAt(at);
    if (code === 60 || code === 62 || code === 38) count++;
  }
  return count;
}

function track(open: OpenElement[], html: string, token: HtmlToken): void {
  if (token.kind === 'close') open.pop();
  else if (token.kind === 'open' && !isVoid(token.name)) {
    open.push({ name: token.name, tag: html.slice(token.start, token.end) });
  }
}

function closing(open: readonly OpenElement[]): string {
  return open
    .map((element) => `</${element.name}>`)
    .reverse()
    .join('');
}
