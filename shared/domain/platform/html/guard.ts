import { markupIn } from './cut.ts';
import { htmlTokens, isVoid } from './tokens.ts';

/**
 * Bounds on HTML that keep sanitizing within half a second: htmlparser2 takes time in proportion to tags times depth,
 * so both are limited. Markup is counted in the characters < > and &.
 */
export const MAX_DEPTH = 200;
export const MAX_MARKUP = 250_000;

/** `html` up to its 250,000th < > or &; the same text when it has no more. Linear. */
export function limitMarkup(html: string): string {
  if (html.length <= MAX_MARKUP) return html;
  let count = 0;
  for (let at = 0; at < html.length; at++) {
    count += markupIn(html, at, at + 1);
    if (count > MAX_MARKUP) return html.slice(0, at);
  }
  return html;
}

/**
 * Removes tags nested deeper than 200, with their end tags, and keeps the text. Linear. Input that hides tags from this
 * scan may still be deep; the sanitizer counts the real depth and then uses `withoutTags`.
 */
export function flatten(html: string): string {
  const open: string[] = [];
  const dropped = new Map<string, number>();
  const kept: string[] = [];
  for (const token of htmlTokens(html)) {
    const { kind, name } = token;
    const left = dropped.get(name) ?? 0;
    if (kind === 'open' && !isVoid(name)) {
      closeImplied(open, name);
      if (open.length >= MAX_DEPTH) {
        dropped.set(name, left + 1);
        continue;
      }
      open.push(name);
    } else if (kind === 'close' && left > 0) {
      dropped.set(name, left - 1);
      continue;
    } else if (kind === 'close' && open.includes(name)) {
      open.length = open.lastIndexOf(name);
    }
    kept.push(html.slice(token.start, token.end));
  }
  return kept.join('');
}

const IMPLIED: Record<string, string[]> = {
  p: ['p'],
  li: ['li'],
  td: ['td', 'th'],
  th: ['th'],
  tr: ['td', 'th', 'tr'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
  option: ['option'],
};

function closeImplied(open: string[], name: string): void {
  const closes = IMPLIED[name];
  while (closes?.includes(open.at(-1) ?? '')) open.pop();
}

/** The text between the tags, without any `<`. The last resort for input made to defeat `flatten`. Linear. */
export function withoutTags(html: string): string {
  return html.replace(/<[^>]*>?/g, ' ');
}
