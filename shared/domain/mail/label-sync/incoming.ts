import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import type { ServedCopy } from '#shared/domain/mail/servers/server.ts';
import { type MailCopy, nameOfCopy } from '#shared/domain/mail/sync/copy.ts';
import type { Table } from '#shared/table/table.ts';
import { applyLabels, type Following } from './apply.ts';
import { copiesOfMessages, noteMarks } from './copies.ts';
import { labelsAtServers, threadsOf } from './thread-labels.ts';

/**
 * Takes over what the owner of a mailbox changed at its server. What is owed to the server goes out first. Nobody else's
 * marks change, and nothing is owed to the server for it.
 */

/** A copy as it was known, and as the server has it now. */
export interface ChangedCopy {
  copy: MailCopy;
  served: ServedCopy;
}

const isSame = (a: Pick<MailCopy, 'seen' | 'flagged'>, b: typeof a) =>
  a.seen === b.seen && a.flagged === b.flagged;

/** What the service wrote itself since the server was read is no change of the server. */
async function unnoted(table: Table, mailbox: Mailbox, changed: ChangedCopy[]): Promise<ChangedCopy[]> {
  const ids = changed.flatMap(({ copy }) => copy.message_id ?? []);
  const known = [...(await copiesOfMessages(table, mailbox.id, [...new Set(ids)])).values()].flat();
  return changed.filter(({ copy, served }) =>
    known.some(
      (each) => nameOfCopy(each) === nameOfCopy(copy) && each.noted === copy.noted && !isSame(each, served),
    ),
  );
}

async function followThread(ctx: Following, mailbox: Mailbox, thread_id: string, changed: ChangedCopy[]) {
  const { user_id } = mailbox;
  let now: ChangedCopy[] = [];
  await applyLabels(ctx, user_id, thread_id, async () => {
    now = await unnoted(ctx.table, mailbox, changed);
    const served = new Map(now.map((each) => [nameOfCopy(each.copy), each.served]));
    const asServed = (copy: MailCopy) => {
      const { seen, flagged } = served.get(nameOfCopy(copy)) ?? copy;
      return { ...copy, seen, flagged };
    };
    const [{ read, flagged } = {}] = await labelsAtServers(ctx, mailbox, thread_id, (all) => [
      all.map(asServed),
    ]);
    const changes = (mark: 'seen' | 'flagged') => now.some((each) => each.copy[mark] !== each.served[mark]);
    return {
      ...(changes('seen') && read !== undefined ? { read } : {}),
      ...(changes('flagged') && flagged !== undefined ? { flagged } : {}),
    };
  });
  await noteMarks(
    ctx.table,
    now.map(({ copy, served: { seen, flagged } }) => ({ copy, marks: { seen, flagged } })),
    { unchanged: true },
  );
}

/** Idempotent: a change that was taken over is noted on its copy afterwards. */
export async function marksChanged(ctx: Following, mailbox: Mailbox, changed: ChangedCopy[]): Promise<void> {
  const { table } = ctx;
  const known = changed.filter(({ copy }) => copy.message_id !== null);
  const others = changed.filter((each) => !known.includes(each));
  const threadOf = await threadsOf(
    table,
    mailbox.account_id,
    known.map(({ copy }) => copy),
  );
  const byThread = Map.groupBy(known, ({ copy }) => threadOf.get(copy.message_id as string));
  const followed = mailbox.label_sync ? [...byThread] : [];
  for (const [thread_id, some] of followed)
    if (thread_id !== undefined) await followThread(ctx, mailbox, thread_id, some);
  const unfollowed = mailbox.label_sync ? (byThread.get(undefined) ?? []) : known;
  await noteMarks(
    table,
    [...others, ...unfollowed].map(({ copy, served: { seen, flagged } }) => ({
      copy,
      marks: { seen, flagged },
    })),
    { unchanged: true },
  );
}
