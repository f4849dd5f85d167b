import { isDeepStrictEqual } from 'node:util';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type Table, when } from '#shared/table/table.ts';
import { deriveListed, messagesOfMailboxes } from './entry.ts';
import { writePlaces, writeView } from './lists/write-entry.ts';
import { type MailboxView, type Message, mailboxesOf, type Thread } from './thread.ts';

/**
 * What each mailbox has of a thread. Lists of words are the mailbox's, whoever reads it: a message costs them once
 * (docs/decisions/0087).
 */

/** The stored views of a thread. */
export function viewsOf(table: Table, thread_id: string): Promise<MailboxView[]> {
  const { PK, SK } = keys.mailboxView(thread_id, '');
  return table.all<MailboxView>(PK, SK);
}

type Values = Omit<MailboxView, 'revision'>;

/** `messages` of one thread, oldest first. Undefined when the mailbox has none of them. */
export function deriveView(thread: Thread, mailbox_id: string, messages: Message[]): Values | undefined {
  const listed = deriveListed(thread.id, messagesOfMailboxes(messages, new Set([mailbox_id])));
  if (!listed) return undefined;
  const { id: thread_id, account_id, version } = thread;
  return {
    ...keys.mailboxView(thread_id, mailbox_id),
    ...listed,
    thread_id,
    account_id,
    mailbox_id,
    version,
  };
}

async function tryRefresh(
  table: Table,
  before: MailboxView | undefined,
  values: Values | undefined,
): Promise<void> {
  if (!values) return before && writeView(table, before, undefined);
  const after = { ...values, revision: (before?.revision ?? 0) + 1 } as MailboxView;
  if (!before || !saysTheSame(before, after)) return writeView(table, before, after);
  if (before.version === after.version) return writePlaces(table, before);
  // The thread changed elsewhere. Whoever listed this view before, and was cut off, runs again.
  return table.put(after, when<MailboxView>({ revision: before.revision }));
}

const saysTheSame = (a: MailboxView, b: MailboxView): boolean =>
  isDeepStrictEqual({ ...a, version: 0, revision: 0 }, { ...b, version: 0, revision: 0 });

/** Another worker may refresh it: the newest messages win. */
function refreshView(
  table: Table,
  thread: Thread,
  mailbox_id: string,
  { messages, read }: { messages: Message[]; read: MailboxView | undefined },
): Promise<void> {
  const values = deriveView(thread, mailbox_id, messages);
  let attempts = 0;
  return retryOnConflict(async () => {
    const before =
      attempts++ === 0 ? read : await table.get<MailboxView>(keys.mailboxView(thread.id, mailbox_id));
    if (before && before.version > thread.version) return;
    await tryRefresh(table, before, values);
  });
}

/** Updates what mailboxes have of a thread, also those that have nothing of it any more. */
export function refreshViews(
  table: Table,
  thread: Thread,
  messages: Message[],
  before: MailboxView[],
): Promise<void>[] {
  const byMailbox = new Map(before.map((view) => [view.mailbox_id, view]));
  const mailboxes = new Set([
    ...byMailbox.keys(),
    ...messages.flatMap((message) => [...mailboxesOf(message)]),
  ]);
  return [...mailboxes].map((id) => refreshView(table, thread, id, { messages, read: byMailbox.get(id) }));
}

/** Removes what mailboxes have of a thread that was merged into another. */
export async function clearViews(table: Table, thread: Thread): Promise<void> {
  await Promise.all(refreshViews(table, thread, [], await viewsOf(table, thread.id)));
}
