import type { Asked } from '#shared/domain/assistant/answering/assistant.ts';
import type { ThreadRow } from '#shared/domain/assistant/answering/views.ts';
import { isOurSide } from './people.ts';
import type { Workspace } from './workspace.ts';

/** Threads that wait for an answer from the asker's side. */

/** As many as one search gives. */
const READ = 20;

/** No list or machine waits for an answer, and nobody does when a colleague of the asker wrote last. */
export function waits(row: ThreadRow, asked: Asked): boolean {
  if (!row.awaiting || row.automatic) return false;
  const among = row.participants.every((each) => isOurSide(each, asked));
  return among || row.last_from === null || !isOurSide(row.last_from, asked);
}

/** Newest first. `unseen` is the number of candidates beyond those that were read. */
export async function waitingThreads(
  filters: object,
  workspace: Workspace,
): Promise<{ threads: ThreadRow[]; unseen: number }> {
  const { threads, total } = await workspace.threads({ ...filters, awaiting: true, limit: READ });
  return {
    threads: threads.filter((row) => waits(row, workspace.asked)),
    unseen: total - threads.length,
  };
}
