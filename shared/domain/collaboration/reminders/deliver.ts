import { mapAtOnce } from '#shared/at-once.ts';
import { asOfNow, type Context } from '#shared/context.ts';
import { notificationsOf } from '#shared/domain/collaboration/notifications/emit.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { keyOf, keys, REMINDER_SHARDS, timeRank } from '#shared/table/keys.ts';
import {
  ConditionFailed,
  type Item,
  mustNotExist,
  type QueryPage,
  type Table,
  TRANSACTION_LIMIT,
  type Write,
  when,
} from '#shared/table/table.ts';
import { type KnowsReminders, noReminders, type Reminder } from './kind.ts';
import { type WaitingReminder, waitingWrites } from './waiting.ts';

/**
 * Delivers reminders, each once, whoever runs it and how often (docs/decisions/0053). In milliseconds: one that is later
 * than `LATEST` helps nobody, and what marks it as delivered is kept for longer.
 */

type Ctx = Context<SeesRecords & KnowsReminders>;

const LATEST = 24 * 3_600_000;
const MARK_KEPT = 3 * LATEST;

/** Milliseconds of one run; its function is ended some time later. */
const RUN_TIME = 40_000;
const PAGE = 100;
const AT_ONCE = 10;

type Reminded = Item & { expires_epoch: number };

/** Fails when it was delivered before. */
function onlyOnce({ record, at }: Reminder, now: Date): Write {
  const expires_epoch = Math.ceil((now.getTime() + MARK_KEPT) / 1_000);
  const put: Reminded = { ...keys.reminded(record.type, record.id, at), expires_epoch };
  return { put, when: mustNotExist };
}

/** Nothing at all, when it was delivered before. */
async function unlessFaster(write: Promise<void>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

async function deliver(ctx: Ctx, reminder: Reminder): Promise<void> {
  const { account_id, record, event, user_ids, about } = reminder;
  const told = [{ event, user_ids }];
  const occurrence = { account_id, record, about: { reminder: about }, actor_id: null, told };
  const { writes, jobs } = await notificationsOf(ctx, occurrence, TRANSACTION_LIMIT - 1);
  if (writes.length + jobs.length === 0) return;
  // Nobody sends these jobs: the next sweep does.
  const all = [...writes, ...jobs.map(enqueue), onlyOnce(reminder, ctx.now)];
  await unlessFaster(ctx.table.transact(all));
}

/** Delivers what is due of a record, and lets it wait for the next. */
async function remind(ctx: Ctx, waiting: WaitingReminder): Promise<void> {
  const { record_type: type, record_id: id, at } = waiting;
  const to = ctx.now.getTime();
  const span = { from: Math.max(at, to - LATEST), to };
  const { due, next } = (await ctx.ports.reminders[type]?.(ctx.table, id, span)) ?? noReminders;
  for (const reminder of due) await deliver(asOfNow(ctx), reminder);
  await unlessFaster(
    ctx.table.transact([
      // Not when a change of the record has written it again since.
      { delete: keyOf(waiting), when: when<WaitingReminder>({ version: waiting.version }) },
      ...waitingWrites({ type, id }, { before: undefined, after: next }, ctx.now),
    ]),
  );
}

/** Those of the shard that wait for this moment or an earlier one, the earliest first. */
async function* waitingSince(table: Table, shard: number, moment: number): AsyncGenerator<WaitingReminder[]> {
  const { PK, SK } = keys.reminderShard(shard);
  let after: Record<string, unknown> | undefined;
  do {
    const page: QueryPage<WaitingReminder> = await table.query<WaitingReminder>({
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
async function attempt(ctx: Ctx, waiting: WaitingReminder): Promise<boolean> {
  try {
    await remind(asOfNow(ctx), waiting);
    return true;
  } catch (error) {
    const { record_type, record_id } = waiting;
    getLogger().error('reminder left to the next run', {
      record_type,
      record_id,
      error: describeError(error),
    });
    return false;
  }
}

/** Delivers all reminders that are due, as far as the time of a run goes. Throws when one failed. */
export async function deliverReminders(ctx: Ctx): Promise<void> {
  const start = ctx.now.getTime();
  const timeIsUp = () => ctx.clock().getTime() - start > RUN_TIME;
  let failed = 0;
  for (let shard = 0; shard < REMINDER_SHARDS; shard++)
    for await (const page of waitingSince(ctx.table, shard, start)) {
      const done = await mapAtOnce(page, AT_ONCE, (waiting) => attempt(ctx, waiting));
      failed += done.filter((each) => !each).length;
      if (timeIsUp()) break;
    }
  if (failed > 0) throw new Error(`${failed} reminders failed`);
}
