import { looksLikeMessage } from '#shared/domain/mail/mime/header-line.ts';
import { MAX_MESSAGE, TOO_LARGE } from '#shared/domain/mail/mime/limits.ts';
import type { ArchiveEntry, ArchivePosition, ArchiveSource, RawEntry } from './archive-entry.ts';
import { startsLikeEnvelope } from './envelope.ts';
import { wayOutOf } from './foreign.ts';
import { mboxEntries } from './mbox.ts';
import { zipEntries } from './zip.ts';

export type { ArchiveEntry, ArchiveFailure, ArchivePosition, ArchiveSource } from './archive-entry.ts';

/** The number of entries that `readMessages` returns from the start, in one pass that stores no message. */
export async function countMessages(source: ArchiveSource): Promise<number> {
  let count = 0;
  for await (const _ of await entries(source, { offset: 0 }, false)) count++;
  return count;
}

/**
 * The messages of an archive in order. Constant memory besides the current message; unreadable ones are entries with a
 * failure. Errors of `source.read` are thrown.
 */
export async function* readMessages(
  source: ArchiveSource,
  from: ArchivePosition,
): AsyncGenerator<ArchiveEntry> {
  let ordinal = from.ordinal;
  for await (const { end, inner, ...entry } of await entries(source, from, true)) {
    const next = { offset: end, ordinal: ordinal + 1, ...(inner === undefined ? {} : { inner }) };
    yield { ...entry, ordinal, next };
    ordinal++;
  }
}

async function entries(
  source: ArchiveSource,
  from: Pick<ArchivePosition, 'offset' | 'inner'>,
  keep: boolean,
): Promise<AsyncGenerator<RawEntry>> {
  const kind = sniff(await collect(source.read(0, Math.min(source.size, SNIFFED))), source.file_name);
  if (kind === 'zip') return zipEntries(source, from, keep);
  if (kind === 'foreign') return refused(source, from.offset);
  return kind === 'mbox' ? mboxEntries(source, from.offset, keep) : single(source, from.offset, keep);
}

const SNIFFED = 64 * 1024;

/**
 * Text that begins with a header is one message; text with `From `, or with neither, is read as an mbox, but for files of other
 * programs.
 */
function sniff(head: Buffer, fileName: string): 'zip' | 'mbox' | 'message' | 'foreign' {
  if (head[0] === 0x50 && head[1] === 0x4b && head[2]! < 9 && head[3]! < 9) return 'zip';
  const bom = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  let at = bom;
  while (head[at] === 10 || head[at] === 13) at++;
  if (startsLikeEnvelope(head.subarray(at))) return 'mbox';
  if (looksLikeMessage(head) && !/\.mbo?x$/i.test(fileName)) return 'message';
  return wayOutOf(fileName) ? 'foreign' : 'mbox';
}

async function* refused({ file_name, size }: ArchiveSource, offset: number): AsyncGenerator<RawEntry> {
  const message = `${wayOutOf(file_name)}.`;
  if (offset === 0) yield { name: file_name, end: size, failure: { reason: 'unsupported_file', message } };
}

async function* single(source: ArchiveSource, offset: number, keep: boolean): AsyncGenerator<RawEntry> {
  if (offset > 0) return;
  const place = { name: source.file_name || null, end: source.size };
  if (source.size > MAX_MESSAGE) {
    yield { ...place, failure: { reason: 'too_large', message: TOO_LARGE } };
  } else {
    const raw = keep ? await collect(source.read(0, source.size)) : new Uint8Array();
    yield { ...place, raw, envelope_date: null };
  }
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
