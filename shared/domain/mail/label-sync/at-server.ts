import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { FolderChanged } from '#shared/domain/mail/servers/failures.ts';
import type { FolderPlace, MailStore, Uids } from '#shared/domain/mail/servers/server.ts';
import { copiesAt } from '#shared/domain/mail/sync/copies.ts';
import { copyKey, copyOfSource, type MailCopy } from '#shared/domain/mail/sync/copy.ts';
import type { MailFolder } from '#shared/domain/mail/sync/folder.ts';
import { foldersOf } from '#shared/domain/mail/sync/progress.ts';
import type { IdRow } from '#shared/domain/mail/threads/message-ids.ts';
import type { Message } from '#shared/domain/mail/threads/thread.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { copiesOfMessages, noteMarks } from './copies.ts';
import { flagsOf, type Marking, type Wanted } from './labels.ts';

/**
 * Writes marks to every copy of messages at a server, and then notes them, so that the next reading finds nothing new. A
 * message whose copies are all gone, moved for example, or not known yet is looked for by its Message-ID, which others may
 * have too: copies that are known to be of another message are left alone.
 */

/** Folders in which a message is looked for. */
const MOST_FOLDERS = 200;
/** UIDs between two that are read together. */
const NEAR = 100;

interface Writing {
  table: Table;
  store: MailStore;
  mailbox: Mailbox;
}

/** Ranges that contain these UIDs. */
function rangesOf(uids: number[]): Required<Uids>[] {
  const ranges: Required<Uids>[] = [];
  for (const uid of uids.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && uid - last.to <= NEAR) last.to = uid;
    else ranges.push({ from: uid, to: uid });
  }
  return ranges;
}

/** Undefined when the folder has other UIDs by now. */
async function unlessChanged<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof FolderChanged) return undefined;
    throw error;
  }
}

/** Those that are still there. */
async function write(
  store: MailStore,
  place: FolderPlace,
  uids: number[],
  wanted: Wanted,
): Promise<Set<number>> {
  const there = new Set<number>();
  const written = await unlessChanged(store.setFlags(place, uids, flagsOf(wanted)).then(() => true));
  if (!written) return there;
  for (const range of rangesOf(uids))
    for (const { uid } of (await unlessChanged(store.copies(place, range))) ?? []) there.add(uid);
  return there;
}

async function noteWanted(table: Table, copies: MailCopy[], { marks }: Wanted): Promise<void> {
  if (Object.keys(marks).length === 0) return;
  await noteMarks(
    table,
    copies.map((copy) => ({ copy, marks })),
  );
}

/** The known copies of one folder; returns those that are still there. */
async function writeFolder(
  { table, store, mailbox }: Writing,
  folder_id: string,
  copies: MailCopy[],
  wanted: Wanted,
): Promise<MailCopy[]> {
  const folder = await table.get<MailFolder>(keys.mailFolder(mailbox.id, folder_id));
  if (!folder) return [];
  const written: MailCopy[] = [];
  for (const [uidvalidity, some] of Map.groupBy(copies, (copy) => copy.uidvalidity)) {
    const place = { path: folder.path, uidvalidity };
    const there = await write(
      store,
      place,
      some.map(({ uid }) => uid),
      wanted,
    );
    written.push(...some.filter(({ uid }) => there.has(uid)));
  }
  await noteWanted(table, written, wanted);
  return written;
}

/** Without those that are known to be of another message. */
async function ownOf(table: Table, folder: MailFolder | undefined, uids: number[], { id }: Message) {
  const known = folder && (await copiesAt(table, folder, uids));
  return uids.filter((uid) => (known?.get(uid)?.message_id ?? id) === id);
}

async function writeWhereFound({ table, store, mailbox }: Writing, messages: Message[], wanted: Wanted) {
  const known = new Map((await foldersOf(table, mailbox.id)).map((folder) => [folder.path, folder]));
  const folders = (await store.folders()).filter(({ role }) => role !== 'drafts');
  for (const { path } of folders.slice(0, MOST_FOLDERS))
    for (const message of messages) {
      const found = (await unlessChanged(store.find(path, message.rfc_id))) ?? [];
      if (found.length === 0) continue;
      const state = await unlessChanged(store.state(path));
      if (!state) continue;
      const { uidvalidity } = state;
      const folder = known.get(path);
      const uids = await ownOf(table, folder && { ...folder, uidvalidity }, found, message);
      if (uids.length > 0) await write(store, { path, uidvalidity }, uids, wanted);
    }
}

/** Of those that are being read from the server, the copies of their deliveries. Others came from archives. */
async function arriving({ table, mailbox }: Writing, messages: Message[]): Promise<Map<string, MailCopy[]>> {
  const rows = await table.getMany<IdRow>(
    messages.map(({ id, id_hash }) => keys.messageId(mailbox.account_id, id_hash, id)),
  );
  const placeOf = ({ deliveries }: IdRow) => copyOfSource(deliveries[mailbox.id] ?? '');
  const copies = await table.getMany<MailCopy>(
    rows.flatMap((row) => {
      const place = placeOf(row);
      return place ? [copyKey(place)] : [];
    }),
  );
  const copiesOf = Map.groupBy(copies, ({ message_id }) => message_id as string);
  return new Map(rows.filter(placeOf).map(({ message_id }) => [message_id, copiesOf.get(message_id) ?? []]));
}

/** Messages that are to have the same marks and flags. */
async function writeAlike(writing: Writing, messages: Message[], wanted: Wanted): Promise<void> {
  const { table, mailbox } = writing;
  const known = await copiesOfMessages(
    table,
    mailbox.id,
    messages.map(({ id }) => id),
  );
  const written = new Set<string | null>();
  for (const [folder_id, copies] of Map.groupBy([...known.values()].flat(), (copy) => copy.folder_id))
    for (const { message_id } of await writeFolder(writing, folder_id, copies, wanted))
      written.add(message_id);
  const coming = await arriving(
    writing,
    messages.filter(({ id }) => !known.has(id)),
  );
  const sought = messages.filter(({ id }) => !written.has(id) && (known.has(id) || coming.has(id)));
  if (sought.length === 0) return;
  await writeWhereFound(writing, sought, wanted);
  // Copies that are found later are compared with these, and so is what is left when the message is gone.
  await noteWanted(
    table,
    sought.flatMap(({ id }) => known.get(id) ?? coming.get(id) ?? []),
    wanted,
  );
}

/** What the server never had, such as mail from archives, is left alone. */
export async function writeMarks(writing: Writing, markings: Marking[]): Promise<void> {
  const alike = Map.groupBy(markings, ({ message: _, ...wanted }) => JSON.stringify(wanted));
  for (const some of alike.values())
    await writeAlike(
      writing,
      some.map(({ message }) => message),
      some[0] as Marking,
    );
}
