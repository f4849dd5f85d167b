import { linksAfter } from '#shared/domain/collaboration/records/link-fields.ts';
import type { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { sentAmong } from '#shared/domain/collaboration/records/sent.ts';
import type { File, FileChanges } from './file.ts';
import { linking } from './links.ts';

/** Stores the fields that requests send of a file. */

const plainFields = ['name', 'description', 'visibility'] as const;

/** The file with the sent fields. 404 for a link that is not visible. */
export async function withSent(before: File, sent: FileChanges, linked: LinkedRecords): Promise<File> {
  const links = await linksAfter(linking, before.links, sent, linked);
  return { ...before, ...sentAmong(plainFields, sent), links };
}
