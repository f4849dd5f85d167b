import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import type {
  FolderRole,
  FolderState,
  ServedCopy,
  ServedFolder,
} from '#shared/domain/mail/servers/server.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { MailCopy } from './copy.ts';
import type { MailFolder } from './folder.ts';

/** What is to be read, from what the server has and what is known here. */

/** Folders that are not in threads. */
const APART: readonly (FolderRole | null)[] = ['spam', 'trash', 'drafts'];

export const isRead = ({ role }: Pick<ServedFolder, 'role'>) => !APART.includes(role);

/** More than anybody has; the others are not read. */
export const MOST_FOLDERS = 10_000;

const FIRST: readonly (FolderRole | null)[] = ['inbox', 'sent'];

/** What was written to the user first; a folder of all mail last, when only what is in no other one is new. */
function rankOf({ role }: ServedFolder): number {
  if (role === 'all') return FIRST.length + 1;
  return FIRST.includes(role) ? FIRST.indexOf(role) : FIRST.length;
}

/** A folder in the order of reading, with its id here. */
export type Place = ServedFolder & { id: string };

/** A renamed folder stays the same when its server knows it by an id. An id that several claim says nothing. */
export function placesOf(mailbox_id: string, served: ServedFolder[]): Place[] {
  const claims = Map.groupBy(served, ({ server_id }) => server_id);
  const idOf = ({ server_id, path }: ServedFolder) =>
    server_id !== null && claims.get(server_id)?.length === 1
      ? idFrom('mail folder', mailbox_id, 'server id', server_id)
      : idFrom('mail folder', mailbox_id, 'path', path);
  const byId = new Map(served.map((each) => [idOf(each), { ...each, id: idOf(each) }]));
  return [...byId.values()]
    .sort((a, b) => rankOf(a) - rankOf(b) || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_FOLDERS);
}

/** Folders beyond these are looked at in turn, so that a run of nothing new stays short. */
const EACH_TIME = 100;

/** Those of this round. */
export function ofRound(places: Place[], round: number): Place[] {
  const rounds = Math.ceil(Math.max(0, places.length - EACH_TIME) / EACH_TIME);
  return places.filter((_, i) => i < EACH_TIME || (i - EACH_TIME) % rounds === round % rounds);
}

const noCounts = { messages_imported: 0, messages_skipped: 0, messages_failed: 0 };

/** A folder that is not known yet, or whose UIDs name other messages now: all of it is to be read, the newest first. */
export function newFolder(
  { id: mailbox_id, account_id }: Pick<Mailbox, 'id' | 'account_id'>,
  { id, path, role, server_id }: Place,
  { uidvalidity, uidnext, modseq, messages }: FolderState,
): MailFolder {
  return {
    ...keys.mailFolder(mailbox_id, id),
    ...{ id, account_id, mailbox_id, path, role, server_id },
    ...{ uidvalidity, uidnext, modseq, unread_below: messages === 0 ? 1 : uidnext },
    ...{ messages_at_provider: messages, ...noCounts },
  };
}

export const counted = ({ messages_imported, messages_skipped, messages_failed }: MailFolder) =>
  messages_imported + messages_skipped + messages_failed;

/** Whether the first reading of the folder is over. */
export const isWhole = ({ unread_below }: MailFolder) => unread_below <= 1;

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;
/** The more copies, the more it costs to compare them: some seconds for a hundred, at most so long. */
const LONGEST_WAIT = 1_800 * SECOND;
const waitOf = (folder: MailFolder) => Math.min(LONGEST_WAIT, counted(folder) * (SECOND / 10));

/**
 * Whether all UIDs of a folder are compared with the copies here: each day, when somebody asks for it, and when the counts
 * differ or the server tells no changes of flags.
 */
export function isToCompare(
  folder: MailFolder,
  { compare_after, now }: { compare_after: string | undefined; now: Date },
): boolean {
  if (!isWhole(folder)) return false;
  const { compared_at, modseq, messages_at_provider, tries = 0 } = folder;
  // A worker that died may have begun what is gone by now.
  if (compared_at === undefined || tries > 0) return true;
  const since = now.getTime() - Date.parse(compared_at);
  if (since >= DAY || (compare_after !== undefined && compared_at < compare_after)) return true;
  const differs = counted(folder) !== messages_at_provider || modseq === null;
  return differs && since >= waitOf(folder);
}

/** Attempts on a message that cannot be read, each a day and then longer after the one before. */
const ATTEMPTS = 5;

export const nextAttempt = (attempts: number, now: Date): string | null =>
  attempts >= ATTEMPTS ? null : new Date(now.getTime() + DAY * 2 ** (attempts - 1)).toISOString();

/** Whether a message is too old for the mailbox. */
export const isBefore = (from: string | null | undefined, received_at: Date | null): boolean =>
  from != null && received_at !== null && received_at.getTime() < Date.parse(from);

/** Whether a copy that was not imported is tried again. */
export function isToTryAgain(
  { outcome, received_at, failure }: MailCopy,
  { backfill_from, all, now }: { backfill_from: string | null | undefined; all: boolean; now: Date },
): boolean {
  if (outcome === 'skipped' && received_at !== undefined)
    return !isBefore(backfill_from, new Date(received_at));
  if (outcome !== 'failed') return false;
  // Not what this run has just tried.
  if (all && (failure?.failed_at ?? '') < now.toISOString()) return true;
  const next = failure?.next_attempt_at ?? null;
  return next !== null && next <= now.toISOString();
}

/** UIDs that are asked for one by one, when there are gaps between them. */
const CLOSE = 1_000;

/** Whether a range of UIDs is short enough to ask for it without knowing which there are. */
export const isClose = (from: number, to: number) => to - from <= CLOSE;

export const flagsDiffer = (copy: MailCopy, { seen, flagged }: ServedCopy) =>
  copy.seen !== seen || copy.flagged !== flagged;
