import { createHash } from 'node:crypto';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Key, keys, nameOfKey } from '#shared/table/keys.ts';
import { type Item, type Table, update, type Write } from '#shared/table/table.ts';
import type { Criterion } from './criteria.ts';
import { type ListEntry, type Listed, type RecordIndex, WHOLE, wordList } from './entry.ts';
import { isTagList } from './listed.ts';
import { ownersFor } from './plan.ts';

/**
 * Packed lists: the records of a word or a tag once more, by short names in sets, some hundred to an item. So those of any
 * words and tags together are counted at a twentieth of what their postings would cost, whatever part of all records
 * they are. Sets take a name twice as once: they are written with the postings, in any number of steps.
 */

export type PackedList = Item & { names?: ReadonlySet<string> };

/**
 * A hash of the id: its first character says which of 64 items has the record, so that writers rarely meet in one, and the
 * next eight name it there. Of 20,000 records two share a name once in ninety million accounts.
 */
const NAME_LENGTH = 8;

export function packedName(id: string): { part: string; name: string } {
  const hash = createHash('sha256').update(id).digest('base64url');
  return { part: hash.charAt(0), name: hash.slice(1, 1 + NAME_LENGTH) };
}

/** Characters of a word that its list is named by; a sort key has 1,024 bytes. */
const KEPT = 64;

const kept = (word: string) => [...word].slice(0, KEPT).join('');

/** The packed lists that have the record. */
export function packedIn(
  { record_id, record_type, owner }: ListEntry,
  listed: Listed | undefined,
): Map<string, Key> {
  if (!listed?.packed) return new Map();
  const words = listed.words.filter((word) => !word.startsWith(WHOLE)).map((word) => wordList(kept(word)));
  const { part } = packedName(record_id);
  const all = [...words, ...listed.lists.filter(isTagList)].map((list) =>
    keys.packedList(owner, record_type, list, part),
  );
  return new Map(all.map((key) => [nameOfKey(key), key]));
}

/** Adds the record to packed lists, or takes it out of them. */
function changing(change: 'add' | 'take', { record_id }: ListEntry, lists: Iterable<Key>): Write[] {
  const names = new Set([packedName(record_id).name]);
  return [...lists].map((key) => update<PackedList>(key, { [change]: { names } }));
}

/** The writes between two states of one entry. */
export function packedWrites(entry: ListEntry, before: Listed | undefined, after: Listed): Write[] {
  const [old, wanted] = [packedIn(entry, before), packedIn(entry, after)];
  const only = (some: Map<string, Key>, others: Map<string, Key>) =>
    [...some].flatMap(([name, key]) => (others.has(name) ? [] : [key]));
  return [...changing('add', entry, only(wanted, old)), ...changing('take', entry, only(old, wanted))];
}

/** The writes after which none has it, whatever was begun. */
export function unpacking(entry: ListEntry): Write[] {
  const all = new Map([...packedIn(entry, entry.listed), ...packedIn(entry, entry.next)]);
  return changing('take', entry, all.values());
}

/** For each condition, what the packed lists that meet it begin with. */
export type PackedClauses = string[][];

/** Undefined when something else than words and tags is asked for. */
export function packedClauses<R extends GuardedItem>(
  { packed }: RecordIndex<R>,
  criteria: Criterion<R>[],
): PackedClauses | undefined {
  const clauses = criteria.map(({ terms, lists = [], personal, rough, parts, range, ids, others }) => {
    if (personal || rough || parts || range || ids || others) return undefined;
    if (terms)
      return terms.flat().every((term) => [...term].length <= KEPT)
        ? terms.map((term) => term.map(wordList))
        : undefined;
    return lists.length > 0 && lists.every(isTagList) ? [lists.map((list) => `${list}#`)] : undefined;
  });
  const all = clauses.flatMap((each) => each ?? []);
  return packed && all.length > 0 && clauses.every((each) => each) ? all : undefined;
}

/** Items of a read; DynamoDB returns fewer when they have more than a megabyte, as words of one letter may. */
const PAGE = 8_000;

async function namesIn(table: Table, { PK }: Key, beginning: string): Promise<string[]> {
  const found: string[] = [];
  for await (const lists of table.pages<PackedList>(PK, beginning, { limit: PAGE }))
    for (const { SK, names = new Set() } of lists)
      for (const name of names) found.push(`${SK.at(-1)}${name}`);
  return found;
}

async function namesOf(table: Table, partition: Key, clauses: PackedClauses): Promise<string[]> {
  const [first = new Set<string>(), ...others] = await Promise.all(
    clauses.map(
      async (any) => new Set((await Promise.all(any.map((each) => namesIn(table, partition, each)))).flat()),
    ),
  );
  return [...first].filter((name) => others.every((names) => names.has(name)));
}

/** Records by their short names. */
export interface Packed {
  size: number;
  has(id: string): boolean;
}

/** The records that the caller sees and that meet all conditions. */
export async function readPacked<R extends GuardedItem>(
  ctx: CallerContext,
  index: RecordIndex<R>,
  clauses: PackedClauses,
): Promise<Packed> {
  const found = await Promise.all(
    ownersFor(ctx, index).map((owner) =>
      namesOf(ctx.table, keys.packedList(owner, index.type, '', ''), clauses),
    ),
  );
  const names = new Set(found.flat());
  return {
    size: names.size,
    has: (id) => {
      const { part, name } = packedName(id);
      return names.has(`${part}${name}`);
    },
  };
}
