import { recordNotFound } from '../../errors.ts';
import { bucketOf } from '../../providers/files/bucket.ts';
import type { Services } from '../../services.ts';
import type { Caller } from '../caller.ts';
import { listRecordComments } from '../comments/store.ts';
import type { Mailbox } from '../mailboxes/mailbox.ts';
import { presentTags } from '../tags/store.ts';
import { bodyItemsOf, readBodies } from './body.ts';
import { deriveEntry, nextEntry, stateAfter, visibleMessages } from './entry.ts';
import { type ImageChoice, presentEntry, presentMessages, readSurroundings } from './present.ts';
import type { ThreadRecord } from './record.ts';
import { messagesOf } from './refresh.ts';
import { sharesOf } from './sharing.ts';
import type { Message, ThreadEntry } from './thread.ts';
import { mayShow, requireSeenThread, type SeenThread } from './visibility.ts';

/** The caller's entry; made from the messages where the stored one is missing or says too much. */
async function currentEntry(
  { user }: Caller,
  { thread, entry }: SeenThread,
  mailboxes: Mailbox[],
  messages: Message[],
): Promise<ThreadEntry> {
  if (entry && mayShow(user, thread, entry)) return entry;
  const values = deriveEntry(thread, user, mailboxes, messages);
  if (!values) throw recordNotFound();
  return nextEntry(entry, values, stateAfter(entry, values));
}

/** A thread with the messages the caller sees, their bodies, its comments and tags. 404 when it is hidden. */
export async function retrieveWholeThread(
  services: Services,
  caller: Caller,
  id: string,
  images: ImageChoice = 'blocked',
): Promise<ThreadRecord> {
  const { table } = services;
  const seen = await requireSeenThread(table, caller, id);
  const { thread } = seen;
  const { book, tags: tagNames, mailboxes } = readSurroundings(table, caller);
  book.ask(Object.keys(seen.entry?.participant_names ?? {}));
  const [all, bodyItems, dictionary, comments, own] = await Promise.all([
    messagesOf(table, thread.id),
    bodyItemsOf(table, thread.id),
    tagNames,
    listRecordComments(table, caller, { type: 'threads', id: thread.id }, services.now()),
    mailboxes,
  ]);
  const messages = visibleMessages(caller.user, thread, all);
  const wanted = new Set(messages.map((message) => message.id));
  const [entry, bodies] = await Promise.all([
    currentEntry(caller, seen, own, all),
    readBodies(
      () => bucketOf(services),
      caller.account.id,
      bodyItems.filter((item) => wanted.has(item.message_id)),
    ),
  ]);
  book.ask(Object.keys(entry.participant_names));
  const tags = presentTags(dictionary, thread.tag_ids ?? []);
  const shares = sharesOf(thread, own);
  return {
    ...presentEntry({ entry, thread }, caller.user, services.now(), {
      tags,
      shares,
      contacts: await book.contacts(),
    }),
    messages: presentMessages(messages, bodies, images),
    tasks: [],
    comments,
  };
}
