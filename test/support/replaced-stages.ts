import { moveReplacedDeals } from '#shared/domain/crm/deals/move-replaced.ts';
import type { ReplacedStage } from '#shared/domain/crm/pipelines/stages/delete.ts';
import { openJobs } from './jobs.ts';
import type { Workspace } from './workspace.ts';

/** Runs the worker of the queue once for each job. */
export async function runMoves({ ctx, table }: Workspace, timeIsUp = () => false): Promise<void> {
  for (const { id, body } of await openJobs(table, 'move-deals'))
    await moveReplacedDeals(ctx, id, body as unknown as ReplacedStage, timeIsUp);
}
