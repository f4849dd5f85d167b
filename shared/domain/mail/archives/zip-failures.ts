import type { Entry } from 'yauzl';
import { MAX_MESSAGE, TOO_LARGE } from '#shared/domain/mail/mime/limits.ts';
import { storable } from '#shared/domain/mail/mime/text.ts';
import type { ArchiveFailure } from './archive-entry.ts';
import { wayOutOf } from './foreign.ts';

/** Why files of a zip are not read, and why the zip is not. */

export const failure = (reason: ArchiveFailure['reason'], message: string): ArchiveFailure => ({
  reason,
  message,
});

/** Without the full stop that some of them have. */
export const reasonOf = (error: unknown) =>
  storable((error as Error).message)
    .slice(0, 200)
    .replace(/\.$/, '');

export const damaged = (error: unknown) => failure('corrupt', `The file is damaged: ${reasonOf(error)}.`);

export const NO_CHECKSUM = failure('corrupt', 'The file is damaged: wrong checksum.');
export const OVERLAP = failure('bomb', 'The files of this zip overlap.');

const MAX_RATIO = 200;
/** Bytes of the mbox files of a zip, unpacked: they are unpacked within one run. */
const MAX_MBOX = 10_000_000_000;

export type ZippedMail = 'message' | 'mbox';

const MB = 1024 * 1024;
/** Bytes up to which a file may be packed any smaller: mail that repeats itself packs well. */
const HARMLESS: Record<ZippedMail, number> = { message: MB, mbox: 16 * MB };

export function kindOf(name: string): ZippedMail | null {
  if (/\.eml$/i.test(name)) return 'message';
  return /\.mbo?x$/i.test(name) ? 'mbox' : null;
}

function unsupported(name: string): string {
  const way = wayOutOf(name);
  return way ? `${way}.` : 'Only .eml and .mbox files are read from a zip.';
}

/** Why a file is not unpacked; `mbox` is the size of the mbox files up to this one. */
export function refusal(entry: Entry, kind: ZippedMail | null, mbox: number): ArchiveFailure | null {
  const { compressedSize, uncompressedSize } = entry;
  if (!kind) return failure('unsupported_file', unsupported(entry.fileName));
  if (entry.isEncrypted()) return failure('encrypted', 'The file is encrypted.');
  if (kind === 'message' && uncompressedSize > MAX_MESSAGE) return failure('too_large', TOO_LARGE);
  if (mbox > MAX_MBOX)
    return failure('too_large', 'The mbox files of a zip may have 10 GB in all. Unpack it, and import them.');
  if (uncompressedSize > HARMLESS[kind] && uncompressedSize > compressedSize * MAX_RATIO)
    return failure('bomb', 'The file is packed more than 200 times smaller than it is.');
  return null;
}
