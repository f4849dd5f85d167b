import { isDeepStrictEqual } from 'node:util';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { keys, type ThreadOwner } from '#shared/table/keys.ts';
import { type Write, when } from '#shared/table/table.ts';

/** The rows by which threads of a record belong to others (mail/threads/lists/owners.ts). */

export interface OwnerRows<R> {
  /** The type of the others: organizations, or spaces. */
  owner: ThreadOwner;
  ids(record: R): string[];
  row(record: R, id: string): object;
}

/**
 * The rows when a record changes. They fail when an organization or a space that is new to it does not exist; those of
 * `founded` are created with the record.
 */
export function ownerRowWrites<R extends { id: string }>(
  { owner, ids, row }: OwnerRows<R>,
  before: R | undefined,
  after: R | undefined,
  founded: string[] = [],
): Write[] {
  const [old, wanted] = [before ? ids(before) : [], after ? ids(after) : []];
  return [...new Set([...old, ...wanted])].flatMap((id): Write[] => {
    const key = keys.ownerRow(owner, id, (after ?? before)?.id ?? '');
    if (!after || !wanted.includes(id)) return [{ delete: key }];
    const put: Write = { put: { ...key, ...row(after, id) } };
    if (before && old.includes(id)) return isDeepStrictEqual(row(before, id), row(after, id)) ? [] : [put];
    return founded.includes(id) ? [put] : [put, { check: keys.record(owner, id), when: when(isLive) }];
  });
}
