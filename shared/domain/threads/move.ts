import { type Key, keys } from '../../table/keys.ts';
import { type Item, present, type Table, type Write } from '../../table/table.ts';
import { untilUnchanged } from '../../table/until-unchanged.ts';
import type { Thread } from './thread.ts';

/** Moves what is under one thread to another: messages, bodies, comments, taggings. */

/** Items of one transaction: a put and a delete each, and a pointer for a comment. */
const ITEMS_AT_ONCE = 30;
/** Bytes of one transaction; DynamoDB allows 4 MB. */
const BYTES_AT_ONCE = 3_000_000;

const keyOf = (item: Item): Key => ({ PK: item.PK, SK: item.SK });

/** The item under its new thread: wherever it names the old one, it names the new one. */
function moved(item: Item, from: string, into: string): Item {
  const renamed = Object.entries(item).map(([name, value]) => [name, value === from ? into : value]);
  return { ...(Object.fromEntries(renamed) as Item), PK: keys.record('threads', into).PK };
}

function movesOf(item: Item, from: string, into: string): Write[] {
  const writes: Write[] = [
    { put: moved(item, from, into) },
    // Whoever moved it first may have seen it change since.
    { delete: keyOf(item), when: present },
  ];
  if (!/^COMMENT#[^#]+$/.test(item.SK)) return writes;
  const pointer = keys.commentPointer(item.SK.slice('COMMENT#'.length));
  const update = { update: 'SET record_id = :into', ...present, values: { ':into': into } };
  return [...writes, { key: pointer, update }];
}

/** A tag that both threads carried is counted once from now on. */
async function dropTagging(table: Table, item: Item, account: string): Promise<void> {
  const counter = { update: 'ADD thread_count :less', ...present, values: { ':less': -1 } };
  await table.transact([
    { delete: keyOf(item), when: present },
    { key: keys.tag(account, item.SK.slice('TAGGING#'.length)), update: counter },
  ]);
}

function bytesOf(item: Item): number {
  const binary = Object.values(item).filter((value) => value instanceof Uint8Array);
  const rest = Object.entries(item).filter(([, value]) => !(value instanceof Uint8Array));
  const binaryBytes = binary.reduce((sum, value) => sum + value.length, 0);
  return binaryBytes + Buffer.byteLength(JSON.stringify(Object.fromEntries(rest)));
}

/** Items in groups that fit one transaction. */
function* groupsOf(items: Item[]): Generator<Item[]> {
  let group: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = bytesOf(item);
    if (group.length > 0 && (group.length === ITEMS_AT_ONCE || bytes + size > BYTES_AT_ONCE)) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(item);
    bytes += size;
  }
  if (group.length > 0) yield group;
}

async function tryMoveItems(table: Table, from: Thread, into: string): Promise<void> {
  const items = await table.all(keys.record('threads', from.id).PK);
  const rest = items.filter((item) => item.SK !== 'META');
  const carried = new Set((await taggingsOf(table, into)).map((item) => item.SK));
  for (const item of rest.filter((each) => carried.has(each.SK)))
    await dropTagging(table, item, from.account_id);
  for (const group of groupsOf(rest.filter((each) => !carried.has(each.SK))))
    await table.transact(group.flatMap((item) => movesOf(item, from.id, into)));
}

/** Several workers may move at once: each item is moved by one of them. */
export function moveItems(table: Table, from: Thread, into: string): Promise<void> {
  return untilUnchanged(() => tryMoveItems(table, from, into));
}

const taggingsOf = (table: Table, thread: string) =>
  table.all<Item & { tag_id: string }>(keys.record('threads', thread).PK, 'TAGGING#');

/** The thread carries the tags of its taggings, those that moved last included. */
export async function adoptTags(table: Table, thread: string): Promise<void> {
  const tag_ids = (await taggingsOf(table, thread)).map((tagging) => tagging.tag_id);
  if (tag_ids.length === 0) return;
  await table.update(keys.record('threads', thread), {
    ...present,
    update: 'ADD tag_ids :tags',
    values: { ':tags': new Set(tag_ids) },
  });
}
