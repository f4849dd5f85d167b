import { mapAtOnce } from '#shared/at-once.ts';
import { asOfNow, type Context } from '#shared/context.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { DUE_SHARDS, keys, timeRank } from '#shared/table/keys.ts';
import type { QueryPage, Table } from '#shared/table/table.ts';
import type { DueWork, Work } from './due.ts';

/** Does the work on records that is due, whoever runs it and how often: each work sees to it that it is done once. */

/** Milliseconds of one run; its function is ended some time later. */
const RUN_TIME = 40_000;
const PAGE = 100;
const AT_ONCE = 10;

/** Each takes what was written for its work, which may have more than the others. */
export type DueWorkers<Ports extends object> = Record<
  Work,
  (ctx: Context<Ports>, due: never) => Promise<void>
>;

/** What of the shard is due at this moment or was earlier, the earliest first. */
async function* dueAt(table: Table, shard: number, moment: number): AsyncGenerator<DueWork[]> {
  const { PK, SK } = keys.dueShard(shard);
  let after: Record<string, unknown> | undefined;
  do {
    const page: QueryPage<DueWork> = await table.query<DueWork>({
      partition: PK,
      // "~" sorts after every record.
      sort: { from: SK, to: `${SK}${timeRank(moment)}~` },
      limit: PAGE,
      after,
    });
    yield page.items;
    after = page.last;
  } while (after);
}

/** Whether it succeeded: the others do not wait for it, and the next run tries it again. */
async function attempt<Ports extends object>(
  ctx: Context<Ports>,
  workers: DueWorkers<Ports>,
  due: DueWork,
): Promise<boolean> {
  try {
    await workers[due.work](asOfNow(ctx), due as never);
    return true;
  } catch (error) {
    const { work, record_type, record_id } = due;
    getLogger().error('due work left to the next run', {
      ...{ work, record_type, record_id },
      error: describeError(error),
    });
    return false;
  }
}

/** Does all that is due, as far as the time of a run goes. Throws when something failed. */
export async function doDueWork<Ports extends object>(
  ctx: Context<Ports>,
  workers: DueWorkers<Ports>,
): Promise<void> {
  const start = ctx.now.getTime();
  const timeIsUp = () => ctx.clock().getTime() - start > RUN_TIME;
  let failed = 0;
  for (let shard = 0; shard < DUE_SHARDS; shard++)
    for await (const page of dueAt(ctx.table, shard, start)) {
      const done = await mapAtOnce(page, AT_ONCE, (due) => attempt(ctx, workers, due));
      failed += done.filter((each) => !each).length;
      if (timeIsUp()) break;
    }
  if (failed > 0) throw new Error(`${failed} times due work failed`);
}
