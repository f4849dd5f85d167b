import { crc32, createInflateRaw } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import type { ArchiveSource, RawEntry } from './archive-entry.ts';
import { mboxEntries } from './mbox.ts';
import { damaged, NO_CHECKSUM } from './zip-failures.ts';
import type { BlockedReader } from './zip-reader.ts';

/**
 * The messages of an mbox in a zip, from a byte of the mbox on. Packed bytes cannot be read from their middle, so each
 * run unpacks from the beginning and drops what was read before. Messages before damage are read; the damage is a
 * failure behind them.
 */
export async function* mboxInZip(
  zip: ZipFile,
  reader: BlockedReader,
  entry: Entry,
  file: { name: string; index: number; from: number; keep: boolean },
): AsyncGenerator<RawEntry> {
  const { name, index, from, keep } = file;
  const sum = { size: 0, crc: 0 };
  const source: ArchiveSource = {
    size: entry.uncompressedSize,
    file_name: name,
    read: (start) => unpackedFrom(start, zip, entry, sum),
  };
  const behind = { name, end: index + 1 };
  try {
    for await (const found of mboxEntries(source, from, keep))
      yield { ...found, name, end: index, inner: found.end };
  } catch (error) {
    if (reader.sourceError) throw reader.sourceError;
    yield { ...behind, failure: damaged(error) };
    return;
  }
  if (sum.size !== entry.uncompressedSize || sum.crc !== entry.crc32)
    yield { ...behind, failure: NO_CHECKSUM };
}

const STORED = 0;
const DEFLATED = 8;

/** The bytes from `start` on; `sum` is of all bytes. */
async function* unpackedFrom(
  start: number,
  zip: ZipFile,
  entry: Entry,
  sum: { size: number; crc: number },
): AsyncGenerator<Buffer> {
  const { compressionMethod: method, uncompressedSize } = entry;
  if (method !== STORED && method !== DEFLATED) throw new Error(`unsupported compression method: ${method}`);
  const packed: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry, { decodeFileData: false });
  for await (const piece of method === STORED ? packed : inflated(packed)) {
    const before = sum.size;
    sum.size += piece.length;
    if (sum.size > uncompressedSize) throw new Error('it has more bytes than the directory says');
    sum.crc = crc32(piece, sum.crc);
    yield* skipped(piece, start - before);
  }
}

function* skipped(piece: Buffer, bytes: number): Generator<Buffer> {
  if (bytes < piece.length) yield piece.subarray(Math.max(0, bytes));
}

/**
 * Unpacks one slice after the other and hands out all that comes of it. A stream would drop what it buffers when it
 * fails, more or less of it each time; here the same bytes come before damage in every run.
 */
async function* inflated(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw();
  const out: Buffer[] = [];
  let failed: Error | undefined;
  inflate.on('data', (piece: Buffer) => out.push(piece));
  inflate.on('error', (error) => {
    failed = error;
  });
  const written = (slice?: Buffer) =>
    new Promise<void>((resolve) => {
      inflate.once('close', resolve);
      const done = () => {
        inflate.off('close', resolve);
        resolve();
      };
      if (slice) inflate.write(slice, done);
      else inflate.once('end', done).end();
    });
  try {
    for await (const slice of slicesOf(packed)) {
      await written(slice);
      yield* out.splice(0);
      if (failed) throw failed;
    }
    await written();
    yield* out.splice(0);
    if (failed) throw failed;
  } finally {
    inflate.destroy();
  }
}

/** Deflate makes at most 1,032 bytes of one: 16 MB of a slice. */
const SLICE = 16 * 1024;

/** The same slices whatever the pieces are. */
async function* slicesOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    for (; rest.length >= SLICE; rest = rest.subarray(SLICE)) yield rest.subarray(0, SLICE);
  }
  if (rest.length > 0) yield rest;
}
