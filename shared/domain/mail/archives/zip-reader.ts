import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import type { ArchiveSource } from './archive-entry.ts';

const BLOCK = 1024 * 1024;
const BLOCKS_KEPT = 4;
/** Longer ranges are read as one stream: an mbox has gigabytes, and each block is a request. */
const STREAMED = 32 * BLOCK;

/**
 * Gives yauzl the bytes of a source, in blocks of 1 MB of which four are kept: a zip is read in many tiny steps, and
 * each read of the source may be a network request.
 */
export class BlockedReader extends RandomAccessReader {
  /** An error of the source itself, as opposed to a fault in the zip. */
  sourceError: unknown = null;
  private readonly source: ArchiveSource;
  private readonly blocks = new Map<number, Promise<Buffer>>();

  constructor(source: ArchiveSource) {
    super();
    this.source = source;
  }

  /** The bytes from `start` to `end`, fewer at the end of the source. */
  async bytes(start: number, end: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces(start, end)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(end - start > STREAMED ? this.streamed(start, end) : this.pieces(start, end));
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ) {
    this.fill(buffer, offset, position, position + length).then(
      () => done(null),
      (error) => done(error),
    );
  }

  private async fill(buffer: Buffer, offset: number, start: number, end: number): Promise<void> {
    let at = offset;
    for await (const piece of this.pieces(start, end)) at += piece.copy(buffer, at);
    if (at - offset < end - start) throw new Error('unexpected end of the file');
  }

  private async *pieces(start: number, end: number): AsyncGenerator<Buffer> {
    let at = start;
    while (at < end) {
      const block = await this.block(Math.floor(at / BLOCK));
      const from = at % BLOCK;
      const piece = block.subarray(from, Math.min(block.length, from + end - at));
      if (piece.length === 0) return;
      yield piece;
      at += piece.length;
    }
  }

  private async *streamed(start: number, end: number): AsyncGenerator<Uint8Array> {
    try {
      yield* this.source.read(start, end);
    } catch (error) {
      this.sourceError ??= error;
      throw error;
    }
  }

  private block(index: number): Promise<Buffer> {
    const block = this.blocks.get(index) ?? this.load(index);
    this.blocks.delete(index);
    this.blocks.set(index, block);
    if (this.blocks.size > BLOCKS_KEPT) this.blocks.delete(this.blocks.keys().next().value!);
    return block;
  }

  private async load(index: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    const start = index * BLOCK;
    try {
      if (start >= this.source.size) return Buffer.alloc(0);
      for await (const piece of this.source.read(start, Math.min(this.source.size, start + BLOCK)))
        pieces.push(piece);
    } catch (error) {
      this.sourceError ??= error;
      throw error;
    }
    return Buffer.concat(pieces);
  }
}
