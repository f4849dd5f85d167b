import { isEnvelope } from './envelope.ts';
import { looksLikeMessage } from './header-line.ts';
import { MAX_MESSAGE, TOO_LARGE } from './limits.ts';
import { mboxEntries } from './mbox.ts';
import { zipEntries } from './zip.ts';

/** A file of mail that can be read at any place: an mbox, a zip of .eml files, or one message. */
export interface ArchiveSource {
  /** Bytes. */
  size: number;
  file_name: string;
  /** The bytes from `start` to `end` (exclusive), in pieces of any size. */
  read(start: number, end: number): AsyncIterable<Uint8Array>;
}

/**
 * Where to go on reading; safe to keep as JSON, the start is `{offset: 0, ordinal: 0}`. `offset` is a byte in an
 * mbox or message and the number of a directory entry in a zip; `ordinal` counts the entries given before.
 */
export interface ArchivePosition {
  offset: number;
  ordinal: number;
}

/** One message, or why there is none. Reading on from `next` gives exactly the entries after this one. */
export type ArchiveEntry = { ordinal: number; name: string | null; next: ArchivePosition } & (
  | { raw: Uint8Array }
  | { failure: ArchiveFailure }
);

export interface ArchiveFailure {
  reason:
    | 'too_large'
    | 'not_a_message'
    | 'unsupported_file'
    | 'encrypted'
    | 'corrupt'
    | 'bomb'
    | 'broken_archive';
  /** For people. */
  message: string;
}

/** An entry before it has its number; `end` is the offset of the next. */
export type RawEntry = { name: string | null; end: number } & (
  | { raw: Uint8Array }
  | { failure: ArchiveFailure }
);

/** How many entries `readMessages` will give from the start, in one pass that keeps no message. */
export async function countMessages(source: ArchiveSource): Promise<number> {
  let count = 0;
  for await (const _ of await entries(source, 0, false)) count++;
  return count;
}

/**
 * The messages of an archive in order. Constant memory beside the message at hand; what cannot be read is an entry
 * with a failure. Errors of `source.read` are thrown.
 */
export async function* readMessages(
  source: ArchiveSource,
  from: ArchivePosition,
): AsyncGenerator<ArchiveEntry> {
  let ordinal = from.ordinal;
  for await (const { end, ...entry } of await entries(source, from.offset, true)) {
    yield { ...entry, ordinal, next: { offset: end, ordinal: ordinal + 1 } };
    ordinal++;
  }
}

async function entries(
  source: ArchiveSource,
  offset: number,
  keep: boolean,
): Promise<AsyncGenerator<RawEntry>> {
  const kind = sniff(await collect(source.read(0, Math.min(source.size, SNIFFED))), source.file_name);
  if (kind === 'zip') return zipEntries(source, offset, keep);
  return kind === 'mbox' ? mboxEntries(source, offset, keep) : single(source, offset, keep);
}

const SNIFFED = 64 * 1024;

/** Text that begins with a header is one message; with an envelope, or with neither, it is read as an mbox. */
function sniff(head: Buffer, fileName: string): 'zip' | 'mbox' | 'message' {
  if (head[0] === 0x50 && head[1] === 0x4b && head[2]! < 9 && head[3]! < 9) return 'zip';
  const bom = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  let at = bom;
  while (head[at] === 10 || head[at] === 13) at++;
  const lineEnd = head.indexOf(10, at);
  if (isEnvelope(head.subarray(at, lineEnd === -1 ? head.length : lineEnd))) return 'mbox';
  return looksLikeMessage(head) && !/\.mbo?x$/i.test(fileName) ? 'message' : 'mbox';
}

async function* single(source: ArchiveSource, offset: number, keep: boolean): AsyncGenerator<RawEntry> {
  if (offset > 0) return;
  const place = { name: source.file_name || null, end: Math.max(source.size, 1) };
  if (source.size > MAX_MESSAGE) {
    yield { ...place, failure: { reason: 'too_large', message: TOO_LARGE } };
  } else {
    yield { ...place, raw: keep ? await collect(source.read(0, source.size)) : new Uint8Array() };
  }
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
