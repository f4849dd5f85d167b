import type { Came } from '#shared/domain/collaboration/records/came-by.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import {
  asRead,
  type Item,
  mustNotExist,
  present,
  type Table,
  type Write,
  when,
} from '#shared/table/table.ts';

/** Rows under a record name the records that are linked to it. */

export type LinkRow = Item & Came & { record_type: RecordType; record_id: string };

const rowKey = (to: RecordRef, from: RecordRef) => keys.linked(to.type, to.id, from.type, from.id);

/** A page of them, in the order of their ids. */
export async function linkedPage(
  table: Table,
  to: RecordRef,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ rows: LinkRow[]; refs: RecordRef[]; last: string | undefined }> {
  const { PK } = keys.record(to.type, to.id);
  const page = await table.query<LinkRow>({
    partition: PK,
    sort: { begins: 'LINKED#' },
    limit,
    after: after === undefined ? undefined : { PK, SK: after },
  });
  const refs = page.items.map(({ record_type, record_id }) => ({ type: record_type, id: record_id }));
  return { rows: page.items, refs, last: page.last ? page.items.at(-1)?.SK : undefined };
}

/** The records of one type that are linked to it. */
export async function linkedIds(table: Table, to: RecordRef, type: RecordType): Promise<string[]> {
  const { PK, SK } = keys.linked(to.type, to.id, type, '');
  const rows = await table.all<LinkRow>(PK, SK);
  return rows.map(({ record_id }) => record_id);
}

const keyOfRef = ({ type, id }: RecordRef) => `${type} ${id}`;

const without = (refs: RecordRef[], others: RecordRef[]) => {
  const known = new Set(others.map(keyOfRef));
  return refs.filter((ref) => !known.has(keyOfRef(ref)));
};

/** The row of a link. */
export function linkRow(from: RecordRef, to: RecordRef, came: Came = {}): Write {
  return { put: { ...rowKey(to, from), record_type: from.type, record_id: from.id, ...came } };
}

/** The same in the place of the row that was read; none for undefined. Fails when that has changed. */
export function replacedRow(
  { from, to }: { from: RecordRef; to: RecordRef },
  read: LinkRow | undefined,
  came: Came | undefined,
): Write {
  const key = rowKey(to, from);
  const asItWas = read ? when<LinkRow>({ PK: present, came_by: asRead(read.came_by) }) : mustNotExist;
  if (!came) return { delete: key, when: asItWas };
  return { put: { ...key, record_type: from.type, record_id: from.id, ...came }, when: asItWas };
}

export const findLink = (table: Table, from: RecordRef, to: RecordRef) =>
  table.get<LinkRow>(rowKey(to, from));

export const unlinkRow = (from: RecordRef, to: RecordRef): Write => ({ delete: rowKey(to, from) });

/** The writes when a record's links change. They fail when a record that it is linked to is being deleted or merged. */
export function linkWrites(from: RecordRef, before: RecordRef[], after: RecordRef[]): Write[] {
  return [
    ...without(after, before).flatMap((to): Write[] => [
      linkRow(from, to),
      { check: keys.record(to.type, to.id), when: when(isLive) },
    ]),
    ...without(before, after).map((to) => unlinkRow(from, to)),
  ];
}
