import type { Context } from '#shared/context.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import { searchIndexOf } from '#shared/domain/collaboration/record-lists/searched.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { failDraftsOf } from '#shared/domain/mail/drafts/sending/disconnected.ts';
import type { DeletedMailbox } from '#shared/domain/mail/mailboxes/delete.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import type { MailFolder } from '#shared/domain/mail/sync/folder.ts';
import { complete, dispatchAgain, type Job, unsentJob } from '#shared/domain/platform/jobs/job.ts';
import { rangeQuery } from '#shared/domain/platform/postings/reader.ts';
import { removeIndex } from '#shared/domain/platform/text-index/remove.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Item, Table, Write } from '#shared/table/table.ts';
import { listNames, type ThreadPosting, threadOf } from './lists/postings.ts';
import { membersOf } from './members.ts';
import { messagesOf } from './messages.ts';
import { mailboxesOf } from './thread.ts';
import { withdraw } from './withdraw.ts';

/**
 * Removes what a deleted mailbox leaves: what waits to be sent, what is known of its server, and its messages unless they
 * are kept.
 */

type Removing = Context<KnowsDependents & SeesRecords>;

/** Threads of one step. */
const THREADS = 20;
/** Milliseconds: longer than a worker lives that read the mailbox when it was deleted. */
const STRAGGLERS = 16 * 60_000;

async function removeAll(table: Table, { PK, SK }: { PK: string; SK: string }): Promise<void> {
  for await (const page of table.pages<Item>(PK, SK))
    await table.writeMany(page.map((item) => ({ delete: keyOf(item) })));
}

async function forgetServer(table: Table, mailbox_id: string): Promise<void> {
  const { PK, SK } = keys.mailFolder(mailbox_id, '');
  for await (const folders of table.pages<MailFolder>(PK, SK))
    for (const folder of folders) {
      await removeAll(table, { PK: keys.mailCopy(folder.id, '', 0).PK, SK: 'COPY#' });
      await table.delete(keyOf(folder));
    }
  await removeAll(table, { PK: keys.mailCopyOf(mailbox_id, '', '', '', 0).PK, SK: 'MESSAGE#' });
  await removeAll(table, { PK: keys.owedEvent(mailbox_id, '').PK, SK: keys.owedEvent(mailbox_id, '').SK });
}

/** The owner's list of the mailbox has all of its threads. False when the time was up. */
async function withdrawAll(
  ctx: Removing,
  { account_id, id, user_id }: Mailbox,
  timeIsUp: () => boolean,
): Promise<boolean> {
  const { table } = ctx;
  const members = await membersOf(table, account_id);
  let before: string | undefined;
  do {
    if (timeIsUp()) return false;
    const page = await table.query<ThreadPosting>({
      ...rangeQuery<ThreadPosting>({ owner: user_id, list: listNames.mailbox(id), before }),
      newest_first: true,
      limit: THREADS,
    });
    const threads = await Promise.all(page.items.map(({ SK }) => messagesOf(table, threadOf(SK))));
    // Those that left already may have been left half-way.
    const messages = threads
      .flat()
      .filter((message) => mailboxesOf(message).has(id) || message.left?.[id] !== undefined);
    await withdraw({ table, members, now: ctx.clock, ports: ctx.ports }, { account_id, id }, messages);
    before = page.last ? page.items.at(-1)?.SK : undefined;
  } while (before !== undefined);
  return true;
}

/** Finishes the deletion of a mailbox; false for any other job of the queue. Idempotent. */
export async function removeMailbox(ctx: Removing, job: Job, timeIsUp: () => boolean): Promise<boolean> {
  const { table } = ctx;
  if (!('deleted_mailbox_id' in job.body)) return false;
  const deleted = job.body as DeletedMailbox;
  const mailbox = await table.get<Mailbox>(keys.mailbox(deleted.account_id, deleted.deleted_mailbox_id));
  const { account_id, deleted_mailbox_id: mailbox_id } = deleted;
  await failDraftsOf(ctx, { account_id, mailbox_id });
  await forgetServer(table, mailbox_id);
  if (mailbox && !deleted.keep_threads && !(await withdrawAll(ctx, mailbox, timeIsUp))) {
    await dispatchAgain(ctx, job.id);
    return true;
  }
  const indexes = deleted.keep_threads ? [] : [mailbox_id, searchIndexOf(mailbox_id)];
  for (const index of indexes) await removeIndex(table, index);
  const again = unsentJob('index-threads', { ...deleted, pass: 2 }, ctx.clock());
  const second: Write[] = deleted.pass === 1 ? [{ put: { ...again, due: again.due + STRAGGLERS } }] : [];
  await table.transact([complete(job.id), ...second]);
  return true;
}
