/**
 * Text as `format=flowed` (RFC 3676, 4.2): a paragraph is broken into short lines that end in a space, which programs join
 * again. Quoted lines stay as they are.
 */

const WIDTH = 76;
const SIGNATURE = '-- ';

/** A space before what would mean something else (4.4). */
const stuffed = (line: string) => (/^(?: |From |>)/.test(line) ? ` ${line}` : line);

function broken(line: string): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > WIDTH) {
    const space = rest.lastIndexOf(' ', WIDTH - 1);
    const at = space > 0 ? space : rest.indexOf(' ', WIDTH);
    if (at <= 0 || at === rest.length - 1) break;
    lines.push(rest.slice(0, at + 1));
    rest = rest.slice(at + 1);
  }
  return [...lines, rest];
}

function flowedLine(line: string): string[] {
  if (line === SIGNATURE || line.startsWith('>')) return [line];
  return broken(line.trimEnd()).map(stuffed);
}

export const flowed = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .flatMap(flowedLine)
    .join('\r\n');
