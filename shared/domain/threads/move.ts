import { keys } from '../../table/keys.ts';
import { type Item, present, type Table } from '../../table/table.ts';
import { untilUnchanged } from '../../table/until-unchanged.ts';
import { commentMoves, commentOf, moveLeftReactions } from '../comments/move.ts';
import type { RecordRef } from '../records/kind.ts';
import { keyOf, moveOf, transactionsOf } from '../records/move.ts';
import type { Thread } from './thread.ts';

/** Moves what is under one thread to another: messages, bodies, comments, taggings. */

const threadRef = (id: string): RecordRef => ({ type: 'threads', id });

/** A tag that both threads carried is counted once from now on. */
async function dropTagging(table: Table, item: Item, account: string): Promise<void> {
  const counter = { update: 'ADD thread_count :less', ...present, values: { ':less': -1 } };
  await table.transact([
    { delete: keyOf(item), when: present },
    { key: keys.tag(account, item.SK.slice('TAGGING#'.length)), update: counter },
  ]);
}

async function tryMoveItems(table: Table, from: Thread, into: string): Promise<void> {
  const [source, target] = [threadRef(from.id), threadRef(into)];
  const items = await table.all(keys.record('threads', from.id).PK);
  const rest = items.filter((item) => item.SK !== 'META');
  const carried = new Set((await taggingsOf(table, into)).map((item) => item.SK));
  for (const item of rest.filter((each) => carried.has(each.SK)))
    await dropTagging(table, item, from.account_id);
  const comments = rest.filter((item) => commentOf(item) !== undefined);
  const others = rest.filter((item) => commentOf(item) === undefined && !carried.has(item.SK));
  const moves = [
    ...others.map((item) => moveOf(item, source, target)),
    ...commentMoves(comments, source, target),
  ];
  for (const writes of transactionsOf(moves)) await table.transact(writes);
  await moveLeftReactions(table, comments, source);
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
