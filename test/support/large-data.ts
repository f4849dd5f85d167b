import type { Comment, CommentPointer } from '#shared/domain/collaboration/comments/comment.ts';
import { commentItems } from '#shared/domain/collaboration/comments/content.ts';
import type { AssistantReply, StoredBlock } from '#shared/domain/collaboration/replies/block.ts';
import { type RecordRef, type StoredShare, shareIdOf } from '#shared/domain/collaboration/shares/share.ts';
import { newTag } from '#shared/domain/collaboration/tags/create.ts';
import { newGroup } from '#shared/domain/identity/groups/create.ts';
import { MAX_GROUPS } from '#shared/domain/identity/users/access.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { statePostings } from '#shared/domain/mail/threads/lists/postings.ts';
import type { Thread, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { newId } from '#shared/ids.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import type { AnyItem } from '#shared/table/table.ts';
import type { GivenThread } from './threads.ts';
import type { TestUser, Workspace } from './workspace.ts';

/**
 * Large data, written straight into the table because requests would take hours. DynamoDB ends a page at 1 MB;
 * DynamoDB Local does not, and takes longer than the client waits. So single items are below their limit.
 */

/** A character of one byte in the table and of six in JSON, and one of four in both. */
export const ESCAPED = '\u0001';
export const WIDE = '😀';

export async function write({ table }: Pick<Workspace, 'table'>, items: AnyItem[]): Promise<void> {
  await table.writeMany(items.map((put) => ({ put })));
}

export const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

export async function givenTags(workspace: Workspace, count: number): Promise<string[]> {
  const text = { color: '#2F6FED', description: ESCAPED.repeat(1_000) };
  const tags = many(count, (i) =>
    newTag(
      workspace.account_id,
      {
        ...text,
        name: `${i} ${WIDE.repeat(250)}`,
        applicable_to_contacts: null,
        applicable_to_interactions: null,
      },
      new Date(),
    ),
  );
  await write(workspace, tags);
  return tags.map(({ id }) => id);
}

export async function givenGroups(
  workspace: Workspace,
  { user }: TestUser,
  user_ids: string[],
  count: number,
) {
  const caller = { user, account: { id: workspace.account_id } } as never;
  const groups = many(count, (i) =>
    newGroup(
      caller,
      { name: `Group ${i}`, description: WIDE.repeat(5_000), color: null, user_ids },
      new Date(),
    ),
  );
  await write(workspace, groups);
  return groups.map(({ id }) => id);
}

/** Users like this one, in the maximum of groups; `more` has further fields of each. */
export async function givenUsers(
  workspace: Workspace,
  { user }: TestUser,
  count: number,
  more: Partial<User> = {},
): Promise<string[]> {
  const group_ids = new Set(many(MAX_GROUPS, () => newId(new Date())));
  const users = many(count, (i) => {
    const id = newId(new Date());
    const email_address = `${i}-${'a'.repeat(50)}@acme.example`;
    return {
      ...user,
      ...keys.user(user.account_id, id),
      id,
      name: `User ${i}`,
      email_address,
      group_ids,
      ...more,
    };
  });
  await write(workspace, users);
  return users.map(({ id }) => id);
}

/** Shares of a record with a hundred users, the limit. */
export function sharesWithMany(record: RecordRef, count = 100): Record<string, StoredShare> {
  const shares = many(count, (): StoredShare => {
    const user_id = newId(new Date());
    const id = shareIdOf(record, user_id);
    const created_at = new Date().toISOString();
    return { id, user_id, group_id: null, access: 'view', shared_by_user_id: newId(new Date()), created_at };
  });
  return Object.fromEntries(shares.map((share) => [share.id, share]));
}

export const threadShares = (id: string, mailbox_ids: string[]): NonNullable<Thread['shares']> =>
  Object.fromEntries(
    Object.entries(sharesWithMany({ type: 'threads', id })).map(([key, share]) => [
      key,
      { ...share, mailbox_ids: mailbox_ids.slice(0, 1) },
    ]),
  );

interface Many {
  count: number;
  subject: string;
  participants: number;
  tag_ids?: string[];
  /** Besides the one that the user sees them through. */
  through?: string[];
  /** Shared with the maximum of users. */
  shares?: true;
}

/** Threads of one mailbox as the user sees them, received within the last days. */
export async function givenThreads(
  workspace: Workspace,
  { user }: TestUser,
  mailbox_id: string,
  { count, subject, participants, tag_ids, through = [], shares }: Many,
): Promise<void> {
  const { account_id } = workspace;
  const names = many(participants, (i) => [`${i}-${'a'.repeat(30)}@ferries.example`, WIDE.repeat(10)]);
  const participant_names = Object.fromEntries(names);
  const items = many(count, (i): AnyItem[] => {
    const id = newId(new Date());
    const sent = Date.now() - i * 1_000;
    const moment = new Date(sent).toISOString();
    const rank = `${timeRank(sent)}#${id}`;
    const thread: Thread = {
      ...keys.record('threads', id),
      ...{ id, account_id, version: 1 },
      shares: shares ? threadShares(id, through) : {},
      mailbox_ids: new Set([mailbox_id, ...through]),
      owner_ids: new Set([user.id]),
      ...(tag_ids ? { tag_ids: new Set(tag_ids) } : {}),
    };
    const entry: ThreadEntry = {
      ...keys.threadEntry(user.id, id),
      ...{
        thread_id: id,
        account_id,
        user_id: user.id,
        rank,
        inbox_rank: rank,
        version: 1,
        revision: 1,
        subject,
      },
      ...{
        snippet: WIDE.repeat(200),
        message_count: 1,
        received_count: 1,
        has_attachments: false,
        category: null,
      },
      ...{ unreplied: true, mailbox_ids: [mailbox_id], shared_with: [], unread: 1 as const },
      ...{ first_sent_at: moment, last_sent_at: moment, inbox_sort_time: moment },
      ...{
        sender_email_addresses: Object.keys(participant_names).slice(-1),
        participant_names,
        participant_count: participants,
      },
    };
    return [thread, entry, ...statePostings(entry)];
  });
  await write(workspace, items.flat());
}

function emptyComment(
  { account_id }: Workspace,
  { user }: TestUser,
  {
    type,
    id,
  }: {
    type: 'threads' | 'contacts' | 'organizations' | 'deals' | 'spaces' | 'files' | 'calendar_events';
    id: string;
  },
  now: Date,
): Comment {
  return {
    id: newId(now),
    account_id,
    ...{ record_type: type, record_id: id, user_id: user.id, parent_comment_id: null },
    ...{ html_content: null, json_content: null, mentioned_user_ids: [] },
    ...{ created_at: now.toISOString(), updated_at: null, version: 1 },
  };
}

/** Comments of the largest possible content. */
export async function givenLongComments(
  workspace: Workspace,
  author: TestUser,
  record: {
    type: 'threads' | 'contacts' | 'organizations' | 'deals' | 'spaces' | 'files' | 'calendar_events';
    id: string;
  },
  count: number,
): Promise<void> {
  const document = { type: 'doc', content: [{ type: 'text', text: WIDE.repeat(199_900) }] };
  const comments = many(
    count,
    (i): Comment => ({
      ...emptyComment(workspace, author, record, new Date(Date.now() + i)),
      html_content: `<p>${WIDE.repeat(199_900)}</p>`,
      json_content: JSON.stringify(document),
    }),
  );
  await write(workspace, comments.flatMap(commentItems));
}

/** Twenty reactions of each of many users. */
export async function givenReactionsOfMany(
  workspace: Workspace,
  thread: GivenThread,
  comment_id: string,
  count: number,
): Promise<void> {
  const created_at = new Date().toISOString();
  const reactions = many(count, () => {
    const id = newId(new Date());
    const rest = { id, comment_id, user_id: id, text: WIDE.repeat(255), created_at };
    return { ...keys.reaction('threads', thread.id, comment_id, id), ...rest };
  });
  await write(workspace, reactions);
  await workspace.table.update<CommentPointer>(keys.commentPointer(comment_id), {
    set: { reaction_count: count },
  });
}

/** A reply of the assistant of maximum length, with these blocks. */
function longReply(blocks: StoredBlock[]): AssistantReply {
  const rows = many(20, () => ({ cells: { text: '語'.repeat(1_000) } }));
  const table: StoredBlock = { type: 'table', columns: [{ key: 'text', label: 'Text' }], rows };
  return { status: 'complete', text: '語'.repeat(5_000), refs: [], blocks: [table, ...blocks] };
}

/** One reply in a conversation for each list of blocks. */
export async function givenReplies(
  workspace: Workspace,
  { user }: TestUser,
  conversation_id: string,
  each: StoredBlock[][],
): Promise<void> {
  const messages = each.map((blocks, i) => {
    const now = new Date(Date.now() + i);
    const id = newId(now);
    const created_at = now.toISOString();
    const rest = { id, conversation_id, user_id: user.id, created_at, reply: longReply(blocks) };
    return { ...keys.conversationMessage(conversation_id, id), ...rest };
  });
  await write(workspace, messages);
}

/** One reply among the comments of a record for each list of blocks; their ids. */
export async function givenReplyComments(
  workspace: Workspace,
  asker: TestUser,
  record: {
    type: 'threads' | 'contacts' | 'organizations' | 'deals' | 'spaces' | 'files' | 'calendar_events';
    id: string;
  },
  each: StoredBlock[][],
): Promise<string[]> {
  const comments = each.map(
    (blocks, i): Comment => ({
      ...emptyComment(workspace, asker, record, new Date(Date.now() + i)),
      reply: longReply(blocks),
    }),
  );
  await write(workspace, comments.flatMap(commentItems));
  return comments.map(({ id }) => id);
}
