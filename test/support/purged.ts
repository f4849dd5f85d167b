import { queues } from '#shared/queues/queues.ts';
import { handler as doDueWork } from '../../functions/queues/do-due-work.ts';
import { handler as indexThreads } from '../../functions/queues/index-threads.ts';
import { handler as removeFiles } from '../../functions/queues/remove-files.ts';
import { handler as removeRecords } from '../../functions/queues/remove-records.ts';
import { handler as sortTexts } from '../../functions/queues/sort-texts.ts';
import { deliverMessages, openJobs } from './jobs.ts';
import type { Workspace } from './workspace.ts';

/** Does what is due by now, and what follows from it. Jobs for later are delivered when the clock says so. */
export async function doWhatIsDue({ table, ctx }: Workspace): Promise<void> {
  await doDueWork();
  for (const [queue, handler] of [
    ['index-threads', indexThreads],
    ['remove-files', removeFiles],
    ['remove-records', removeRecords],
    ['remove-files', removeFiles],
    ['sort-texts', sortTexts],
  ] as const) {
    // A message that was sent at once is delivered a little later.
    const soon = ctx.clock().getTime() + 3_600_000;
    const jobs = (await openJobs(table, queue)).filter(({ due }) => due <= soon);
    await deliverMessages(
      handler,
      jobs.map(({ id, body }) => ({ job_id: id, ...body })),
      queues[queue].timeout * 1_000 - 10_000,
    );
  }
}
