import type { OwedEvent } from '#shared/domain/calendar/calendar-events/at-server.ts';
import { CredentialsRefused } from '#shared/domain/calendar/servers/server.ts';
import { keys } from '#shared/table/keys.ts';
import { followed } from './run.ts';
import { ServerFailed, type SyncContext } from './syncing.ts';
import { writeEvent } from './write-event.ts';

/** Writes one event to its server as soon as it changed. What does not succeed waits for the next reading of the mailbox. */
export async function writeOwed(
  ctx: SyncContext,
  { job_id, event_id, ...body }: { job_id: string; account_id: string; mailbox_id: string; event_id: string },
): Promise<void> {
  const owed = await ctx.table.get<OwedEvent>(keys.owedEvent(body.mailbox_id, event_id));
  try {
    const found = owed && (await followed(ctx, body, () => false));
    if (found) await writeEvent(found.sync, owed);
  } catch (error) {
    // A server that is away is no failure of the service: the note says what is owed.
    if (!(error instanceof ServerFailed || error instanceof CredentialsRefused)) throw error;
  }
  await ctx.table.delete(keys.job(job_id));
}
