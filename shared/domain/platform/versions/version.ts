import { hash } from 'node:crypto';
import { ApiError } from '#shared/errors.ts';

/**
 * The version of a record, as `If-Match` compares it (docs/decisions/0048-versions-of-records.md). It follows from what
 * readers see, so it tells nobody about a change of something hidden.
 */

interface Moments {
  created_at?: unknown;
  updated_at?: unknown;
}

/** The fields of a record that shows no moments. Counts are not its own. */
function ownFields(record: object): string {
  const own = Object.entries(record).filter(([name]) => !name.endsWith('_count'));
  return hash('sha256', JSON.stringify(own), 'base64url');
}

/** Of a record as it is shown, or as it is stored: both have the same moments. */
export function versionOf(record: object): string {
  const { updated_at, created_at } = record as Moments;
  const moment = updated_at ?? created_at;
  return typeof moment === 'string' ? Date.parse(moment).toString(36) : ownFields(record);
}

/** The versions that a client expects of the record that it changes. */
export interface Expected {
  /** Of the record. */
  id: string;
  versions: ReadonlySet<string> | 'any';
  /** True once they were compared: an operation that forgets this must not succeed. */
  compared: boolean;
}

/**
 * 412 `precondition_failed` for a record of another version than its request expects. Belongs behind the checks of who
 * sees and changes it, and before writes that fail when the record changes: so nothing comes between.
 */
export function requireVersion(
  { expects }: { expects?: Expected | undefined },
  id: string,
  record: object,
): void {
  if (expects?.id !== id) return;
  expects.compared = true;
  if (expects.versions !== 'any' && !expects.versions.has(versionOf(record)))
    throw new ApiError('precondition_failed');
}
