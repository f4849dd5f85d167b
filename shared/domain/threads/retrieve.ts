import { recordNotFound } from '../../errors.ts';
import { bucketOf } from '../../providers/files/bucket.ts';
import type { Services } from '../../services.ts';
import { keys } from '../../table/keys.ts';
import type { Caller } from '../caller.ts';
import { listRecordComments } from '../comments/store.ts';
import { findContactsByAddress } from '../contacts/addresses.ts';
import { presentTags, tagDictionary } from '../tags/store.ts';
import { bodyItemsOf, readBodies } from './body.ts';
import { visibleMessages } from './entry.ts';
import { presentEntry, presentMessages } from './present.ts';
import type { ThreadRecord } from './record.ts';
import { messagesOf } from './refresh.ts';
import type { Thread } from './thread.ts';
import { findEntry } from './visibility.ts';

/** A thread with the messages the caller sees, their bodies, its comments and tags. 404 when it is hidden. */
export async function retrieveWholeThread(
  services: Services,
  caller: Caller,
  id: string,
): Promise<ThreadRecord> {
  const { table } = services;
  const entry = await findEntry(table, caller, id);
  if (!entry) throw recordNotFound();
  const { thread_id } = entry;
  const [thread, all, bodyItems, contacts, dictionary, comments] = await Promise.all([
    table.get<Thread>(keys.record('threads', thread_id)),
    messagesOf(table, thread_id),
    bodyItemsOf(table, thread_id),
    findContactsByAddress(table, caller, Object.keys(entry.participant_names)),
    tagDictionary(table, caller.account.id),
    listRecordComments(table, caller, { type: 'threads', id: thread_id }),
  ]);
  const messages = visibleMessages(caller.user, all);
  const wanted = new Set(messages.map((message) => message.id));
  const bodies = await readBodies(
    () => bucketOf(services),
    caller.account.id,
    bodyItems.filter((item) => wanted.has(item.message_id)),
  );
  const tags = presentTags(dictionary, [...(thread?.tag_ids ?? [])]);
  return {
    ...presentEntry(entry, tags, contacts),
    messages: presentMessages(messages, bodies),
    tasks: [],
    comments,
  };
}
