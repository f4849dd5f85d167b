import type { Context } from '#shared/context.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { readOwned } from '#shared/domain/mail/mailboxes/owned.ts';
import type { MailCopy } from '#shared/domain/mail/sync/copy.ts';
import { messagesOfMailboxes, ownAddresses } from '#shared/domain/mail/threads/entry.ts';
import type { IdRow } from '#shared/domain/mail/threads/message-ids.ts';
import { messagesOf } from '#shared/domain/mail/threads/messages.ts';
import type { Message } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { copiesOfMessages } from './copies.ts';
import { type Labels, labelsOf } from './labels.ts';

/** The user's own mailboxes, as those whose marks go to servers and come from there. */
export interface Owned {
  /** The user's own addresses. */
  addresses: ReadonlySet<string>;
  /** Those with label_sync and a server. */
  synced: Mailbox[];
}

export async function ownedBy(table: Table, account_id: string, user_id: string): Promise<Owned | undefined> {
  const [user] = await findUsers(table, account_id, [user_id]);
  if (!user) return undefined;
  const owned = (await readOwned(table, user)).filter((mailbox) => mailbox.user_id === user_id);
  return {
    addresses: ownAddresses(user, owned),
    synced: owned.filter(({ label_sync, mail_server }) => label_sync && mail_server),
  };
}

/** Those of the thread in these mailboxes, oldest first. */
export const messagesIn = (messages: Message[], { synced }: Owned): Message[] =>
  messagesOfMailboxes(messages, new Set(synced.map(({ id }) => id)));

type Marked = Pick<MailCopy, 'message_id' | 'seen' | 'flagged'>;

/**
 * What the servers of a mailbox's owner say about a thread, in each of several `views` of the copies that are known of its
 * messages.
 */
export async function labelsAtServers(
  { table }: Context,
  { account_id, user_id }: Pick<Mailbox, 'account_id' | 'user_id'>,
  thread_id: string,
  views: (copies: MailCopy[]) => Marked[][],
): Promise<Labels[]> {
  const [owned, all] = await Promise.all([ownedBy(table, account_id, user_id), messagesOf(table, thread_id)]);
  if (!owned) return [];
  const messages = messagesIn(all, owned);
  const maps = await Promise.all(
    owned.synced.map(({ id }) => {
      const here = messagesOfMailboxes(messages, new Set([id])).map((message) => message.id);
      return copiesOfMessages(table, id, here);
    }),
  );
  const copies = maps.flatMap((each) => [...each.values()].flat());
  return views(copies).map((view) =>
    labelsOf(
      messages,
      Map.groupBy(view, ({ message_id }) => message_id as string),
      owned.addresses,
    ),
  );
}

/** The threads of messages, by their ids. */
export async function threadsOf(
  table: Table,
  account_id: string,
  messages: Pick<MailCopy, 'message_id' | 'id_hash'>[],
): Promise<Map<string, string>> {
  const rows = await table.getMany<IdRow>(
    messages.map(({ message_id, id_hash }) =>
      keys.messageId(account_id, id_hash as string, message_id as string),
    ),
  );
  return new Map(rows.map(({ message_id, thread_id }) => [message_id, thread_id]));
}
