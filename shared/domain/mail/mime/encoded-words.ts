import { decodeNamed } from './charset.ts';
import { decodeBase64, hexByte } from './transfer.ts';

/** Encoded words in header fields (RFC 2047, RFC 2231 5), in time proportional to the length. */

// Every part ends at the next question mark, so failed matches do not add up.
const WORD = /=\?([^?\s]{1,100})\?([QqBb])\?([^?]*)\?=/g;
const ONLY_WORDS = /^\s*(?:=\?[^?\s]{1,100}\?[QqBb]\?[^?]*\?=\s*)+$/;

/** The text with its encoded words decoded. White space between two of them is dropped. */
export function decodeWords(text: string): string {
  const pieces: string[] = [];
  let open: Word | null = null;
  let at = 0;
  for (const match of text.matchAll(WORD)) {
    const between = text.slice(at, match.index);
    const word = wordOf(match);
    at = match.index + match[0].length;
    const follows = open !== null && /^[ \t\r\n]*$/.test(between);
    // A character may be split between two words, so their bytes are decoded together.
    if (open && follows && open.charset === word.charset) {
      open.bytes.push(...word.bytes);
      continue;
    }
    if (open) pieces.push(decoded(open));
    if (!follows) pieces.push(between);
    open = word;
  }
  if (open) pieces.push(decoded(open));
  pieces.push(text.slice(at));
  return pieces.join('');
}

/** True when a text is nothing but encoded words. */
export const isEncodedWords = (text: string): boolean => ONLY_WORDS.test(text);

interface Word {
  charset: string;
  bytes: Uint8Array[];
}

/** Decoded as one text, unless that gives errors that the separate words do not, as a set with shifts can. */
function decoded({ charset, bytes }: Word): string {
  const joined = decodeNamed(Buffer.concat(bytes), charset);
  if (bytes.length === 1 || !joined.includes('\ufffd')) return joined;
  const each = bytes.map((word) => decodeNamed(word, charset)).join('');
  return each.includes('\ufffd') ? joined : each;
}

function wordOf([, label = '', encoding = '', content = '']: RegExpExecArray): Word {
  const bytes = Buffer.from(content);
  const isBase64 = encoding.toLowerCase() === 'b';
  // A language may follow the name of the character set.
  const charset = label.replace(/\*.*$/, '').toLowerCase();
  return { charset, bytes: [isBase64 ? decodeBase64(bytes) : decodeQ(bytes)] };
}

const SPACE = 32;
const EQUALS = 61;
const UNDERSCORE = 95;

function decodeQ(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length);
  let size = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    const value = byte === EQUALS && at + 2 < bytes.length ? hexByte(bytes[at + 1]!, bytes[at + 2]!) : -1;
    if (value >= 0) at += 2;
    out[size++] = value >= 0 ? value : byte === UNDERSCORE ? SPACE : byte;
  }
  return out.subarray(0, size);
}
