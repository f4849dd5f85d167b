import { ALL } from '#shared/domain/collaboration/record-lists/entry.ts';
import { isPipeline } from '#shared/domain/crm/pipelines/store.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { dealStatuses } from './deal.ts';
import { dealIndex, dealLists } from './lists.ts';

/** The lists of deals in an account that have a number, and the orders that have numbers of days. */
export async function countedDealLists(
  table: Table,
  account_id: string,
  user_ids: string[],
): Promise<string[]> {
  const pipelines = (await table.all<Item>(keys.pipelineOrder(account_id).PK)).filter(isPipeline);
  return [
    ALL,
    ...Object.keys(dealIndex.counted_orders ?? {}),
    ...dealStatuses.map(dealLists.status),
    ...pipelines.flatMap(({ id, stages }) => [
      dealLists.pipeline(id),
      ...stages.map((stage) => dealLists.stage(stage.id)),
    ]),
    ...user_ids.flatMap((id) => [dealLists.mine(id), dealLists.assigned(id)]),
  ];
}
