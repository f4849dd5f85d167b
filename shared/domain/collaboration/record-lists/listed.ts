import { definedIndex } from '#shared/domain/collaboration/custom-fields/lists.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { accessOf, type GuardedItem, waysOfSharing } from '#shared/domain/collaboration/records/policy.ts';
import { holdersOfShares } from '#shared/domain/collaboration/records/share-users.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Table } from '#shared/table/table.ts';
import { rankedDay } from './counted-orders.ts';
import { periodWords } from './day-counters.ts';
import { ALL, asideOf, type Listed, type Noted, type RecordIndex } from './entry.ts';
import type { ListedItem } from './listed-item.ts';
import { momentsNote } from './moments-note.ts';
import { periodsNote } from './periods.ts';
import { rankOf, VALUED, withoutId } from './ranks.ts';

/** In which lists a record should be. */

/** How a record is shared with a user. */
export const WAYS = ['direct', 'group'] as const;

/** Records that are shared with the user in one of the ways. */
export const sharedList = (way: 'direct' | 'group') => `shared:${way}`;

const OWNER = 'owner:';

/** Records of which the user is the owner. */
export const ownerList = (user_id: string) => `${OWNER}${user_id}`;

/** Of everything, and of each owner. */
export const isCommonlyCounted = (list: string) => list === ALL || list.startsWith(OWNER);

const TAG = 'tag:';

export const tagList = (tag_id: string) => `${TAG}${tag_id}`;

export const isTagList = (list: string) => list.startsWith(TAG);

const isSet = (id: string | null | undefined): id is string => typeof id === 'string';

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

/**
 * The users whose own lists may have the record: those it is shared with, directly or by a group, those with a list for
 * themselves, and owner and assignee of one that not everybody sees. `known` need not be read.
 */
async function usersAround<R extends GuardedItem>(
  table: Table,
  index: RecordIndex<R>,
  record: R,
  { open, known }: { open: boolean; known: User[] },
): Promise<User[]> {
  const holders = await holdersOfShares(table, record.account_id, Object.values(record.shares ?? {}));
  const ids = new Set([
    ...(open ? [] : [record.user_id, record.assigned_user_id].filter(isSet)),
    ...holders,
    ...index.users(record),
  ]);
  const here = known.filter(({ id }) => ids.delete(id));
  return [...here, ...(await findUsers(table, record.account_id, [...ids]))];
}

function ownLists<R extends GuardedItem>(index: RecordIndex<R>, record: R, user: User): string[] {
  return [...index.personal(record, user.id), ...waysOfSharing(record, user).map(sharedList)];
}

/** The ranks of the record in the tallies where it counts. */
function talliesOf<R extends GuardedItem>(
  { tallies = {} }: RecordIndex<R>,
  record: R,
): Pick<Listed, 'tallies'> {
  const ranks = Object.entries(tallies).flatMap(([name, valueIn]) => {
    const value = valueIn(record);
    return value === null ? [] : [[name, rankOf(value, record.id)] as const];
  });
  return ranks.length > 0 ? { tallies: Object.fromEntries(ranks) } : {};
}

/** The days of the record in the orders that count it by them. */
function daysOf(
  { counted_orders = {} }: Pick<RecordIndex, 'counted_orders'>,
  ranks: Listed['ranks'],
): Pick<Listed, 'days'> {
  const days = Object.entries(counted_orders).flatMap(([order, ranked]) => {
    const rank = ranks[order];
    return rank?.startsWith(VALUED) ? [[order, rankedDay(ranked, rank)] as const] : [];
  });
  return days.length > 0 ? { days: Object.fromEntries(days) } : {};
}

/** The owners whose lists have the record for everybody who reads them. */
async function audienceOf<R extends GuardedItem>(table: Table, index: RecordIndex<R>, record: R) {
  if (record.visibility === 'account') return [record.account_id];
  return record.visibility === 'linked' ? ((await index.audience?.(table, record)) ?? []) : [];
}

type Ranks = Listed['ranks'];

function ranksOf<R extends GuardedItem>({ orders, narrow = [] }: RecordIndex<R>, record: R) {
  const ranks = Object.entries(orders).flatMap(([order, rankIn]) => {
    const value = rankIn(record);
    return value === undefined ? [] : [[order, rankOf(value, record.id)] as const];
  });
  const isNarrow = ([order]: readonly [string, string]) => narrow.includes(order);
  return {
    ranks: Object.fromEntries(ranks.filter((each) => !isNarrow(each))) as Ranks,
    narrow: Object.fromEntries(ranks.filter(isNarrow)) as Ranks,
  };
}

