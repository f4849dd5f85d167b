import type { HtmlLine } from './text.ts';
import { htmlTokens, isVoid } from './tokens.ts';

/**
 * Where in sanitized HTML a place of its text is: in the line of this number, after `column` characters that the line
 * shows. Counts from the end of the line what is no white space, which the text has as the HTML has it.
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

/** Where each character begins that is no white space, counting elements to it that open right before it. */
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
