import { asOfNow } from '#shared/context.ts';
import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import type { KnowsContacts } from '#shared/domain/collaboration/records/contact-book.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { ShowsReplies } from '#shared/domain/collaboration/replies/present.ts';
import { presentTags } from '#shared/domain/collaboration/tags/store.ts';
import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { pendingIn } from '#shared/domain/mail/drafts/pending.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { listTasksOf } from '#shared/domain/work/tasks/store.ts';
import { recordNotFound } from '#shared/errors.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import type { Table } from '#shared/table/table.ts';
import { firstBodyItems, newestBodies } from './bodies.ts';
import { deriveEntry, nextEntry, stateAfter } from './entry.ts';
import { messagesOf } from './messages.ts';
import { newestMessages } from './newest.ts';
import { SHOWN, shownParticipants } from './participants.ts';
import { mayShow, requireSeenThread, type SeenThread } from './policy.ts';
import { presentEntry, readSurroundings } from './present.ts';
import type { ThreadRecord } from './schema.ts';
import { sharesOf } from './sharing.ts';
import type { ShownBodies } from './shown-body.ts';
import type { ThreadEntry } from './thread.ts';

/** The caller's entry; computed from the messages when the stored one is missing or contains hidden messages. */
async function currentEntry(
  table: Table,
  { user }: Caller,
  { thread, entry }: SeenThread,
  mailboxes: Promise<Mailbox[]>,
): Promise<ThreadEntry> {
  if (entry && mayShow(user, thread, entry)) return entry;
  const values = deriveEntry(thread, user, await mailboxes, await messagesOf(table, thread.id));
  if (!values) throw recordNotFound();
  return nextEntry(entry, values, stateAfter(entry, values));
}

/**
 * A thread with the newest messages the caller sees, their bodies, its comments and tags. 404 when it is hidden. What
 * does not fit into a response is omitted or cut: docs/decisions/0022-large-responses.md.
 */
export async function retrieveWholeThread(
  ctx: CallerContext<SeesRecords & ShowsReplies & KnowsContacts>,
  id: string,
  choice: ShownBodies = {},
): Promise<ThreadRecord> {
  return (await readWholeThread(ctx, id, choice)).record;
}

/** The same, and whether a list or a machine wrote its newest message. */
export async function readWholeThread(
  ctx: CallerContext<SeesRecords & ShowsReplies & KnowsContacts>,
  id: string,
  choice: ShownBodies = {},
): Promise<{ record: ThreadRecord; automatic: boolean }> {
  const { table } = ctx;
  const seen = await requireSeenThread(ctx, id);
  const { thread } = seen;
  const { book, tags: tagNames, mailboxes } = readSurroundings(ctx);
  if (seen.entry) book.ask(Object.keys(shownParticipants(seen.entry, SHOWN.of_one_thread)));
  const [entry, shown, first, dictionary, comments, tasks, own, pending_messages] = await Promise.all([
    currentEntry(table, ctx.caller, seen, mailboxes),
    newestMessages(table, ctx.caller.user, thread),
    choice.body === 'none' ? undefined : firstBodyItems(table, thread.id),
    tagNames,
    listRecordComments(asOfNow(ctx), { type: 'threads', id: thread.id }),
    listTasksOf(ctx, { type: 'threads', id: thread.id }),
    mailboxes,
    pendingIn(ctx, thread.id, choice.images),
  ]);
  const messages = shown.map(({ message }) => message);
  const bodies =
    first && (await newestBodies({ table, thread, first, bucket: () => bucketOf(ctx) }, messages, choice));
  const names = shownParticipants(entry, SHOWN.of_one_thread);
  book.ask(Object.keys(names));
  const tags = presentTags(dictionary, thread.tag_ids ?? []);
  const shares = sharesOf(thread, own);
  const record = {
    ...presentEntry({ entry, thread }, ctx.caller.user, ctx.clock(), {
      names,
      tags,
      shares,
      contacts: await book.contacts(),
    }),
    messages: shown.toReversed().map(({ record }) => ({ ...record, body: bodies?.get(record.id) ?? null })),
    tasks,
    comments,
    pending_messages,
  };
  return { record, automatic: entry.last_message?.automatic ?? false };
}
