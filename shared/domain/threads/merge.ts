import { isDeepStrictEqual } from 'node:util';
import { keys } from '../../table/keys.ts';
import { ConditionFailed, present, type Table } from '../../table/table.ts';
import { untilUnchanged } from '../../table/until-unchanged.ts';
import { nextEntry, stateOf, valuesOf } from './entry.ts';
import { entryKey, entryWrites, writeEntry } from './lists/write-entry.ts';
import { adoptTags, moveItems } from './move.ts';
import { type Members, refreshThread } from './refresh.ts';
import type { Thread, ThreadEntry } from './thread.ts';

/**
 * Two threads that turn out to be one conversation become one: everything under the younger moves to the older, and
 * its id leads there from then on. Every step can be repeated, so a merge that was cut off is finished by whoever
 * meets it next.
 */

async function announce(table: Table, from: string, into: string): Promise<void> {
  await table.update(keys.record('threads', from), {
    update: 'SET merged_into = :into, merging = :yes',
    condition: 'attribute_not_exists(merged_into) OR (merged_into = :into AND attribute_exists(merging))',
    values: { ':into': into, ':yes': true },
  });
}

/** What the older thread gains, before the first item arrives: whoever refreshes it finds the new mailboxes' users. */
async function widen(table: Table, from: Thread, into: string): Promise<void> {
  const gained: [string, Set<string> | undefined][] = [
    ['mailbox_ids', from.mailbox_ids],
    ['owner_ids', from.owner_ids],
    ['addresses', from.addresses],
    ['tag_ids', from.tag_ids],
  ];
  const sets = gained.filter(([, values]) => values !== undefined);
  await table.update(keys.record('threads', into), {
    ...present,
    update: `ADD version :one, ${sets.map(([name]) => `${name} :${name}`).join(', ')}`,
    values: { ':one': 1, ...Object.fromEntries(sets.map(([name, values]) => [`:${name}`, values])) },
  });
}

/** The user's flag and unread mark survive; the older thread's other state stays as it is. */
async function moveEntry(table: Table, from: ThreadEntry, into: string): Promise<void> {
  const marks = {
    ...(from.flagged ? { flagged: from.flagged } : {}),
    ...(from.unread ? { unread: from.unread } : {}),
  };
  await untilUnchanged(async () => {
    const before = await table.get<ThreadEntry>(keys.threadEntry(from.user_id, into));
    if (!before) return;
    const state = { ...stateOf(before), ...marks };
    if (isDeepStrictEqual(state, stateOf(before))) return;
    await table.transact(entryWrites(before, nextEntry(before, valuesOf(before), state)));
  });
  await untilUnchanged(async () => {
    const before = await table.get<ThreadEntry>(entryKey(from));
    if (before) await writeEntry(table, before, undefined, []);
  });
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
  await adoptTags(table, into);
  await table.update(keys.record('threads', from.id), { update: 'REMOVE merging, tag_ids' });
}
