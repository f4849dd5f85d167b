import { crc32, deflateRawSync } from 'node:zlib';
import {
  type ArchiveEntry,
  type ArchivePosition,
  type ArchiveSource,
  readMessages,
} from '#shared/domain/mail/archives/archive.ts';

/** A source over bytes in memory that hands them out in pieces of `step` bytes and counts its reads. */
export function sourceOf(
  bytes: Uint8Array | string,
  file_name = 'mail',
  step = 64,
): ArchiveSource & { reads: number } {
  const data = typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes);
  return {
    size: data.length,
    file_name,
    reads: 0,
    async *read(start, end) {
      this.reads++;
      for (let at = start; at < end; at += step)
        yield Uint8Array.from(data.subarray(at, Math.min(end, at + step)));
    },
  };
}

/** An entry as tests compare it: the text of a message, or the reason of a failure in brackets. */
export const shownEntry = (entry: ArchiveEntry) =>
  'raw' in entry ? Buffer.from(entry.raw).toString('latin1') : `[${entry.failure.reason}]`;

export async function readAll(source: ArchiveSource, from: ArchivePosition = { offset: 0, ordinal: 0 }) {
  const entries: ArchiveEntry[] = [];
  for await (const entry of readMessages(source, from)) entries.push(entry);
  return entries;
}

/** A file for `zipOf`; what is given beside name and content replaces the true value in the directory. */
export interface ZipFileSpec {
  name: string;
  content: string | Buffer;
  stored?: boolean;
  flags?: number;
  crc?: number | undefined;
  size?: number;
  method?: number;
  /** Replaces its bytes, as packed. */
  packed?: Buffer;
  /** Sizes are in a zip64 field, as writers do that stream files of any size. */
  zip64?: boolean;
}

/** A zip with the files, written here because the tests need broken ones. */
export function zipOf(files: ZipFileSpec[]): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of files) {
    const content = Buffer.from(file.content);
    const packed = file.packed ?? (file.stored ? content : deflateRawSync(content));
    const size = file.size ?? content.length;
    const extra = Buffer.alloc(file.zip64 ? 20 : 0);
    if (file.zip64) {
      extra.writeUInt16LE(1, 0);
      extra.writeUInt16LE(16, 2);
      extra.writeBigUInt64LE(BigInt(size), 4);
      extra.writeBigUInt64LE(BigInt(packed.length), 12);
    }
    const name = Buffer.from(file.name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(file.flags ?? 0x800, 2);
    common.writeUInt16LE(file.method ?? (file.stored ? 0 : 8), 4);
    common.writeUInt32LE(file.crc ?? crc32(content), 10);
    common.writeUInt32LE(file.zip64 ? 0xffffffff : packed.length, 14);
    common.writeUInt32LE(file.zip64 ? 0xffffffff : size, 18);
    common.writeUInt16LE(name.length, 22);
    common.writeUInt16LE(extra.length, 24);
    const body = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, extra, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), common, tail, name, extra]));
    bodies.push(body);
    offset += body.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, listing, end]);
}
