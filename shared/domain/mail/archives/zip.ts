import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { looksLikeMessage } from '#shared/domain/mail/mime/header-line.ts';
import { MAX_MESSAGE, TOO_LARGE } from '#shared/domain/mail/mime/limits.ts';
import { storable } from '#shared/domain/mail/mime/text.ts';
import type { ArchiveFailure, ArchiveSource, RawEntry } from './archive-entry.ts';
import { BlockedReader } from './zip-reader.ts';

/**
 * The .eml files of a zip, in the order of its directory, beginning with an entry. Folders, `__MACOSX` and dot files
 * are skipped; other files, encrypted, damaged and bomb-like ones are failures, and so is a broken zip. Names are only
 * displayed, so `../` in them is harmless. With `keep` false nothing is unpacked and the messages are empty.
 */
export async function* zipEntries(
  source: ArchiveSource,
  offset: number,
  keep: boolean,
): AsyncGenerator<RawEntry> {
  const reader = new BlockedReader(source);
  const read = { index: 0, packed: 0 };
  let zip: ZipFile | null = null;
  try {
    zip = await fromRandomAccessReaderPromise(reader, source.size, {
      decodeStrings: false,
      autoClose: false,
    });
    await countOn(zip, reader);
    for await (const entry of zip.eachEntry()) {
      read.packed += entry.compressedSize;
      const found =
        read.index >= offset ? await fileEntry(zip, reader, entry, keep && read.packed <= source.size) : null;
      read.index++;
      await countOn(zip, reader);
      if (found) yield { ...bounded(found, read.packed, source.size), end: read.index };
    }
  } catch (error) {
    if (reader.sourceError) throw reader.sourceError;
    if (read.index < offset) return;
    yield {
      name: null,
      end: read.index + 1,
      failure: failure('broken_archive', `The zip file is damaged: ${reasonOf(error)}.`),
    };
  } finally {
    zip?.close();
  }
}

/**
 * Writers without zip64 count to 65,535 and start again at zero, so the directory itself tells whether it continues.
 * The cursor is an internal of yauzl 3.4.0 that its types omit; the test of a zip with a count that is too low covers
 * it.
 */
async function countOn(zip: ZipFile, reader: BlockedReader): Promise<void> {
  if (zip.entriesRead < zip.entryCount) return;
  const { readEntryCursor } = zip as ZipFile & { readEntryCursor: number };
  const next = await reader.bytes(readEntryCursor, readEntryCursor + DIRECTORY_ENTRY.length);
  if (next.equals(DIRECTORY_ENTRY)) zip.entryCount++;
}

const DIRECTORY_ENTRY = Buffer.from('PK\x01\x02');

type FileEntry = { name: string } & ({ raw: Uint8Array; envelope_date: null } | { failure: ArchiveFailure });

// Files that share their bytes, as in flat zip bombs, are together larger than the archive.
function bounded(found: FileEntry, packed: number, size: number): FileEntry {
  if (packed <= size || 'failure' in found) return found;
  return { name: found.name, failure: failure('bomb', 'The files of this zip overlap.') };
}

async function fileEntry(
  zip: ZipFile,
  reader: BlockedReader,
  entry: Entry,
  keep: boolean,
): Promise<FileEntry | null> {
  const name = nameOf(entry);
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (base === '' || base.startsWith('.') || /^__MACOSX\//.test(name)) return null;
  const refused = refusal(entry, base);
  if (refused) return { name, failure: refused };
  if (!keep) return { name, raw: new Uint8Array(), envelope_date: null };
  const content = await unpacked(zip, reader, entry);
  if ('reason' in content) return { name, failure: content };
  if (looksLikeMessage(content)) return { name, raw: content, envelope_date: null };
  return { name, failure: failure('not_a_message', 'The file has no mail header.') };
}

/** The name for display: without unpaired surrogates and control characters, at most 1,000 characters. */
function nameOf(entry: Entry): string {
  const { generalPurposeBitFlag, extraFields } = entry;
  const raw = entry.fileName as unknown as Buffer;
  const name = getFileNameLowLevel(generalPurposeBitFlag, raw, extraFields, true);
  return storable(name)
    .replaceAll('\\', '/')
    .replace(/\p{Cc}/gu, '')
    .slice(0, 1000);
}

const MAX_RATIO = 200;
const SMALL = 1024 * 1024;

/** Why a file is not unpacked. */
function refusal(entry: Entry, base: string): ArchiveFailure | null {
  if (!/\.eml$/i.test(base)) return failure('unsupported_file', 'Only .eml files are read from a zip.');
  if (entry.isEncrypted()) return failure('encrypted', 'The file is encrypted.');
  if (entry.uncompressedSize > MAX_MESSAGE) return failure('too_large', TOO_LARGE);
  if (entry.uncompressedSize > SMALL && entry.uncompressedSize > entry.compressedSize * MAX_RATIO) {
    return failure('bomb', 'The file is packed more than 200 times smaller than it is.');
  }
  return null;
}

/** The content; yauzl checks its size, we check its CRC-32. */
async function unpacked(zip: ZipFile, reader: BlockedReader, entry: Entry): Promise<Buffer | ArchiveFailure> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    const content = Buffer.concat(pieces);
    return crc32(content) === entry.crc32
      ? content
      : failure('corrupt', 'The file is damaged: wrong checksum.');
  } catch (error) {
    if (reader.sourceError) throw reader.sourceError;
    return failure('corrupt', `The file is damaged: ${reasonOf(error)}.`);
  }
}

const reasonOf = (error: unknown) => storable((error as Error).message).slice(0, 200);
const failure = (reason: ArchiveFailure['reason'], message: string): ArchiveFailure => ({ reason, message });
