import { isUtf8 } from 'node:buffer';

/** The character encoding of a file of people's records: spreadsheets write four, and name none. */

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;

export type Encoding = (typeof encodings)[number];

/** Of two bytes for each character. */
export const isWide = (encoding: Encoding) => encoding.startsWith('utf-16');

export interface Encoded {
  encoding: Encoding;
  /** Bytes of its byte order mark. */
  mark: number;
}

const MARKS: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** The end of a sample may be in the middle of a character, which has four bytes at most. */
const isUtf8Sample = (sample: Buffer) =>
  [0, 1, 2, 3].some((cut) => isUtf8(sample.subarray(0, -cut || undefined)));

/** In UTF-16, most letters of European languages have a zero byte: the second, or the first. */
function wideEncoding(sample: Buffer): Encoding | undefined {
  const zeros = [0, 0];
  for (let i = 0; i < sample.length; i++) if (sample[i] === 0) (zeros[i % 2] as number)++;
  const [first = 0, second = 0] = zeros.map((count) => (count * 2) / sample.length);
  if (second > 0.4 && first < 0.1) return 'utf-16le';
  return first > 0.4 && second < 0.1 ? 'utf-16be' : undefined;
}

/** By its mark, else by what the bytes can be; windows-1252 gives every byte a character, as Latin-1 does. */
export function encodingOf(sample: Buffer): Encoded {
  for (const [encoding, mark] of MARKS)
    if (mark.every((byte, i) => sample[i] === byte)) return { encoding, mark: mark.length };
  const encoding = wideEncoding(sample) ?? (isUtf8Sample(sample) ? 'utf-8' : 'windows-1252');
  return { encoding, mark: 0 };
}

const western = new TextDecoder('windows-1252');

/** Text whose bytes stand in it as characters. Where a file is not in UTF-8 after all, windows-1252 counts. */
export function decodeLatin(text: string, encoding: Encoding): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  const bytes = Buffer.from(text, 'latin1');
  return encoding === 'utf-8' && isUtf8(bytes) ? bytes.toString('utf8') : western.decode(bytes);
}

/** Turns big-endian pairs of bytes around, of which one may be cut by the end of a part. */
export async function* swapped(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let left = Buffer.alloc(0);
  for await (const part of parts) {
    const bytes = Buffer.concat([left, part]);
    const whole = bytes.length - (bytes.length % 2);
    left = Buffer.from(bytes.subarray(whole));
    yield bytes.subarray(0, whole).swap16();
  }
}
