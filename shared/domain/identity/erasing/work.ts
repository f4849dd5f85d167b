import { ownerOfIndex } from '#shared/domain/platform/text-index/sorting.ts';
import { DUE_SHARDS, JOB_SHARDS, type Key, keys, type RecordType } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { eraseKeys } from './items.ts';
import { type Erasable, isOf, type Owned } from './partitions.ts';

/** Work of all accounts that is about the ones to erase: due work, and jobs that nothing completed in all the time. */

type Work = Item & Record<string, unknown>;

interface Named {
  /** Accounts, users, mailboxes and groups. */
  owners: string[];
  /** Whatever has items that say whose it is. */
  partitions: string[];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function recordsIn({ record_type, record_id, record_ids, type, id }: Record<string, unknown>): Key[] {
  const of = record_type ?? type;
  const ids = [record_id, ...(Array.isArray(record_ids) ? record_ids : []), ...(type ? [id] : [])];
  return isText(of) ? ids.filter(isText).map((each) => keys.record(of as RecordType, each)) : [];
}

/** What a piece of work names, at any depth. */
function namedIn(value: Record<string, unknown>): Named {
  const { account_id, user_id, sorted_index_id, import_id, conversation_id } = value;
  const deeper = Object.values(value).filter(isObject).map(namedIn);
  return {
    owners: [
      ...[account_id, user_id].filter(isText),
      ...[sorted_index_id].filter(isText).map(ownerOfIndex),
      ...deeper.flatMap(({ owners }) => owners),
    ],
    partitions: [
      ...recordsIn(value).map(({ PK }) => PK),
      ...(isText(import_id) ? [keys.mailImport(import_id).PK] : []),
      ...(isText(conversation_id) ? [keys.conversationMessage(conversation_id, '').PK] : []),
      ...deeper.flatMap(({ partitions }) => partitions),
    ],
  };
}

/** Of a record that is gone, the lists of what ended tell. */
async function isPartitionOf(table: Table, owned: Owned, partition: string): Promise<boolean> {
  for await (const page of table.pages<Erasable>(partition)) {
    const telling = page.find(({ account_id, user_id, owner }) => account_id ?? user_id ?? owner);
    if (telling) return isOf(owned, telling);
  }
  return false;
}

/** Named by several pieces of work, a partition is read once. */
function reader(table: Table, owned: Owned) {
  const known = new Map<string, Promise<boolean>>();
  return (partition: string): Promise<boolean> => {
    const answer = known.get(partition) ?? isPartitionOf(table, owned, partition);
    known.set(partition, answer);
    return answer;
  };
}

const places = (): Key[] => [
  ...Array.from({ length: JOB_SHARDS }, (_, shard) => keys.jobShard(shard)),
  ...Array.from({ length: DUE_SHARDS }, (_, shard) => keys.dueShard(shard)),
];

/** Must come before the records: they tell whose it is. Returns how many there were. */
export async function eraseWork(table: Table, owned: Owned): Promise<number> {
  let erased = 0;
  for (const { PK, SK } of places())
    for await (const page of table.pages<Work>(PK, SK)) {
      const isPartitionOfThem = reader(table, owned);
      const theirs: Work[] = [];
      for (const item of page) {
        const { owners, partitions } = namedIn(item);
        const named = owners.length > 0 ? owners.some((id) => owned.has(id)) : false;
        const about = owners.length > 0 ? [] : partitions;
        if (named || (await Promise.all(about.map(isPartitionOfThem))).some(Boolean)) theirs.push(item);
      }
      erased += await eraseKeys(table, theirs);
    }
  return erased;
}
