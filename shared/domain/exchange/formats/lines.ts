import type { ByteSource } from './source.ts';

/** The lines of vCards and iCalendar (RFC 5545, 3.1), with the place where each ends, in constant memory. */

/** Bytes of a line that are kept. */
const MAX_LINE = 256 * 1024;

export interface Line {
  text: string;
  next: number;
}

const NEWLINE = '\n'.charCodeAt(0);

/** Lines with their ends; of a longer one the beginning. */
export async function* linesFrom(source: ByteSource, from: number): AsyncGenerator<Line> {
  let line: Buffer[] = [];
  let length = 0;
  let at = from;
  const take = (bytes: Uint8Array) => {
    if (length < MAX_LINE) line.push(Buffer.from(bytes.subarray(0, MAX_LINE - length)));
    length += bytes.length;
  };
  const whole = () => {
    const text = Buffer.concat(line).toString('latin1').replace(/\r$/, '');
    line = [];
    length = 0;
    return text;
  };
  for await (const bytes of source.read(from, source.size)) {
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      take(bytes.subarray(start, end));
      yield { text: whole(), next: at + end + 1 };
      start = end + 1;
    }
    take(bytes.subarray(start));
    at += bytes.length;
  }
  if (length > 0) yield { text: whole(), next: at };
}

/** As one text, in which a fold may have been in the middle of a character. */
export const unfolded = (lines: string[]): string => lines.join('\r\n').replace(/\r\n[ \t]/g, '');
