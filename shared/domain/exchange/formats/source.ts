/** The bytes of a file, wherever they are. */
export interface ByteSource {
  size: number;
  /** Streams bytes from `start` to before `end`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/** The first bytes, to find out what a file is. */
export async function beginningOf(source: ByteSource, bytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of source.read(0, Math.min(bytes, source.size))) parts.push(part);
  return Buffer.concat(parts);
}