/** Characters of a rank that postings of words say; of a longer one, the record has to be read. */
const MOST_SAID = 120;

function wordRanks<R extends GuardedItem>(
  { orders, words_by, ranked_words }: RecordIndex<R>,
  ranks: Ranks,
): Pick<Listed, 'word_ranks'> {
  if (!ranked_words) return {};
  const others = Object.entries(ranks).filter(([order]) => order in orders && order !== words_by);
  const said = others.map(([order, rank]) => [order, withoutId(rank)] as const);
  return { word_ranks: Object.fromEntries(said.filter(([, { length }]) => length <= MOST_SAID)) };
}

/** A list has one note. */
function notesOn<R extends GuardedItem>({ noted, noted_moments }: RecordIndex<R>, record: R): Noted[] {
  const own = noted?.(record) ?? [];
  if (!noted_moments) return own;
  const { list, note } = momentsNote(noted_moments, record as R & ListedItem);
  const same = own.find((each) => each.list === list);
  return [{ list, note: { ...note, ...same?.note } }, ...own.filter((each) => each !== same)];
}

/** Whose lists have the record, and which lists the account has. */
async function around<R extends GuardedItem>(table: Table, family: RecordIndex<R>, record: R, known: User[]) {
  const [index, owned] = await Promise.all([
    definedIndex(table, family, record.account_id),
    audienceOf(table, family, record).then(async (audience) => {
      const open = audience.includes(record.account_id);
      const users = await usersAround(table, family, record, { open, known });
      return { open, owners: open ? [record.account_id] : audience, users };
    }),
  ]);
  return { index, ...owned };
}

/**
 * By the owner of the lists: the account, a mailbox whose readers see the record, or a user who does. Undefined for a
 * record that ended.
 */
export async function listedOf<R extends GuardedItem>(
  table: Table,
  family: RecordIndex<R>,
  stored: R | undefined,
  known: User[] = [],
): Promise<Map<string, Listed> | undefined> {
  if (!isThere(stored) || stored.merged_into !== undefined) return undefined;
  const [record] = (await family.whole?.(table, [stored])) ?? [stored];
  if (!record) return undefined;
  const all = new Map<string, Listed>();
  const { open, owners, users, index } = await around(table, family, record, known);
  const { ranks, narrow } = ranksOf(index, record);
  const lists = sorted([ALL, ...index.lists(record), ...[...(record.tag_ids ?? [])].map(tagList)]);
  const counted = lists.filter((list) => index.counted?.(list));
  const aside = index.aside?.(record) ?? false;
  const common = { ranks, words_by: index.words_by, ...(aside ? { aside: true as const } : {}) };
  const ranked = wordRanks(family, ranks);
  const nameOf = (list: string) => (aside ? asideOf(list) : list);
  const named = (all: string[]) => sorted(all.map(nameOf));
  const notesIn = (all: Noted[]) => all.map(({ list, note }) => ({ list: nameOf(list), note }));
  const noted = notesOn(index, record);
  const periods = periodsNote(index, record as R & ListedItem);
  const dated = index.dated?.(record);
  const summed = index.summed?.(record);
  const found = aside ? undefined : index.found?.(record);
  const whole = (own: string[]): Listed => ({
    ...common,
    ...(Object.keys(narrow).length > 0 ? { narrow } : {}),
    lists: named([...lists, ...own]),
    words: sorted([...index.words(record), ...(dated ? periodWords(dated) : [])]),
    ...ranked,
    ...(found ? { found } : {}),
    ...(counted.length > 0 ? { counted } : {}),
    ...(dated ? { dated } : {}),
    ...daysOf(index, ranks),
    ...(index.packed ? { packed: true as const } : {}),
    ...(summed ? { summed } : {}),
    ...talliesOf(index, record),
    ...(periods.length > 0 ? { periods: notesIn(periods) } : {}),
    ...(noted.length > 0 ? { noted: notesIn(noted) } : {}),
  });
  for (const owner of owners) all.set(owner, whole([]));
  for (const user of users) {
    const own = ownLists(index, record, user);
    if (!open) {
      if (accessOf(record, user)) all.set(user.id, whole(own));
    } else if (own.length > 0) all.set(user.id, { ...common, lists: named(own), words: [] });
  }
  return all;
}
