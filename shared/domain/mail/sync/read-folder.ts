import type { FolderState, ServedCopy } from '#shared/domain/mail/servers/server.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { CopyBatch, type TakenBatch } from './batch.ts';
import type { MailCopy } from './copy.ts';
import type { MailFolder } from './folder.ts';
import { tellMarks } from './marks.ts';
import { isClose, isWhole } from './plan.ts';
import { countsAfter, saveFolder } from './progress.ts';
import { beginFolder, forgiveFolder } from './suspect.ts';
import { atServer, type Syncing } from './syncing.ts';

/** Reads a folder: new mail upwards from the last known UID, older mail downwards from the newest. */

export interface Read {
  folder: MailFolder;
  /** False when the time was up. */
  done: boolean;
}

/** Messages that are asked for together. */
const SOME = 200;

const within = (uids: number[], from: number, below: number) =>
  uids.filter((uid) => uid >= from && uid < below);

/** What the server has of these UIDs, ascending; a server may answer with its last message whatever was asked. */
export async function servedAmong(
  { store }: Syncing,
  folder: MailFolder,
  uids: readonly number[],
): Promise<ServedCopy[]> {
  const [from, to] = [uids[0], uids.at(-1)];
  if (from === undefined || to === undefined) return [];
  const wanted = new Set(uids);
  const served = await atServer(store.copies(folder, { from, to }));
  return served.filter(({ uid }) => wanted.has(uid));
}

/** Those that follow the last known one, below `end`. */
async function nextServed({ store }: Syncing, folder: MailFolder, end: number): Promise<ServedCopy[]> {
  const from = folder.uidnext;
  if (isClose(from, end)) {
    const served = await atServer(store.copies(folder, { from, to: end - 1 }));
    return served.filter(({ uid }) => uid >= from && uid < end);
  }
  const uids = within(await atServer(store.uids(folder)), from, end).slice(0, SOME);
  const [first, last] = [uids[0], uids.at(-1)];
  if (first === undefined || last === undefined) return [];
  return atServer(store.copies(folder, { from: first, to: last }));
}

/** Asks a server for the marks of all messages: the lowest MODSEQ (RFC 7162, 3.1). */
const OF_ALL = '1';

/** Marks that have to wait are asked for again. */
async function followMarks(sync: Syncing, { modseq }: MailFolder, served: ServedCopy[], copies: MailCopy[]) {
  const isTold = await tellMarks(sync, served, new Map(copies.map((copy) => [copy.uid, copy])));
  return isTold || modseq === null ? {} : { modseq: OF_ALL };
}

interface Begun extends TakenBatch {
  begun: MailFolder;
  /** What else changes of the folder. */
  marks: Pick<Partial<MailFolder>, 'modseq'>;
}

/** Takes a batch over; what stops it is remembered with the folder. */
export async function takeBatch(
  sync: Syncing,
  folder: MailFolder,
  served: ServedCopy[],
  again = false,
): Promise<Begun> {
  const { table } = sync.ctx;
  const begun = await beginFolder(table, folder);
  try {
    const batch = new CopyBatch(sync, begun, await sync.arrival());
    const taken = await batch.take(served, { again });
    return { begun, ...taken, marks: await followMarks(sync, folder, served, taken.copies) };
  } catch (error) {
    await forgiveFolder(table, begun, error).catch((cause: unknown) =>
      getLogger().warn('folder stays suspect', { error: describeError(cause) }),
    );
    throw error;
  }
}

export async function readNew(
  sync: Syncing,
  start: MailFolder,
  { uidnext: end }: FolderState,
): Promise<Read> {
  let folder = start;
  while (folder.uidnext < end) {
    if (sync.timeIsUp()) return { folder, done: false };
    const served = await nextServed(sync, folder, end);
    if (served.length === 0) {
      folder = await saveFolder(sync.ctx.table, folder, { uidnext: end });
      break;
    }
    const taken = await takeBatch(sync, folder, served);
    const rest = taken.last !== served.at(-1)?.uid || served.length >= SOME;
    const uidnext = rest ? taken.last + 1 : end;
    const changes = { uidnext, ...countsAfter(folder, 1, taken.copies), ...taken.marks };
    folder = await saveFolder(sync.ctx.table, taken.begun, changes, taken.copies.length || 1);
  }
  return { folder, done: true };
}

export async function readOlder(sync: Syncing, start: MailFolder): Promise<Read> {
  let folder = start;
  if (isWhole(folder)) return { folder, done: true };
  const uids = await atServer(sync.store.uids(folder));
  while (!isWhole(folder)) {
    if (sync.timeIsUp()) return { folder, done: false };
    const some = within(uids, 1, folder.unread_below).slice(-SOME);
    const served = (await servedAmong(sync, folder, some)).reverse();
    if (served.length === 0) {
      folder = await saveFolder(sync.ctx.table, folder, { unread_below: some[0] ?? 1 });
      continue;
    }
    const taken = await takeBatch(sync, folder, served);
    const changes = { unread_below: taken.last, ...countsAfter(folder, 1, taken.copies), ...taken.marks };
    folder = await saveFolder(sync.ctx.table, taken.begun, changes, taken.copies.length || 1);
  }
  return { folder, done: true };
}
