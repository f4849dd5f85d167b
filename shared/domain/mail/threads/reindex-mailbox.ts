import type { User } from '#shared/domain/identity/users/user.ts';
import { rangeQuery } from '#shared/domain/platform/postings/reader.ts';
import { keys } from '#shared/table/keys.ts';
import { at, mustExist, type Table } from '#shared/table/table.ts';
import { listNames, type ThreadPosting, threadOf } from './lists/postings.ts';
import { membersOf } from './members.ts';
import { type Members, refreshThreads } from './refresh.ts';
import type { Turn } from './turn.ts';

/** The threads of a mailbox, for users who gained or lost access to it. */
export type MailboxReindexing = {
  account_id: string;
  mailbox_id: string;
  user_ids: string[];
  /** The rank down to which its threads are done. */
  before?: string;
};

/** Entries updated in parallel: as many calls as the client has connections. */
const ENTRIES_AT_ONCE = 50;

export async function reindexThreads(
  table: Table,
  ids: string[],
  members: Members,
  users: User[],
): Promise<void> {
  const size = Math.max(1, Math.floor(ENTRIES_AT_ONCE / Math.max(1, users.length)));
  for (let i = 0; i < ids.length; i += size)
    await refreshThreads(table, ids.slice(i, i + size), members, { only: users });
}

/**
 * Marks that a user's lists may contain threads of a mailbox: set before the first is added, removed when all are
 * cleared.
 */
async function markIndexed(table: Table, user: User, mailbox: string, indexed: boolean): Promise<void> {
  if (Object.hasOwn(user.indexed_mailboxes, mailbox) === indexed) return;
  await table.update<User>(
    keys.user(user.account_id, user.id),
    indexed
      ? { set: { indexed_mailboxes: at(mailbox, true) }, when: mustExist }
      : { remove: [['indexed_mailboxes', mailbox]], when: mustExist },
    'NONE',
  );
}

/** The owner's list of the mailbox contains all of its threads. */
export async function reindexMailbox(
  table: Table,
  reindexing: MailboxReindexing,
  turn: Turn,
): Promise<MailboxReindexing | undefined> {
  const { account_id, mailbox_id, user_ids } = reindexing;
  const members = await membersOf(table, account_id);
  const mailbox = members.mailboxes.find(({ id }) => id === mailbox_id);
  const users = members.users.filter(({ id }) => user_ids.includes(id) && id !== mailbox?.user_id);
  const hasAccess = (user: User) => Object.hasOwn(user.mailboxes, mailbox_id);
  let before = reindexing.before;
  while (mailbox && users.length > 0) {
    const page = await table.query<ThreadPosting>({
      ...rangeQuery<ThreadPosting>({ owner: mailbox.user_id, list: listNames.mailbox(mailbox_id), before }),
      newest_first: true,
      limit: turn.page(users.length),
    });
    if ((turn.whole && page.last) || !turn.takes(page.items.length * users.length)) return reindexing;
    await Promise.all(users.filter(hasAccess).map((user) => markIndexed(table, user, mailbox_id, true)));
    const ids = page.items.map(({ SK }) => threadOf(SK));
    await reindexThreads(table, ids, members, users);
    before = page.items.at(-1)?.SK;
    if (!page.last || before === undefined) break;
    if (turn.timeIsUp()) return { ...reindexing, before };
  }
  const without = users.filter((user) => !hasAccess(user));
  await Promise.all(without.map((user) => markIndexed(table, user, mailbox_id, false)));
  return undefined;
}
