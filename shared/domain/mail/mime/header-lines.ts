import { isUtf8 } from 'node:buffer';
import { decodeNamed, isKnownCharset } from './charset.ts';
import { MAX_FIELD, MAX_HEADER_LINES, MAX_HEADERS } from './limits.ts';

const SPACE = 32;
const TAB = 9;
const COMMA = 44;

/** Header lines for the parser: in UTF-8, and limited in number and size. */
export class HeaderLines {
  /** Whether something was dropped. */
  truncated = false;
  private bytes = 0;
  private lines = 0;
  private fieldBytes = 0;
  private isContentField = false;

  /** The next line for the parser; null to drop it. Never an empty line, which would end the header. */
  take(line: Uint8Array): Uint8Array | null {
    const beginsField = line[0] !== SPACE && line[0] !== TAB;
    if (beginsField) this.fieldBytes = 0;
    const isFull = this.lines >= MAX_HEADER_LINES;
    const room = isFull ? 0 : Math.min(MAX_FIELD - this.fieldBytes, MAX_HEADERS - this.bytes);
    this.fieldBytes += line.length;
    this.truncated ||= line.length > room;
    if (room <= 0) return null;
    if (beginsField)
      this.isContentField = /^content-/i.test(Buffer.from(line.subarray(0, 8)).toString('latin1'));
    const read = line.length > room ? withoutLastWord(line.subarray(0, room)) : line;
    if (read.length === 0) return null;
    this.bytes += read.length;
    this.lines++;
    return this.inUtf8(read);
  }

  private inUtf8(line: Uint8Array): Uint8Array {
    if (isUtf8(line) && !this.isContentField) return line;
    const text = decodeNamed(line, undefined);
    return Buffer.from(this.isContentField ? withKnownCharsets(text) : text);
  }
}

/** Up to the last space or comma, so that no address is cut into another one. */
function withoutLastWord(line: Uint8Array): Uint8Array {
  const end = Math.max(line.lastIndexOf(SPACE), line.lastIndexOf(COMMA));
  return end < 0 ? line : line.subarray(0, end);
}

/** An extended parameter: its name, character set, language and value (RFC 2231, 4). */
const EXTENDED = /([;\s][\w-]{1,50}\*(?:0\*)?[ \t]*=[ \t]*"?)([\w.:+-]{0,50})('[\w-]{0,50}')([^;]*)/g;

/** Renames unknown character sets of extended parameters to the most likely ones. */
function withKnownCharsets(line: string): string {
  return line.replace(
    EXTENDED,
    (all: string, start: string, label: string, language: string, value: string) => {
      if (isKnownCharset(label)) return all;
      const bytes = Buffer.from(
        value.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      );
      return `${start}${isUtf8(bytes) ? 'utf-8' : 'windows-1252'}${language}${value}`;
    },
  );
}
