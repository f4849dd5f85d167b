import { currentItem } from '#shared/domain/collaboration/record-lists/again.ts';
import { formerWrite, type LinkKind } from '#shared/domain/collaboration/record-lists/former.ts';
import type { ListedItem } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import type { Linked } from '#shared/domain/collaboration/record-lists/relink.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import {
  isResting,
  isThere,
  type RecordItem,
  restsSince,
} from '#shared/domain/collaboration/records/live.ts';
import { keys } from '#shared/table/keys.ts';
import { type Table, type Write, when } from '#shared/table/table.ts';
import type { Back } from './restorable.ts';

/**
 * What a record was linked to may have been deleted or merged while it was deleted itself. It comes back with the links that
 * stand; one to a record that can be restored comes back with that.
 */

interface Linking<R extends ListedItem> {
  kind: LinkKind;
  linked: Linked<R>;
}

/** Fails when the other record is restored, or removed, meanwhile. */
const later = (kind: LinkKind, from: RecordRef, to: RecordRef, deleted_at: string, was: unknown): Write[] => [
  formerWrite(kind, from, to, was),
  { check: keys.record(to.type, to.id), when: when<RecordItem>(restsSince(deleted_at)) },
];

async function heirOf(table: Table, ref: RecordRef, item: RecordItem | undefined) {
  if (item?.merged_into === undefined) return undefined;
  const heir = await currentItem<ListedItem>(table, ref);
  return isThere(heir) ? { type: ref.type, id: heir.id } : undefined;
}

export async function withStandingLinks<R extends ListedItem>(
  table: Table,
  { kind, linked }: Linking<R>,
  record: R,
): Promise<Back<R>> {
  const self = { type: linked.index.type, id: record.id };
  const targets = linked.targets(record);
  const items = await table.getMany<RecordItem>(targets.map(({ type, id }) => keys.record(type, id)));
  const byKey = new Map(items.map((item) => [item.PK, item]));
  let after = record;
  const writes: Write[] = [];
  for (const ref of targets) {
    const item = byKey.get(keys.record(ref.type, ref.id).PK);
    if (isThere(item) && item.merged_into === undefined) continue;
    if (isResting(item)) writes.push(...later(kind, self, ref, item.deleted_at, linked.linkOf(record, ref)));
    after = linked.relinked(after, { from: ref, into: await heirOf(table, ref, item) });
  }
  return { after, writes };
}
