/** The delimiter lines of a multipart (RFC 2046, 5.1.1), found in bytes in one pass. */

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const DASH = 45;

/** Longer lines are not delimiters: RFC 2046 allows boundaries of 70 characters, RFC 5322 lines of 998. */
const MAX_LINE = 1000;

export interface Delimiter {
  /** The offsets of this line and of the next one. */
  start: number;
  next: number;
  /** The line without what follows the boundary. */
  line: Uint8Array;
  /** The end of the content before it: the line break before a delimiter belongs to the delimiter. */
  contentEnd: number;
}

/** The first delimiter of one of the boundaries in a line that begins at `from` or later. */
export function nextDelimiter(
  bytes: Buffer,
  from: number,
  boundaries: ReadonlySet<string>,
): Delimiter | null {
  if (boundaries.size === 0) return null;
  for (let at = from; at >= 0 && at < bytes.length; at = lineWithDashes(bytes, at)) {
    const found = delimiterAt(bytes, at, boundaries);
    if (found) return { ...found, contentEnd: contentEnd(bytes, from, found) };
  }
  return null;
}

/** The delimiter in the line that begins at `at`. */
export function delimiterAt(
  bytes: Buffer,
  at: number,
  boundaries: ReadonlySet<string>,
): Omit<Delimiter, 'contentEnd'> | null {
  if (boundaries.size === 0 || bytes[at] !== DASH || bytes[at + 1] !== DASH) return null;
  const last = Math.min(bytes.length, at + MAX_LINE);
  let lf = at;
  while (lf < last && bytes[lf] !== LF) lf++;
  if (lf === last && lf < bytes.length) return null;
  let end = lf;
  while (isBlank(bytes[end - 1])) end--;
  const value = bytes.toString('latin1', at + 2, end);
  if (!boundaries.has(value) && !(value.endsWith('--') && boundaries.has(value.slice(0, -2)))) return null;
  return { start: at, next: Math.min(lf + 1, bytes.length), line: bytes.subarray(at, end) };
}

const isBlank = (byte: number | undefined) => byte === SPACE || byte === TAB || byte === CR;

/** The beginning of the first line after `at` that starts with `--`, or -1. */
function lineWithDashes(bytes: Buffer, at: number): number {
  const found = bytes.indexOf('\n--', at, 'latin1');
  return found === -1 ? -1 : found + 1;
}

/** When lines end in LF alone, a CR before it is content. */
function contentEnd(bytes: Buffer, from: number, { start, next }: { start: number; next: number }): number {
  if (start === from) return start;
  const endsInLf = bytes[next - 1] === LF && bytes[next - 2] !== CR;
  const hasCr = !endsInLf && bytes[start - 2] === CR && start - 2 >= from;
  return start - (hasCr ? 2 : 1);
}
