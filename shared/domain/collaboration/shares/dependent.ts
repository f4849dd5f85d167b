import type { Dependent } from '#shared/domain/collaboration/life/dependent.ts';
import { inTransactions } from '#shared/domain/collaboration/life/dependent.ts';
import { isLive, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { type Key, keyOf, keys } from '#shared/table/keys.ts';
import { at, missing, type Table, unlessThere, update, type Write } from '#shared/table/table.ts';
import { inOrder, type RecordRef, type StoredShare, shareIdOf } from './share.ts';
import { targetId } from './target.ts';

/**
 * The shares of a merged or deleted record: they are on its item, and shares with groups have a row for the group. What
 * a share opens besides the record (the mailboxes of a thread) does not move: a thread with shares is never merged.
 */

type SharedItem = RecordItem & {
  account_id: string;
  /** Its owner, for types that have one. */
  user_id?: string;
  shares?: Record<string, StoredShare>;
};

const itemOf = (table: Table, { type, id }: RecordRef) => table.get<SharedItem>(keys.record(type, id));

const sharesOf = (item: SharedItem | undefined) => inOrder(Object.values(item?.shares ?? {}));

function rowOf({ group_id }: StoredShare, { type, id }: RecordRef): Key[] {
  return group_id === null ? [] : [keys.groupShare(group_id, type, id)];
}

/** Of two shares with the same user or group, the one with the wider access stays. */
function joined(share: StoredShare, other: StoredShare | undefined, into: RecordRef): StoredShare {
  const access = share.access === 'edit' || other?.access === 'edit' ? 'edit' : 'view';
  return { ...(other ?? { ...share, id: shareIdOf(into, targetId(share)) }), access };
}

/** The share of the same user or group, if there is one. */
const counterpart = (shares: Record<string, StoredShare>, share: StoredShare) =>
  Object.values(shares).find((each) => targetId(each) === targetId(share));

/** Nothing is shared with its owner. */
const isWithOwner = ({ user_id }: Pick<SharedItem, 'user_id'>, share: StoredShare) =>
  user_id !== undefined && share.user_id === user_id;

/** The shares of a record with those that another record brings. */
export function withShares(
  record: RecordRef & { user_id: string; shares: Record<string, StoredShare> },
  coming: StoredShare[],
): Record<string, StoredShare> {
  const all = { ...record.shares };
  for (const share of inOrder(coming)) {
    const after = joined(share, counterpart(all, share), record);
    if (!isWithOwner(record, share)) all[after.id] = after;
  }
  return all;
}

function arrival(target: SharedItem, share: StoredShare, into: RecordRef): Write[] {
  if (isWithOwner(target, share)) return [];
  const { account_id, shares = {} } = target;
  const other = counterpart(shares, share);
  const after = joined(share, other, into);
  const row = { account_id, record_type: into.type, record_id: into.id };
  return [
    update<SharedItem>(keys.record(into.type, into.id), {
      set: { shares: at(after.id, after) },
      when: { ...isLive, shares: at(after.id, other ? at('access', other.access) : missing) },
    }),
    ...rowOf(share, into).map((key): Write => ({ put: { ...key, ...row } })),
  ];
}

function departure(share: StoredShare, from: RecordRef): Write[] {
  return [
    update<SharedItem>(keys.record(from.type, from.id), {
      remove: [['shares', share.id]],
      when: { shares: at(share.id, at('access', share.access)) },
    }),
    ...rowOf(share, from).map((key): Write => ({ delete: key })),
  ];
}

export const sharesOfRecords: Dependent = {
  async *moving({ table }, from, into) {
    const shares = sharesOf(await itemOf(table, from));
    if (shares.length === 0) return;
    yield [
      update<SharedItem>(keys.record(into.type, into.id), { set: { shares: unlessThere({}) }, when: isLive }),
    ];
    const target = await itemOf(table, into);
    for (const share of shares)
      if (target) yield [...arrival(target, share, into), ...departure(share, from)];
  },
  async *removing({ table }, record) {
    const shares = sharesOf(await itemOf(table, record));
    const rows = await table.getMany(shares.flatMap((share) => rowOf(share, record)));
    yield* inTransactions(rows.map((row) => ({ delete: keyOf(row) })));
  },
};
