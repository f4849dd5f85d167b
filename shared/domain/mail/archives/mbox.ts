import { headerBlock, isEnough, LOOK_AHEAD } from '#shared/domain/mail/mime/header-block.ts';
import { looksLikeMessage } from '#shared/domain/mail/mime/header-line.ts';
import { MAX_MESSAGE, TOO_LARGE } from '#shared/domain/mail/mime/limits.ts';
import type { ArchiveFailure, ArchiveSource, RawEntry } from './archive-entry.ts';
import { ByteWindow } from './byte-window.ts';
import { envelopeDate, MAX_ENVELOPE, neededBelow, startsLikeEnvelope } from './envelope.ts';

/**
 * The blocks of an mbox from a byte offset on, each a message or a failure: text without a header and messages over 25
 * MB. Blank lines before the first envelope are skipped. With `keep` false the messages are empty.
 */
export async function* mboxEntries(
  source: ArchiveSource,
  offset: number,
  keep: boolean,
): AsyncGenerator<RawEntry> {
  const window = new ByteWindow(source, offset);
  try {
    yield* new BlockReader(window, keep).entries();
  } finally {
    await window.close();
  }
}

const LF = 10;
const CR = 13;
const GREATER = 62;
const BOM = Buffer.from('\ufeff');
const FROM = Buffer.from('From ');

/**
 * Splits bytes into blocks. Buffers the current block, up to 25 MB, and the look-ahead: a piece of the source and 16
 * kB, or as many bytes as a Content-Length claims, up to 25 MB.
 */
class BlockReader {
  private readonly window: ByteWindow;
  private readonly keep: boolean;
  private block: Block | null = null;
  /** Inside a line that is too long to be an envelope or header. */
  private inLongLine = false;
  private afterBlank = true;
  private inHeader = true;
  /** The Content-Length of the current header. */
  private claim = 0;

  constructor(window: ByteWindow, keep: boolean) {
    this.window = window;
    this.keep = keep;
  }

  async *entries(): AsyncGenerator<RawEntry> {
    const { window } = this;
    await this.skipBom();
    while (window.size > 0 || (await window.grow())) {
      const line = window.line(MAX_ENVELOPE);
      if (line === null) {
        await window.grow();
      } else if (!this.inLongLine && startsLikeEnvelope(line) && (await this.parts(line))) {
        yield* this.ended();
        this.begin();
      } else {
        this.take(line);
        if (this.claim > 0 && !this.inHeader) await this.takeClaimed();
      }
    }
    yield* this.ended();
  }

  private async skipBom(): Promise<void> {
    if (this.window.at > 0) return;
    await this.window.ensure(BOM.length);
    if (this.window.view(0, BOM.length).equals(BOM)) this.window.skip(BOM.length);
  }

  /** True when the current line separates two messages. */
  private async parts(line: Uint8Array): Promise<boolean> {
    const { length } = line;
    const needed = neededBelow(line, this.afterBlank);
    // Below an envelope there may be another one, of the mailbox that the message was in before.
    if (needed === null || (!this.afterBlank && this.block?.isEmpty())) return false;
    if (needed === 'anything') return true;
    await this.window.ensure(length + LOOK_AHEAD);
    return isEnough(headerBlock(this.window.view(length, length + LOOK_AHEAD)), needed);
  }

  private begin(): void {
    const line = this.window.line(MAX_ENVELOPE)!;
    this.block = new Block(envelopeDate(line), true, this.keep);
    this.window.skip(line.length);
    this.afterBlank = false;
    this.inHeader = true;
    this.claim = 0;
  }

  private take(line: Uint8Array): void {
    const begins = !this.inLongLine;
    this.afterBlank = begins && isBlank(line);
    if (this.inHeader && begins) this.claim = contentLength(line) ?? this.claim;
    if (this.afterBlank) this.inHeader = false;
    this.inLongLine = line[line.length - 1] !== LF;
    this.add(begins && isEscaped(line) ? line.subarray(1) : line);
    this.window.skip(line.length);
  }

