import type { ArchiveEntry } from '#shared/domain/mail/archives/archive.ts';
import { type Taken, type Target, takeMessage } from '#shared/domain/mail/arriving/take.ts';
import { sourceOf } from './finished.ts';
import type { MailImport } from './import.ts';

/** Imports one message of an archive into its thread. */
export async function importEntry(
  target: Target,
  { id }: Pick<MailImport, 'id'>,
  entry: ArchiveEntry,
): Promise<Taken> {
  if ('failure' in entry) return { failed: entry.failure };
  const { raw, envelope_date, ordinal } = entry;
  return takeMessage(target, { raw, envelope_date, source: sourceOf(id, ordinal) });
}
