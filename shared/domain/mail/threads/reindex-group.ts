import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { hasIndex, removeIndex } from '#shared/domain/platform/text-index/remove.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import { type Item, mustExist, type Table } from '#shared/table/table.ts';
import { membersOf } from './members.ts';
import { findThread } from './policy.ts';
import { reindexThreads } from './reindex-mailbox.ts';
import type { Thread } from './thread.ts';
import type { Turn } from './turn.ts';

/** What is shared with a group, for users who joined or left it; `ended` when the group is deleted. */
export type GroupReindexing = {
  account_id: string;
  group_id: string;
  user_ids: string[];
  ended?: true;
  /** The last share that is done. */
  after?: string;
};

/** A record that is shared with a group. Other types have lists of their own (collaboration/record-lists). */
type GroupShareRow = Item & { record_type: RecordType; record_id: string };

const OF_MAIL: RecordType[] = ['threads', 'mailboxes'];

/** Removes the group's share from the record, also after a merge of threads. */
async function dropShare(
  table: Table,
  { account_id, group_id }: GroupReindexing,
  row: GroupShareRow,
): Promise<void> {
  const thread = row.record_type === 'threads' && (await findThread(table, account_id, row.record_id));
  const item = thread ? keys.record('threads', thread.id) : keys.mailbox(account_id, row.record_id);
  const record = thread || (await table.get<Mailbox>(item));
  const ended = Object.values(record?.shares ?? {}).filter((share) => share.group_id === group_id);
  for (const { id } of ended)
    await table.update<Thread | Mailbox>(item, { remove: [['shares', id]], when: mustExist }, 'NONE');
}

function rowsAfter(table: Table, group_id: string, after: string | undefined, limit: number) {
  const { PK, SK } = keys.groupShare(group_id, 'threads', '');
  const first = SK.slice(0, SK.indexOf('#') + 1);
  return table.query<GroupShareRow>({
    partition: PK,
    sort: { begins: first },
    after: after === undefined ? undefined : { PK, SK: after },
    limit,
  });
}

/** `reindexMailbox` updates the threads of a mailbox, or enqueues that. */
export async function reindexGroup(
  table: Table,
  reindexing: GroupReindexing,
  turn: Turn,
  reindexMailbox: (mailbox_id: string) => Promise<void>,
): Promise<GroupReindexing | undefined> {
  const { account_id, group_id, user_ids, ended } = reindexing;
  const next = (after: string | undefined) => rowsAfter(table, group_id, after, turn.page(user_ids.length));
  const [members, first, isIndexed] = await Promise.all([
    membersOf(table, account_id),
    next(reindexing.after),
    ended && hasIndex(table, group_id),
  ]);
  const users = members.users.filter(({ id }) => user_ids.includes(id));
  for (let page = first; ; ) {
    if ((turn.whole && page.last) || !turn.takes(page.items.length * users.length)) return reindexing;
    const rows = page.items.filter(({ record_type }) => OF_MAIL.includes(record_type));
    const ofType = (type: RecordType) =>
      rows.filter(({ record_type }) => record_type === type).map(({ record_id }) => record_id);
    if (ended) for (const row of rows) await dropShare(table, reindexing, row);
    await reindexThreads(table, ofType('threads'), members, users);
    for (const mailbox of ofType('mailboxes')) await reindexMailbox(mailbox);
    if (ended) await table.writeMany(rows.map(({ PK, SK }) => ({ delete: { PK, SK } })));
    const after = page.items.at(-1)?.SK;
    if (!page.last || after === undefined) break;
    if (turn.timeIsUp()) return { ...reindexing, after };
    page = await next(after);
  }
  if (isIndexed) await removeIndex(table, group_id);
  return undefined;
}
