import { type Dependent, keptUnder, type Work } from '#shared/domain/collaboration/life/dependent.ts';
import { type Came, waysAlone } from '#shared/domain/collaboration/records/came-by.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { keyOf, keys, type RecordType } from '#shared/table/keys.ts';
import type { Item, Write } from '#shared/table/table.ts';

/**
 * What a deleted record was linked from: rows under it name the records that would link to it again if it were there. They
 * come and go with the links of these, also while those are deleted themselves (docs/decisions/0055).
 */

/** It came the same ways as the link: what is restored can still go back to a merged record. */
export type FormerLink = Item &
  Came & {
    record_type: RecordType;
    record_id: string;
    /** What the family needs to link it as it was. */
    was: unknown;
  };

/** A family of links: of `links` fields, of employments, of memberships. */
export type LinkKind = 'link' | 'employment' | 'membership';

/** The type that alone has links of these kinds. */
const only: Partial<Record<LinkKind, RecordType>> = { employment: 'organizations', membership: 'spaces' };

export const formerWrite = (
  kind: LinkKind,
  from: RecordRef,
  to: RecordRef,
  was: unknown,
  came: Came = {},
): Write => ({
  put: {
    ...keys.formerLink(to.type, to.id, kind, from.type, from.id),
    ...{ record_type: from.type, record_id: from.id, was, ...waysAlone(came) },
  },
});

/** The transactions that link again what was linked: each removes its row. */
export async function* linkedAgain(
  { table }: Work,
  kind: LinkKind,
  to: RecordRef,
  again: (from: RecordRef, former: FormerLink) => Promise<Write[]>,
): AsyncGenerator<Write[]> {
  if ((only[kind] ?? to.type) !== to.type) return;
  const { PK, SK } = keys.formerLinks(to.type, to.id, kind);
  for await (const page of table.pages<FormerLink>(PK, SK))
    for (const row of page) {
      const from = { type: row.record_type, id: row.record_id };
      yield [...(await again(from, row)), { delete: keyOf(row) }];
    }
}

const rows = keptUnder(({ type, id }) => keys.formerLinks(type, id));

/** They end with the record. */
export const formerLinksOfRecords: Dependent = { async *moving() {}, removing: rows.removing };
