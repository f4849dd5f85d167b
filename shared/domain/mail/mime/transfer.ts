/**
 * Decodes Content-Transfer-Encoding (RFC 2045, 6): the bytes that were sent, with their line ends. Linear, never
 * throws.
 */

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const EQUALS = 61;

/** Content that is neither base64 nor quoted-printable is returned unchanged, without a copy. */
export function decodeTransfer(bytes: Uint8Array, encoding: string): Uint8Array {
  if (/base64/i.test(encoding)) return decodeBase64(bytes);
  return /quoted-printable/i.test(encoding) ? decodeQuotedPrintable(bytes) : bytes;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SEXTETS = new Int8Array(256).fill(-1);
for (let value = 0; value < 64; value++) SEXTETS[ALPHABET.charCodeAt(value)] = value;

/** Other characters are skipped. Padding ends a unit, since some programs pad every line. */
export function decodeBase64(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(Math.ceil((bytes.length * 3) / 4));
  let size = 0;
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    const sextet = SEXTETS[byte]!;
    if (byte === EQUALS) held = 0;
    if (sextet < 0) continue;
    bits = ((bits << 6) | sextet) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out[size++] = bits >> held;
  }
  return out.subarray(0, size);
}

/** White space at the end of a line was added in transit and is removed; invalid escapes stay (6.7). */
function decodeQuotedPrintable(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let size = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at]!;
    const value = byte === EQUALS && at + 2 < bytes.length ? hexByte(bytes[at + 1]!, bytes[at + 2]!) : -1;
    const end = byte === EQUALS || isBlank(byte) ? blanksEnd(bytes, at + 1) : at + 1;
    if (value >= 0) {
      out[size++] = value;
      at += 3;
    } else if (byte === EQUALS && isLineEnd(bytes, end)) {
      at = lineStart(bytes, end);
    } else if (isBlank(byte) && isLineEnd(bytes, end)) {
      at = end;
    } else {
      for (; at < end; at++) out[size++] = bytes[at]!;
    }
  }
  return out.subarray(0, size);
}

const isBlank = (byte: number | undefined) => byte === SPACE || byte === TAB;

function blanksEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isBlank(bytes[at])) at++;
  return at;
}

const isLineEnd = (bytes: Uint8Array, at: number) => lineStart(bytes, at) > at || at >= bytes.length;

/** The beginning of the next line when this one ends at `at`, else `at`. */
function lineStart(bytes: Uint8Array, at: number): number {
  if (bytes[at] === LF) return at + 1;
  return bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at;
}

/** The byte of two hexadecimal digits; negative when they are not digits. */
export function hexByte(high: number, low: number): number {
  const [first, second] = [hexDigit(high), hexDigit(low)];
  return first < 0 || second < 0 ? -1 : first * 16 + second;
}

function hexDigit(char: number): number {
  if (char >= 48 && char <= 57) return char - 48;
  const letter = char | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}
