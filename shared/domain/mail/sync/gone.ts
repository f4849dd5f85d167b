import { mapAtOnce } from '#shared/at-once.ts';
import { copiesLost } from '#shared/domain/mail/label-sync/lost.ts';
import { type MessageName, withdraw } from '#shared/domain/mail/threads/withdraw.ts';
import { copiesOfMessage, removeCopies } from './copies.ts';
import { type MailCopy, nameOfCopy } from './copy.ts';
import type { MailFolder } from './folder.ts';
import { countsAfter, saveFolder } from './progress.ts';
import type { Syncing } from './syncing.ts';

/** Forgets copies that the server no longer has, once all of its folders were read: a move shows first as a loss. */

const SOME = 100;
const AT_ONCE = 10;

/** Takes those of the messages out of the mailbox that no other copy is left of. */
async function withdrawLost(
  { ctx, mailbox, arrival }: Syncing,
  messages: MessageName[],
  gone: ReadonlySet<string>,
): Promise<void> {
  const left = await mapAtOnce(messages, AT_ONCE, async ({ id }) => {
    const copies = await copiesOfMessage(ctx.table, mailbox.id, id);
    return copies.every((copy) => gone.has(nameOfCopy(copy)));
  });
  const lost = messages.filter((_, i) => left[i]);
  if (lost.length > 0) await withdraw((await arrival()).target.ingestion, mailbox, lost);
}

export function messagesOf(copies: MailCopy[]): MessageName[] {
  const named = copies.flatMap(({ message_id: id, id_hash }) =>
    id === null || id_hash === null ? [] : [[id, { id, id_hash }] as const],
  );
  return [...new Map(named).values()];
}

/** The messages first: an interrupted run finds the same copies again. `lost` are messages whose copies went before. */
export async function forgetCopies(sync: Syncing, gone: MailCopy[], lost: MessageName[]): Promise<void> {
  const names = new Set(gone.map(nameOfCopy));
  await copiesLost(sync.ctx, sync.mailbox, gone);
  for (let i = 0; i < gone.length; i += SOME) {
    const some = gone.slice(i, i + SOME);
    await withdrawLost(sync, messagesOf(some), names);
    await removeCopies(sync.ctx.table, some);
  }
  await withdrawLost(sync, lost, names);
}

/** The folder without them. */
export function withoutCounts(sync: Syncing, folder: MailFolder, gone: MailCopy[]): Promise<MailFolder> {
  const own = gone.filter(({ uidvalidity }) => uidvalidity === folder.uidvalidity);
  return saveFolder(
    sync.ctx.table,
    folder,
    {
      ...countsAfter(folder, -1, own),
      compared_at: sync.started.toISOString(),
    },
    1,
  );
}