  /**
   * Takes a body with envelope-like lines as a whole when its Content-Length says so. That is the claim of a stranger,
   * so it counts only when the mbox ends there, or another message begins there; and not when that message visibly has
   * no Content-Length: in mbox files that rely on it all messages have one.
   */
  private async takeClaimed(): Promise<void> {
    const { claim, window } = this;
    this.claim = 0;
    if (claim > MAX_MESSAGE) return;
    await window.ensure(claim + LINE_END + MAX_ENVELOPE + LOOK_AHEAD);
    const body = window.view(0, claim);
    if (body.length < claim || !hasFromLine(body) || !this.endsAt(claim)) return;
    this.add(body);
    window.skip(claim);
    this.afterBlank = true;
  }

  /** True when the mbox ends `at` bytes ahead, or a message begins there that may have a Content-Length. */
  private endsAt(at: number): boolean {
    const { window } = this;
    const between = window.line(MAX_ENVELOPE, at)!;
    const start = isBlank(between) ? at + between.length : at;
    if (window.endsAfter(start)) return true;
    if (start === at && window.view(at - 1, at)[0] !== LF) return false;
    const line = window.line(MAX_ENVELOPE, start)!;
    const needed = neededBelow(line, true);
    const below = headerBlock(window.view(start + line.length, start + line.length + LOOK_AHEAD));
    return needed !== null && isEnough(below, needed) && (below.names.has('content-length') || !below.whole);
  }

  private add(bytes: Uint8Array): void {
    this.block ??= new Block(null, false, this.keep);
    this.block.add(bytes);
  }

  private *ended(): Generator<RawEntry> {
    const entry = this.block?.entry(this.window.at);
    if (entry) yield entry;
    this.block = null;
  }
}

/** The bytes below one envelope, or before the first. */
class Block {
  private readonly keep: boolean;
  private readonly envelope_date: string | null;
  private readonly enveloped: boolean;
  /** Grows by doubling: a view for each line would cost more than the text when lines are short. */
  private bytes: Buffer = Buffer.alloc(0);
  private size = 0;
  private isAllBlank = true;

  constructor(envelope_date: string | null, enveloped: boolean, keep: boolean) {
    this.envelope_date = envelope_date;
    this.enveloped = enveloped;
    this.keep = keep;
  }

  isEmpty(): boolean {
    return this.enveloped && this.size === 0;
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

  /** The entry of this block; null for blank lines before the first envelope. */
  entry(end: number): RawEntry | null {
    const place = { name: null, end };
    const { envelope_date } = this;
    if (this.isAllBlank && !this.enveloped) return null;
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

/** Bytes of the blank line after a message, which is not part of it. */
const LINE_END = 2;

const failure = (reason: ArchiveFailure['reason'], message: string): ArchiveFailure => ({ reason, message });

const isBlank = (line: Uint8Array) => line[0] === LF || (line[0] === CR && line[1] === LF);

/** The value of a Content-Length field. */
function contentLength(line: Uint8Array): number | null {
  if (line.length > 100 || (line[0]! | 32) !== 99) return null;
  const value = /^content-length:[ \t]*(\d{1,9})\s*$/i.exec(Buffer.from(line).toString('latin1'))?.[1];
  return value === undefined ? null : Number(value);
}

const hasFromLine = (body: Buffer) => body.subarray(0, 5).equals(FROM) || body.includes('\nFrom ');

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

/** Without the blank line that mbox writers append to each message. */
function withoutBlankEnd(raw: Buffer): Buffer {
  const last = raw.length - 1;
  if (raw[last] !== LF) return raw;
  const end = raw[last - 1] === CR ? last - 1 : last;
  return raw[end - 1] === LF ? raw.subarray(0, end) : raw;
}
