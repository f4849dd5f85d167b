import { asOfNow, type Context } from '#shared/context.ts';
import { type DueWork, doneWrite, refOf } from '#shared/domain/collaboration/due/due.ts';
import { notificationsOf } from '#shared/domain/collaboration/notifications/emit.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { isActive } from '#shared/domain/identity/accounts/closed.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { keys } from '#shared/table/keys.ts';
import {
  ConditionFailed,
  type Item,
  mustNotExist,
  TRANSACTION_LIMIT,
  type Write,
} from '#shared/table/table.ts';
import { type KnowsReminders, noReminders, type Reminder } from './kind.ts';
import { waitingWrites } from './waiting.ts';

/**
 * Delivers reminders, each once, whoever runs it and how often (docs/decisions/0053). In milliseconds: one that is later
 * than `LATEST` helps nobody, and what marks it as delivered is kept for longer.
 */

type Ctx = Context<SeesRecords & KnowsReminders>;

const LATEST = 24 * 3_600_000;
const MARK_KEPT = 3 * LATEST;

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
  if (!(await isActive(ctx.table, account_id))) return;
  const told = [{ event, user_ids }];
  const occurrence = { account_id, record, about: { reminder: about }, actor_id: null, told };
  const { writes, jobs } = await notificationsOf(ctx, occurrence, TRANSACTION_LIMIT - 1);
  if (writes.length + jobs.length === 0) return;
  await unlessFaster(commit(ctx, { writes: [...writes, onlyOnce(reminder, ctx.now)], jobs }));
}

/** Delivers what is due of a record, and lets it wait for the next. */
export async function remind(ctx: Ctx, waiting: DueWork): Promise<void> {
  const { type, id } = refOf(waiting);
  const { at } = waiting;
  const to = ctx.now.getTime();
  const span = { from: Math.max(at, to - LATEST), to };
  const { due, next } = (await ctx.ports.reminders[type]?.(ctx.table, id, span)) ?? noReminders;
  for (const reminder of due) await deliver(asOfNow(ctx), reminder);
  await unlessFaster(
    ctx.table.transact([
      doneWrite(waiting),
      ...waitingWrites({ type, id }, { before: undefined, after: next }, ctx.now),
    ]),
  );
}
