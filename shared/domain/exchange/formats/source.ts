/** The bytes of a file, wherever they are. */
export interface ByteSource {
  size: number;
  /** Streams bytes from `start` to before `end`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** Bytes that are fetched at once. */
export const WINDOW = 1024 * 1024;

/**
 * The same bytes, fetched in windows: rows are stored more slowly than storage sends, and it closes a stream of which
 * nothing is taken for minutes.
 */
export const inWindows = ({ size, read }: ByteSource): ByteSource => ({
  size,
  async *read(start, end) {
    for (let at = start; at < end; at += WINDOW) {
      const parts: Uint8Array[] = [];
      for await (const part of read(at, Math.min(at + WINDOW, end))) parts.push(part);
      yield* parts;
    }
  },
});

/** The first bytes, to find out what a file is. */
export async function beginningOf(source: ByteSource, bytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of source.read(0, Math.min(bytes, source.size))) parts.push(part);
  return Buffer.concat(parts);
}
