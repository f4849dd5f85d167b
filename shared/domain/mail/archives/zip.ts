import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import { looksLikeMessage } from '#shared/domain/mail/mime/header-line.ts';
import { storable } from '#shared/domain/mail/mime/text.ts';
import type { ArchiveFailure, ArchivePosition, ArchiveSource, RawEntry } from './archive-entry.ts';
import { damaged, failure, kindOf, NO_CHECKSUM, OVERLAP, reasonOf, refusal } from './zip-failures.ts';
import { mboxInZip } from './zip-mbox.ts';
import { BlockedReader } from './zip-reader.ts';

/**
 * The .eml files and the messages of the .mbox files of a zip, in the order of its directory, from a position on.
 * Folders, `__MACOSX`, dot files and what else a Google Takeout has are skipped; other files, encrypted, damaged and
 * bomb-like ones are failures, and so is a broken zip. Names are only displayed, so `../` in them is harmless. With
 * `keep` false no .eml is unpacked and the messages are empty.
 */
export async function* zipEntries(
  source: ArchiveSource,
  from: Pick<ArchivePosition, 'offset' | 'inner'>,
  keep: boolean,
): AsyncGenerator<RawEntry> {
  const reader = new BlockedReader(source);
  const read: Read = { index: 0, packed: 0, mbox: 0, size: source.size };
  let zip: ZipFile | null = null;
  try {
    zip = await fromRandomAccessReaderPromise(reader, source.size, {
      decodeStrings: false,
      autoClose: false,
    });
    await countOn(zip, reader);
    for await (const entry of zip.eachEntry()) {
      const index = read.index++;
      const file = fileOf(entry, read);
      await countOn(zip, reader);
      if (!file || index < from.offset) continue;
      const { name, refused } = file;
      if (refused) yield { name, failure: refused, end: index + 1 };
      else if (file.kind === 'message')
        yield { ...(await messageIn(zip, reader, entry, file.name, keep)), end: index + 1 };
      else
        yield* mboxInZip(zip, reader, entry, {
          name,
          index,
          keep,
          from: index === from.offset ? (from.inner ?? 0) : 0,
        });
    }
  } catch (error) {
    if (reader.sourceError) throw reader.sourceError;
    if (read.index < from.offset) return;
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

/** What was read of the directory, of a zip of `size` bytes. */
interface Read {
  index: number;
  /** Bytes of all files, as packed, and of the mbox files that are unpacked. */
  packed: number;
  mbox: number;
  size: number;
}

/** A file and why it is not unpacked; null for what is no mail and no failure. */
function fileOf(entry: Entry, read: Read) {
  const name = nameOf(entry);
  const kind = kindOf(name);
  read.packed += entry.compressedSize;
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (base === '' || base.startsWith('.') || /^__MACOSX\//.test(name)) return null;
  // A Takeout describes itself in files besides the mail, and may have other products' data.
  if (!kind && /^Takeout\//.test(name)) return null;
  // Files that share their bytes, as in flat zip bombs, are together larger than the archive.
  const mbox = read.mbox + (kind === 'mbox' ? entry.uncompressedSize : 0);
  const refused = refusal(entry, kind, mbox) ?? (read.packed > read.size ? OVERLAP : null);
  if (!refused) read.mbox = mbox;
  return { name, kind, refused };
}

type FileEntry = { name: string } & ({ raw: Uint8Array; envelope_date: null } | { failure: ArchiveFailure });

async function messageIn(
  zip: ZipFile,
  reader: BlockedReader,
  entry: Entry,
  name: string,
  keep: boolean,
): Promise<FileEntry> {
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

/** The content; yauzl checks its size, we check its CRC-32. */
async function unpacked(zip: ZipFile, reader: BlockedReader, entry: Entry): Promise<Buffer | ArchiveFailure> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    const content = Buffer.concat(pieces);
    return crc32(content) === entry.crc32 ? content : NO_CHECKSUM;
  } catch (error) {
    if (reader.sourceError) throw reader.sourceError;
    return damaged(error);
  }
}
