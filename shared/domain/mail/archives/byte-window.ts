import type { ArchiveSource } from './archive-entry.ts';

const LF = 10;
const SMALLEST = 64 * 1024;

/**
 * The bytes of a source from an offset on, read in order, with any look-ahead. A returned view is valid until more is
 * read.
 */
export class ByteWindow {
  /** Offset in the source of the next byte. */
  at: number;
  private readonly pieces: AsyncIterator<Uint8Array>;
  private buffer: Buffer = Buffer.alloc(0);
  private start = 0;
  private end = 0;
  private ended = false;

  constructor(source: ArchiveSource, offset: number) {
    this.at = Math.min(offset, source.size);
    this.pieces = source.read(this.at, source.size)[Symbol.asyncIterator]();
  }

  /** Bytes in the buffer. */
  get size(): number {
    return this.end - this.start;
  }

  /** True when the buffer reaches the end of the source, and has exactly `size` bytes. */
  endsAfter(size: number): boolean {
    return this.ended && this.size === size;
  }

  view(from: number, to: number): Buffer {
    return this.buffer.subarray(this.start + from, Math.min(this.start + to, this.end));
  }

  /**
   * The line that begins `from` bytes ahead, with its line break; of a line over `max` bytes, what is buffered; null
   * when more must be read to tell.
   */
  line(max: number, from = 0): Buffer | null {
    const rest = this.view(from, this.size);
    const newline = rest.indexOf(LF);
    if (newline !== -1) return rest.subarray(0, newline + 1);
    return this.ended || rest.length > max ? rest : null;
  }

  skip(count: number): void {
    this.start += count;
    this.at += count;
  }

  /** Reads one more piece; false at the end. */
  async grow(): Promise<boolean> {
    if (this.ended) return false;
    const { value, done } = await this.pieces.next();
    if (done) this.ended = true;
    else this.append(value);
    return !this.ended;
  }

  /** Reads until `size` bytes are buffered, or all there are. */
  async ensure(size: number): Promise<void> {
    while (this.size < size && (await this.grow()));
  }

  async close(): Promise<void> {
    await this.pieces.return?.();
  }

  // Doubles the buffer, so that each byte is moved only a few times however long the look-ahead is.
  private append(piece: Uint8Array): void {
    const size = this.size + piece.length;
    if (this.end + piece.length > this.buffer.length) {
      const room =
        2 * size <= this.buffer.length ? this.buffer : Buffer.allocUnsafe(Math.max(2 * size, SMALLEST));
      this.buffer.copy(room, 0, this.start, this.end);
      this.buffer = room;
      this.end = this.size;
      this.start = 0;
    }
    this.buffer.set(piece, this.end);
    this.end += piece.length;
  }
}
