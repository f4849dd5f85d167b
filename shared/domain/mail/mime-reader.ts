import PostalMime, { type Email } from 'postal-mime';

/**
 * postal-mime with bounds on the work that a message can cause: it has limits on depth and headers, but none on
 * parts, and it keeps two objects for every line of text, which for 25 MB of short lines is gigabytes.
 *
 * This leans on internals of postal-mime 4.0.0 that its types leave out (`Internals`); the tests of `parseMessage`
 * with 1,001 parts and with a million short lines fail when an update moves them.
 */
const MAX_PARTS = 1000;
const MAX_LINES = 1_000_000;
const MAX_NESTING = 100;
const MAX_HEADERS = 1024 * 1024;

const LF = 10;
const CR = 13;
const DASH = 45;
const PAD = 61;

interface Internals {
  /** The whole message, and where the next line begins. */
  av: Uint8Array<ArrayBuffer>;
  readPos: number;
  /** The part that lines belong to at present. */
  currentNode: { state: string; contentTransferEncoding: { encoding: string } };
  /** The boundaries of the open multiparts. */
  boundaries: { value: Uint8Array }[];
  readLine(): Line;
  processLine(line: Uint8Array, isFinal: boolean): Promise<void>;
}

interface Line {
  bytes: Uint8Array;
  done: boolean;
}

const Base = PostalMime as unknown as new (options: object) => PostalMime & Internals;

/** Reads the MIME structure. Throws an error with a readable message when a bound is passed. */
export async function readMime(raw: Uint8Array): Promise<Email> {
  const options = { maxNestingDepth: MAX_NESTING, maxHeadersSize: MAX_HEADERS, forceRfc822Attachments: true };
  return await new BoundedReader(options).parse(raw);
}

class BoundedReader extends Base {
  private readonly nodes = new Set<unknown>();
  private lines = 0;

  override async processLine(line: Uint8Array, isFinal: boolean): Promise<void> {
    this.lines += 1 + (this.isIn(/base64/i) ? padsIn(line) : 0);
    if (this.lines > MAX_LINES) throw new Error('more than 1,000,000 lines');
    await super.processLine(line, isFinal);
    this.nodes.add(this.currentNode);
    // The message itself is one node more.
    if (this.nodes.size > MAX_PARTS + 1) throw new Error('more than 1,000 parts');
  }

  /** Of text that is not encoded, all lines up to the next boundary at once. */
  override readLine(): Line {
    const start = this.readPos;
    const isPlain = this.currentNode.state === 'body' && !this.isIn(/base64|quoted-printable/i);
    if (!isPlain || this.isBoundary(start)) return super.readLine();
    const end = this.nextBoundary(start);
    this.readPos = end;
    return {
      bytes: withUnixLineEnds(withoutLastLineEnd(this.av.subarray(start, end))),
      done: end >= this.av.length,
    };
  }

  private isIn(encoding: RegExp): boolean {
    return encoding.test(this.currentNode.contentTransferEncoding.encoding);
  }

  /** Where the next boundary line begins, or the end. */
  private nextBoundary(from: number): number {
    if (this.boundaries.length === 0) return this.av.length;
    for (let at = this.av.indexOf(LF, from); at !== -1; at = this.av.indexOf(LF, at + 1)) {
      if (this.isBoundary(at + 1)) return at + 1;
    }
    return this.av.length;
  }

  private isBoundary(at: number): boolean {
    if (this.av[at] !== DASH || this.av[at + 1] !== DASH) return false;
    return this.boundaries.some(({ value }) => {
      if (!value.every((byte, index) => this.av[at + 2 + index] === byte)) return false;
      let end = at + 2 + value.length;
      if (this.av[end] === DASH && this.av[end + 1] === DASH) end += 2;
      while (this.av[end] === 32 || this.av[end] === 9 || this.av[end] === CR) end++;
      return end >= this.av.length || this.av[end] === LF;
    });
  }
}

/** In base64 each run of padding ends a unit that is kept on its own. */
function padsIn(line: Uint8Array): number {
  let pads = 0;
  for (let at = line.indexOf(PAD); at !== -1; at = line.indexOf(PAD, at + 1)) pads++;
  return pads;
}

function withoutLastLineEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  if (bytes[end - 1] === LF) end--;
  while (bytes[end - 1] === CR) end--;
  return bytes.subarray(0, end);
}

/** CRLF as LF, which is what postal-mime makes of it line by line. */
function withUnixLineEnds(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(CR)) return bytes;
  const kept = new Uint8Array(bytes.length);
  let size = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== CR || bytes[at + 1] !== LF) kept[size++] = bytes[at]!;
  }
  return kept.subarray(0, size);
}
