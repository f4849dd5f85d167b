import type { ArchiveFailure, ArchiveSource, RawEntry } from './archive-entry.ts';
import { envelopeDate, isEnvelope, MAX_ENVELOPE } from './envelope.ts';
import { looksLikeMessage } from './header-line.ts';
import { MAX_MESSAGE, TOO_LARGE } from './limits.ts';

/**
 * The blocks of an mbox from a byte offset on, each a message or a failure: text without a header and messages over
 * 25 MB. Blocks of blank lines before the first envelope are nothing. With `keep` false the messages are empty.
 */
export async function* mboxEntries(
  source: ArchiveSource,
  offset: number,
  keep: boolean,
): AsyncGenerator<RawEntry> {
  const reader = new BlockReader(offset, keep);
  for await (const piece of source.read(Math.min(offset, source.size), source.size))
    yield* reader.take(piece);
  yield* reader.finish();
}

const LF = 10;
const CR = 13;
const GREATER = 62;

/** Cuts bytes into blocks. What it holds is the block at hand, up to 25 MB, and the line at hand, up to 1,000 bytes. */
class BlockReader {
  private readonly keep: boolean;
  private block: Block | null = null;
  /** The bytes so far of a line that may turn out to be special. */
  private partial: Uint8Array = new Uint8Array();
  /** Inside a line too long to be special. */
  private inLongLine = false;
  private afterBlank = true;
  /** Offset in the file of the first byte of `partial`. */
  private at: number;
  private done: RawEntry[] = [];

  constructor(offset: number, keep: boolean) {
    this.at = offset;
    this.keep = keep;
  }

  /** The blocks that end within this piece. */
  take(piece: Uint8Array): RawEntry[] {
    let start = 0;
    while (start < piece.length) {
      const newline = piece.indexOf(LF, start);
      const end = newline === -1 ? piece.length : newline + 1;
      this.takeLinePart(piece.subarray(start, end), newline !== -1);
      start = end;
    }
    const done = this.done;
    this.done = [];
    return done;
  }

  /** The block that the end of the file ends. */
  finish(): RawEntry[] {
    if (this.partial.length > 0) this.takeLine(this.partial);
    this.endBlock();
    return this.done;
  }

  private takeLinePart(part: Uint8Array, complete: boolean): void {
    if (this.inLongLine) {
      this.add(part);
      this.inLongLine = !complete;
      return;
    }
    const line = this.partial.length > 0 ? Buffer.concat([this.partial, part]) : part;
    if (complete) {
      this.partial = new Uint8Array();
      this.takeLine(line);
    } else if (line.length > MAX_ENVELOPE) {
      this.partial = new Uint8Array();
      this.inLongLine = true;
      this.afterBlank = false;
      this.add(line);
    } else {
      this.partial = line;
    }
  }

  private takeLine(bytes: Uint8Array): void {
    const line = this.at === 0 ? this.withoutBom(bytes) : bytes;
    if (this.afterBlank && isEnvelope(line)) {
      this.endBlock();
      this.block = new Block(line, this.keep);
      this.at += line.length;
      this.afterBlank = false;
      return;
    }
    this.afterBlank = isBlank(line);
    const text = isEscaped(line) ? line.subarray(1) : line;
    this.at += line.length - text.length;
    this.add(text);
  }

  private withoutBom(line: Uint8Array): Uint8Array {
    if (line[0] !== 0xef || line[1] !== 0xbb || line[2] !== 0xbf) return line;
    this.at += 3;
    return line.subarray(3);
  }

  private add(bytes: Uint8Array): void {
    this.block ??= new Block(null, this.keep);
    this.block.add(bytes);
    this.at += bytes.length;
  }

  private endBlock(): void {
    const entry = this.block?.entry(this.at);
    if (entry) this.done.push(entry);
    this.block = null;
  }
}

/** The bytes below one envelope, or before the first. */
class Block {
  private readonly keep: boolean;
  private readonly envelope: Uint8Array | null;
  /** Grown by doubling: a view per line would cost more than the text where lines are short. */
  private bytes: Buffer = Buffer.alloc(0);
  private size = 0;
  private isAllBlank = true;

  constructor(envelope: Uint8Array | null, keep: boolean) {
    this.envelope = envelope;
    this.keep = keep;
  }

  add(bytes: Uint8Array): void {
    if (this.isAllBlank) this.isAllBlank = bytes.every((byte) => byte === LF || byte === CR);
    const start = this.size;
    this.size += bytes.length;
    if (this.size > MAX_MESSAGE + LINE_END) this.bytes = Buffer.alloc(0);
    else if (this.keep) this.write(bytes, start);
  }

  private write(bytes: Uint8Array, start: number): void {
    if (this.size > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(2 * this.bytes.length, this.size, SMALLEST));
      larger.set(this.bytes.subarray(0, start));
      this.bytes = larger;
    }
    this.bytes.set(bytes, start);
  }

  /** What this block is, or null for blank lines before the first envelope. */
  entry(end: number): RawEntry | null {
    const place = { name: null, end };
    const envelope_date = this.envelope && envelopeDate(this.envelope);
    if (this.isAllBlank && !this.envelope) return null;
    if (!this.keep) return { ...place, raw: new Uint8Array(), envelope_date };
    const raw = withoutBlankEnd(this.bytes.subarray(0, this.size));
    if (this.size > MAX_MESSAGE + LINE_END || raw.length > MAX_MESSAGE) {
      return { ...place, failure: failure('too_large', TOO_LARGE) };
    }
    if (looksLikeMessage(raw)) return { ...place, raw, envelope_date };
    return { ...place, failure: failure('not_a_message', 'A piece of the archive has no mail header.') };
  }
}

const SMALLEST = 8 * 1024;

/** Bytes of the blank line behind a message, which is not part of it. */
const LINE_END = 2;

const failure = (reason: ArchiveFailure['reason'], message: string): ArchiveFailure => ({ reason, message });

const isBlank = (line: Uint8Array) => line[0] === LF || (line[0] === CR && line[1] === LF);

/** `>From `, `>>From ` and so on: text that an mbox writer escaped by one `>`. */
function isEscaped(line: Uint8Array): boolean {
  if (line[0] !== GREATER) return false;
  let at = 1;
  while (line[at] === GREATER) at++;
  return (
    Buffer.from(line.buffer, line.byteOffset + at, Math.min(5, line.length - at)).toString('latin1') ===
    'From '
  );
}

/** Without the blank line that mbox writers put behind each message. */
function withoutBlankEnd(raw: Buffer): Buffer {
  const last = raw.length - 1;
  if (raw[last] !== LF) return raw;
  const end = raw[last - 1] === CR ? last - 1 : last;
  return raw[end - 1] === LF ? raw.subarray(0, end) : raw;
}
