import { mapAtOnce } from '#shared/at-once.ts';
import { asOfNow, type Context } from '#shared/context.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { DUE_SHARDS, keys, timeRank } from '#shared/table/keys.ts';
import type { QueryPage, Table } from '#shared/table/table.ts';
import type { DueWork, Work } from './due.ts';
import { beginRun, endRun, isPoison, isResting, note, unnote } from './suspect.ts';

/** Does the work on records that is due, whoever runs it and how often: each work sees to it that it is done once. */

/** Milliseconds of one run; its function is ended some time later. */
const RUN_TIME = 40_000;
const MINUTE = 60_000;
const PAGE = 100;
const AT_ONCE = 10;

/** Each takes what was written for its work, which may have more than the others. */
export type DueWorkers<Ports extends object> = Record<
  Work,
  (ctx: Context<Ports>, due: never) => Promise<void>
>;

/** What of the shard is due at this moment or was earlier, the earliest first. */
async function* dueInShard(table: Table, shard: number, moment: number): AsyncGenerator<DueWork[]> {
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
    if (page.items.length > 0) yield page.items;
    after = page.last;
  } while (after);
}

/** Of all shards. Each run begins with another one, so that much work in one does not keep the others waiting. */
async function* dueAt(table: Table, moment: number): AsyncGenerator<DueWork[]> {
  const first = Math.floor(moment / MINUTE);
  for (let i = 0; i < DUE_SHARDS; i++) yield* dueInShard(table, (first + i) % DUE_SHARDS, moment);
}

const namesOf = ({ work, record_type, record_id }: DueWork) => ({ work, record_type, record_id });

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
    getLogger().error('due work left to the next run', { ...namesOf(due), error: describeError(error) });
    return false;
  }
}

async function attemptNoted<Ports extends object>(
  ctx: Context<Ports>,
  workers: DueWorkers<Ports>,
  due: DueWork,
): Promise<boolean> {
  if (!(await note(ctx.table, due, ctx.clock()))) return true;
  const succeeded = await attempt(ctx, workers, due);
  await unnote(ctx.table, due);
  return succeeded;
}

/** It has failed for as long as it rests. */
async function attemptPoison<Ports extends object>(
  ctx: Context<Ports>,
  workers: DueWorkers<Ports>,
  due: DueWork,
): Promise<boolean> {
  if (!isResting(due, ctx.clock())) return attemptNoted(ctx, workers, due);
  getLogger().error('due work set aside', namesOf(due));
  return false;
}

/** Does all that is due, as far as the time of a run goes. Throws when something failed. */
export async function doDueWork<Ports extends object>(
  ctx: Context<Ports>,
  workers: DueWorkers<Ports>,
): Promise<void> {
  const start = ctx.now.getTime();
  const timeIsUp = () => ctx.clock().getTime() - start > RUN_TIME;
  const poison: DueWork[] = [];
  let failed = 0;
  let careful: boolean | undefined;
  try {
    for await (const page of dueAt(ctx.table, start)) {
      careful ??= await beginRun(ctx.table);
      poison.push(...page.filter(isPoison));
      const [at_once, work] = careful ? [1, attemptNoted] : [AT_ONCE, attempt];
      const others = page.filter((due) => !isPoison(due));
      const done = await mapAtOnce(others, at_once, async (due) => timeIsUp() || work(ctx, workers, due));
      failed += done.filter((each) => !each).length;
      if (timeIsUp()) break;
    }
  } finally {
    if (careful !== undefined) await endRun(ctx.table);
  }
  for (const due of poison) if (!timeIsUp() && !(await attemptPoison(ctx, workers, due))) failed++;
  if (failed > 0) throw new Error(`${failed} times due work failed`);
}
