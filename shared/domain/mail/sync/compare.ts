import type { FolderState, ServedCopy } from '#shared/domain/mail/servers/server.ts';
import { getLogger } from '#shared/log.ts';
import { copiesIn } from './copies.ts';
import type { MailCopy } from './copy.ts';
import type { MailFolder } from './folder.ts';
import { tellMarks } from './marks.ts';
import { isToTryAgain } from './plan.ts';
import { countsOf, saveFolder } from './progress.ts';
import { servedAmong, takeBatch } from './read-folder.ts';
import { atServer, type Syncing } from './syncing.ts';

/** Compares all UIDs of a folder with the copies here, and closes each difference. */

export interface Compared {
  folder: MailFolder;
  /** False when the time was up. */
  done: boolean;
  /** Copies that the server no longer has in this folder. */
  gone: MailCopy[];
}

interface Known {
  /** Of the folder as it is, by UID. */
  here: Map<number, MailCopy>;
  /** Of UIDs that name other messages now. */
  stale: MailCopy[];
  /** A worker died before they were done: they are missing here. */
  begun: MailCopy[];
}

async function knownIn({ ctx }: Syncing, { id, uidvalidity }: MailFolder): Promise<Known> {
  const known: Known = { here: new Map(), stale: [], begun: [] };
  for await (const page of copiesIn(ctx.table, id))
    for (const copy of page)
      if (copy.uidvalidity !== uidvalidity) known.stale.push(copy);
      else if (copy.outcome === 'begun') known.begun.push(copy);
      else known.here.set(copy.uid, copy);
  return known;
}

const below = <Each extends { uid: number }>(all: Each[], uidnext: number) =>
  all.filter(({ uid }) => uid < uidnext);

/** With marks where the server tells no changes of them, and when everything is to be compared. */
async function thereIn({ store }: Syncing, folder: MailFolder, whole: boolean) {
  if (whole || folder.modseq === null) {
    const served = below(await atServer(store.copies(folder, { from: 1 })), folder.uidnext);
    return { served, uids: served.map(({ uid }) => uid) };
  }
  const uids = (await atServer(store.uids(folder))).filter((uid) => uid < folder.uidnext);
  return { served: undefined, uids };
}

/** Whether somebody asked for it since the last time. */
const isAskedFor = ({ mailbox }: Syncing, { compared_at }: MailFolder) =>
  mailbox.mail_compare_after !== undefined && (compared_at ?? '') < mailbox.mail_compare_after;

/** Takes over what is missing here, and tries again what could not be taken over; how much was missing. */
async function takeMissing(
  sync: Syncing,
  start: MailFolder,
  { here }: Known,
  { served, uids }: { served: ServedCopy[] | undefined; uids: number[] },
): Promise<Omit<Compared, 'gone'> & { missing: number }> {
  const { backfill_from } = sync.mailbox;
  const options = { backfill_from, all: isAskedFor(sync, start), now: sync.started };
  const isMissing = (uid: number) => !here.has(uid);
  const missing = uids.filter(isMissing).length;
  const isWanted = (uid: number) => {
    const copy = here.get(uid);
    return !copy || isToTryAgain(copy, options);
  };
  const wanted = uids.filter(isWanted);
  if (wanted.length === 0) return { folder: start, done: true, missing };
  let left = served?.filter(({ uid }) => isWanted(uid)) ?? (await servedAmong(sync, start, wanted));
  let folder = start;
  while (left.length > 0) {
    if (sync.timeIsUp()) return { folder, done: false, missing };
    const { begun, copies, last, marks } = await takeBatch(sync, folder, left, true);
    for (const copy of copies) here.set(copy.uid, copy);
    left = left.filter(({ uid }) => uid > last);
    folder = await saveFolder(sync.ctx.table, begun, marks, copies.length || 1);
  }
  return { folder, done: true, missing };
}

export async function compareFolder(
  sync: Syncing,
  folder: MailFolder,
  { messages }: FolderState,
): Promise<Compared> {
  // Before the copies are read: what the server loses meanwhile is left to the next time.
  const there = await thereIn(sync, folder, isAskedFor(sync, folder));
  const known = await knownIn(sync, folder);
  const taken = await takeMissing(sync, folder, known, there);
  const isMarked = !there.served || (await tellMarks(sync, there.served, known.here));
  const served = new Set(there.uids);
  const lost = [...known.here.values(), ...known.begun].filter(({ uid }) => !served.has(uid));
  const gone = [...known.stale, ...lost];
  if (taken.missing > 0 || gone.length > 0)
    getLogger().info('a folder differed from its server', {
      ...{ mailbox_id: folder.mailbox_id, folder_id: folder.id },
      ...{ missing: taken.missing, gone: gone.length },
    });
  const isOver = taken.done && isMarked && gone.length === 0;
  const saved = await saveFolder(
    sync.ctx.table,
    taken.folder,
    {
      ...countsOf(known.here.values()),
      messages_at_provider: messages,
      ...(taken.done ? { differences: taken.missing } : {}),
      ...(isOver ? { compared_at: sync.started.toISOString() } : {}),
    },
    isOver ? 1 : 0,
  );
  return { folder: saved, done: taken.done, gone };
}
