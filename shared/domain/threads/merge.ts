import { type Key, keys } from '../../table/keys.ts';
import { ConditionFailed, type Item, present, type Table, type Write } from '../../table/table.ts';
import { type Members, refreshThread } from './refresh.ts';
import type { Thread, ThreadEntry } from './thread.ts';

/**
 * Two threads that turn out to be one conversation become one: everything under the younger moves to the older, and
 * its id leads there from then on. Every step can be repeated, so a merge that was cut off is finished by whoever
 * meets it next.
 */

/** Items moved in one transaction: a put and a delete each, and bodies of up to 32 kB. */
const MOVED_AT_ONCE = 25;
const MOVE_TRIES = 20;

async function announce(table: Table, from: string, into: string): Promise<void> {
  await table.update(keys.record('threads', from), {
    update: 'SET merged_into = :into, merging = :yes',
    condition: 'attribute_not_exists(merged_into) OR (merged_into = :into AND attribute_exists(merging))',
    values: { ':into': into, ':yes': true },
  });
}

/** What the older thread gains, before the first item arrives: whoever refreshes it finds the new mailboxes' users. */
async function widen(table: Table, from: Thread, into: string): Promise<void> {
  const sets = [
    'version :one',
    'mailbox_ids :mailboxes',
    'owner_ids :owners',
    'addresses :addresses',
    ...(from.tag_ids ? ['tag_ids :tags'] : []),
  ];
  await table.update(keys.record('threads', into), {
    ...present,
    update: `ADD ${sets.join(', ')}`,
    values: {
      ':one': 1,
      ':mailboxes': from.mailbox_ids,
      ':owners': from.owner_ids,
      ':addresses': from.addresses,
      ...(from.tag_ids ? { ':tags': from.tag_ids } : {}),
    },
  });
}

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

const keyOf = (item: Item): Key => ({ PK: item.PK, SK: item.SK });

/** A tag that both threads carried is counted once from now on. */
async function dropTagging(table: Table, item: Item, account: string): Promise<void> {
  const counter = { update: 'ADD thread_count :less', ...present, values: { ':less': -1 } };
  await table.transact([
    { delete: keyOf(item), when: present },
    { key: keys.tag(account, item.SK.slice('TAGGING#'.length)), update: counter },
  ]);
}

async function tryMoveItems(table: Table, from: Thread, into: string): Promise<void> {
  const items = await table.all(keys.record('threads', from.id).PK);
  const rest = items.filter((item) => item.SK !== 'META');
  const target = keys.record('threads', into).PK;
  const carried = new Set((await table.all(target, 'TAGGING#')).map((item) => item.SK));
  for (const item of rest.filter((each) => carried.has(each.SK)))
    await dropTagging(table, item, from.account_id);
  const writes = rest.filter((each) => !carried.has(each.SK)).map((item) => movesOf(item, from.id, into));
  for (let i = 0; i < writes.length; i += MOVED_AT_ONCE)
    await table.transact(writes.slice(i, i + MOVED_AT_ONCE).flat());
}

/** Several workers may move at once: each item is moved by one of them. */
async function moveItems(table: Table, from: Thread, into: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await tryMoveItems(table, from, into);
    } catch (error) {
      if (!(error instanceof ConditionFailed) || attempt >= MOVE_TRIES) throw error;
    }
  }
}

/** The user's flag and unread mark survive; the older thread's other state stays as it is. */
async function moveEntry(table: Table, from: ThreadEntry, into: string): Promise<void> {
  const marks = [...(from.flagged ? ['flagged'] : []), ...(from.unread ? ['unread'] : [])];
  if (marks.length > 0)
    await table
      .update(keys.threadEntry(from.user_id, into), {
        ...present,
        update: `SET ${marks.map((mark) => `${mark} = :one`).join(', ')}`,
        values: { ':one': 1 },
      })
      .catch((error: unknown) => {
        if (!(error instanceof ConditionFailed)) throw error;
      });
  await table.delete(keyOf(from));
}

export async function mergeThreads(
  table: Table,
  from: Thread,
  into: string,
  members: Members,
): Promise<void> {
  try {
    await announce(table, from.id, into);
  } catch (error) {
    // Somebody else merged it meanwhile.
    if (error instanceof ConditionFailed) return;
    throw error;
  }
  await widen(table, from, into);
  await moveItems(table, from, into);
  await refreshThread(table, into, members);
  const entries = await table.getMany<ThreadEntry>(
    members.users.map((user) => keys.threadEntry(user.id, from.id)),
  );
  for (const entry of entries) await moveEntry(table, entry, into);
  // Comments and tags that arrived while users could still reach the old thread.
  await moveItems(table, from, into);
  await table.update(keys.record('threads', from.id), { update: 'REMOVE merging, tag_ids' });
}
