/** The beginning of a mail: blank lines, an mbox envelope line, the first header field. */

const CR = 13;
const LF = 10;
const COLON = 58;

/**
 * Where the header of a message begins: after a UTF-8 byte order mark, blank lines and one `From ` or `>From ` line,
 * which mail saved from an mbox still has.
 */
export function headerStart(raw: Uint8Array): number {
  let at = raw[0] === 0xef && raw[1] === 0xbb && raw[2] === 0xbf ? 3 : 0;
  at = skipBlank(raw, at);
  if (startsWith(raw, at, 'From ') || startsWith(raw, at, '>From ')) {
    const end = raw.indexOf(LF, at);
    at = end === -1 ? raw.length : end + 1;
  }
  return at;
}

/** The end of the header that begins at `start`: behind the first empty line. */
export function headerEnd(raw: Uint8Array, start: number): number {
  for (let at = start, next: number; at < raw.length; at = next) {
    const found = raw.indexOf(LF, at);
    next = found === -1 ? raw.length : found + 1;
    let end = found === -1 ? raw.length : found;
    while (end > at && raw[end - 1] === CR) end--;
    if (end === at) return next;
  }
  return raw.length;
}

/** True when the bytes at `at` are a header field: a name of printable ASCII and a colon (RFC 5322, 2.2). */
export function isHeaderField(raw: Uint8Array, at: number): boolean {
  for (let end = at; end < raw.length && end - at <= 200; end++) {
    const byte = raw[end]!;
    if (byte === COLON) return end > at;
    if (byte < 33 || byte > 126) return isSpaceBeforeColon(raw, at, end);
  }
  return false;
}

/** True when the bytes have a header, so they may be a message. */
export function looksLikeMessage(raw: Uint8Array): boolean {
  return isHeaderField(raw, headerStart(raw));
}

/** Old programs write `Subject : text`. */
function isSpaceBeforeColon(raw: Uint8Array, start: number, from: number): boolean {
  let at = from;
  while (raw[at] === 32 || raw[at] === 9) at++;
  return from > start && at > from && raw[at] === COLON && at - from <= 8;
}

function skipBlank(raw: Uint8Array, from: number): number {
  let at = from;
  while (raw[at] === LF || raw[at] === CR) at++;
  return at;
}

function startsWith(raw: Uint8Array, at: number, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (raw[at + i] !== text.charCodeAt(i)) return false;
  return true;
}
