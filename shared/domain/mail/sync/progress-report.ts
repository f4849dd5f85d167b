import type { Mailbox, MailReport, MailState } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { counted, isRead } from './plan.ts';
import type { Reading } from './reading.ts';
import { rowOf, storeReport } from './report.ts';
import type { SyncContext } from './syncing.ts';

/** What people see of how far a mailbox is read. */

export function progressOf({
  places,
  folders,
  isWhole,
}: Reading): Pick<MailState, 'backfill_percent' | 'messages_pending'> {
  let [all, here] = [0, 0];
  for (const place of places.filter(isRead)) {
    const folder = folders.get(place.id);
    if (!folder) continue;
    all += folder.messages_at_provider;
    here += Math.min(folder.messages_at_provider, counted(folder));
  }
  const percent = all === 0 ? 0 : Math.floor((100 * here) / all);
  return { backfill_percent: isWhole ? 100 : Math.min(99, percent), messages_pending: all - here };
}

/** Undefined when not all folders were counted: the report before stays. */
export async function storeProgress(
  { table, now, clock }: SyncContext,
  mailbox: Mailbox,
  { places, folders, apart, isCounted }: Reading,
): Promise<MailReport | undefined> {
  if (places.length === 0 || !isCounted) return undefined;
  const rows = places.flatMap((place) => rowOf(place, folders.get(place.id), apart.get(place.id)) ?? []);
  return storeReport(table, mailbox, rows, { from: now, to: clock() });
}
