import { type Taken, type Target, takeMessage } from '#shared/domain/mail/arriving/take.ts';
import { MAX_MESSAGE } from '#shared/domain/mail/mime/limits.ts';
import { parseMessage } from '#shared/domain/mail/mime/parse.ts';
import type { ServedCopy } from '#shared/domain/mail/servers/server.ts';
import type { Message } from '#shared/domain/mail/threads/thread.ts';
import { getLogger } from '#shared/log.ts';
import type { Write } from '#shared/table/table.ts';
import { copyKey, type MailCopy, sourceOfCopy } from './copy.ts';
import type { MailFolder } from './folder.ts';
import { isBefore, nextAttempt } from './plan.ts';
import { atServer, ServerFailed, type Syncing } from './syncing.ts';

/** Takes one message at a server over, and tells what is known of its copy from then on. */

function copyOf({ id: folder_id, account_id, mailbox_id, uidvalidity }: MailFolder, served: ServedCopy) {
  const { uid, seen, flagged } = served;
  const place = { folder_id, uidvalidity, uid };
  return { ...copyKey(place), account_id, mailbox_id, ...place, seen, flagged };
}

const notHere = { message_id: null, id_hash: null };

/** The message is not read: a draft, or older than the mailbox begins. */
export function leftOut({ mailbox }: Syncing, folder: MailFolder, served: ServedCopy): MailCopy | undefined {
  const { draft, received_at } = served;
  const left = { ...copyOf(folder, served), ...notHere, outcome: 'skipped' as const };
  if (draft) return left;
  if (!isBefore(mailbox.backfill_from, received_at)) return undefined;
  return { ...left, received_at: received_at?.toISOString() ?? '' };
}

/** What people know a message by that could not be taken over. */
async function namesOf(raw: Uint8Array | undefined) {
  const parsed = raw && (await parseMessage(raw.subarray(0, MAX_MESSAGE)).catch(() => undefined));
  return { rfc_id: parsed?.rfc_id ?? null, subject: parsed?.subject ?? null };
}

export interface Refused {
  reason: string;
  raw?: Uint8Array;
}

/** `before` is the copy that could not be taken over earlier. */
export async function failedCopy(
  { ctx, mailbox }: Syncing,
  folder: MailFolder,
  served: ServedCopy,
  { reason, raw }: Refused,
  before?: MailCopy,
): Promise<MailCopy> {
  const now = ctx.clock();
  const attempts = (before?.failure?.attempts ?? 0) + 1;
  getLogger().warn('mail not read', {
    mailbox_id: mailbox.id,
    folder_id: folder.id,
    uid: served.uid,
    reason,
  });
  return {
    ...{ ...copyOf(folder, served), ...notHere, outcome: 'failed' },
    failure: {
      ...{ failed_at: now.toISOString(), ...(await namesOf(raw)), reason },
      ...{ attempts, next_attempt_at: nextAttempt(attempts, now) },
    },
  };
}

export interface TakenCopy {
  taken: Taken;
  copy: MailCopy;
}

/** Marks of the owner count from the server, never from lines in the mail, which its sender may have written. */
const knownOf = ({ mailbox }: Syncing, { seen, flagged, received_at }: ServedCopy) => ({
  ...{ read: mailbox.label_sync && seen, starred: mailbox.label_sync && flagged, category: null },
  ...(received_at ? { received_at: received_at.toISOString() } : {}),
});

/** Undefined for a message that is gone at the server. `Error`: the server cannot tell it. */
export async function readCopy(
  { store }: Syncing,
  { path, uidvalidity }: MailFolder,
  { uid }: ServedCopy,
): Promise<Uint8Array | undefined | ServerFailed> {
  try {
    return await atServer(store.read({ path, uidvalidity }, uid, MAX_MESSAGE));
  } catch (error) {
    if (error instanceof ServerFailed) return error;
    throw error;
  }
}

/** Of more than 25 MB, `raw` is the beginning. */
export async function takeCopy(
  sync: Syncing,
  target: Target,
  folder: MailFolder,
  { served, raw, before }: { served: ServedCopy; raw: Uint8Array; before: MailCopy | undefined },
): Promise<TakenCopy> {
  const source = sourceOfCopy(copyOf(folder, served));
  const partial = served.size > MAX_MESSAGE || raw.length >= MAX_MESSAGE;
  const known = knownOf(sync, served);
  // Otherwise nobody would know a message that is gone at the server before the next worker comes.
  const noting = ({ id: message_id, id_hash }: Pick<Message, 'id' | 'id_hash'>): Write[] => [
    { put: { ...before, ...copyOf(folder, served), outcome: 'begun', message_id, id_hash } },
  ];
  const taken = await takeMessage(target, { raw, envelope_date: null, source, partial, known, noting });
  if ('failed' in taken) {
    const { reason } = taken.failed;
    return { taken, copy: await failedCopy(sync, folder, served, { reason, raw }, before) };
  }
  const { message_id, id_hash } = taken;
  // What is in another folder as well is counted there.
  const outcome = folder.role === 'all' && taken.outcome === 'skipped' ? 'skipped' : 'imported';
  return { taken, copy: { ...copyOf(folder, served), outcome, message_id, id_hash } };
}
