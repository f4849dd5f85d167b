import type { HtmlLine } from './lines.ts';
import { htmlTokens, isVoid } from './tokens.ts';

/**
 * The offset in sanitized HTML of a place in its text, given as a line and the number of visible characters before it
 * in that line. Counts non-space characters from the end of the line, which are the same in text and HTML.
 */
export function offsetInLine(
  html: string,
  lines: readonly HtmlLine[],
  { line, column }: { line: number; column: number },
): number {
  const { start, text } = lines[line]!;
  if (column === 0) return start;
  const written = html.slice(start, lines[line + 1]?.start ?? html.length);
  const behind = text.slice(column).match(/\S/g)?.length ?? 0;
  const places = characterPlaces(written);
  return start + (places[places.length - behind] ?? written.length);
}

const CHARACTER = /&(?:amp|lt|gt|quot);|\S/g;

/** The offset of each non-space character, or of the elements that open right before it. */
function characterPlaces(html: string): number[] {
  const places: number[] = [];
  let opened: number | null = null;
  for (const { kind, name, start, end } of htmlTokens(html)) {
    if (kind === 'open' && !isVoid(name)) {
      opened ??= start;
      continue;
    }
    if (kind === 'text') {
      for (const match of html.slice(start, end).matchAll(CHARACTER)) {
        const follows = match.index === 0 && opened !== null;
        places.push(follows ? opened! : start + match.index);
      }
    }
    opened = null;
  }
  return places;
}
