import { marksChanged } from '#shared/domain/mail/label-sync/incoming.ts';
import type { FolderState, ServedCopy } from '#shared/domain/mail/servers/server.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { copiesAt } from './copies.ts';
import type { MailCopy } from './copy.ts';
import type { MailFolder } from './folder.ts';
import { flagsDiffer } from './plan.ts';
import { atServer, type Syncing } from './syncing.ts';

/** Marks that were changed at the server. */

const isMarked = ({ message_id, outcome }: MailCopy) => message_id !== null && outcome !== 'begun';

/** Hands on what differs from what is known. False when that has to wait, as marks of this side are on their way. */
export async function tellMarks(
  { ctx, mailbox }: Syncing,
  served: Iterable<ServedCopy>,
  known: ReadonlyMap<number, MailCopy>,
): Promise<boolean> {
  const changed = [...served].flatMap((each) => {
    const copy = known.get(each.uid);
    return copy && isMarked(copy) && flagsDiffer(copy, each) ? [{ copy, served: each }] : [];
  });
  if (changed.length === 0) return true;
  try {
    await marksChanged(ctx, mailbox, changed);
    return true;
  } catch (error) {
    if (!(error instanceof TryLater)) throw error;
    getLogger().info('marks wait', { mailbox_id: mailbox.id, error: describeError(error) });
    return false;
  }
}

/** What was marked otherwise since the folder was last asked. False when it has to be asked again. */
export async function readMarks(
  sync: Syncing,
  folder: MailFolder,
  { modseq }: FolderState,
): Promise<boolean> {
  if (folder.modseq === null || modseq === null || folder.modseq === modseq) return true;
  const to = folder.uidnext - 1;
  if (to < 1) return true;
  const changed = await atServer(sync.store.copies(folder, { from: 1, to }, folder.modseq));
  const uids = changed.map(({ uid }) => uid);
  return tellMarks(sync, changed, await copiesAt(sync.ctx.table, folder, uids));
}
