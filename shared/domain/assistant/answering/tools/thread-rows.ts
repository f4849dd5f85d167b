import type { ThreadFilters } from '#shared/domain/mail/threads/filters.ts';
import { countThreads } from '#shared/domain/mail/threads/lists/count.ts';
import { findThreads } from '#shared/domain/mail/threads/lists/find.ts';
import { planFilters } from '#shared/domain/mail/threads/plan-filters.ts';
import { presentRows, readSurroundings } from '#shared/domain/mail/threads/present.ts';
import type { ThreadRecord } from '#shared/domain/mail/threads/schema.ts';
import type { ThreadRow } from '../views.ts';
import { give, type ToolContext } from './context.ts';
import { people, person } from './people.ts';

/** Where counting stops. */
const CAP = 1_000;

export function threadRow(
  thread: ThreadRecord,
  { awaiting, automatic }: Pick<ThreadRow, 'awaiting' | 'automatic'>,
): ThreadRow {
  const last_from = thread.last_message?.from_email_address ?? null;
  return {
    id: thread.id,
    subject: thread.subject,
    snippet: thread.snippet,
    participants: people(thread.participants),
    message_count: thread.message_count ?? 0,
    unread: !thread.read,
    flagged: thread.flagged,
    resolved: thread.resolved,
    awaiting,
    last_from: last_from === null ? null : person(thread.participants, last_from),
    automatic,
    first_sent_at: thread.first_sent_at ?? '',
    last_sent_at: thread.last_sent_at ?? '',
    tags: (thread.tags ?? []).map(({ name }) => name),
  };
}

async function planOf(ctx: ToolContext, filters: ThreadFilters) {
  const around = readSurroundings(ctx);
  return { around, plan: await planFilters({ ...ctx, tags: around.tags }, filters) };
}

type Planned = Awaited<ReturnType<typeof planOf>>;

async function rowsOf(ctx: ToolContext, { around, plan }: Planned, limit: number): Promise<ThreadRow[]> {
  const page = await findThreads(ctx, plan, { after: undefined, limit });
  const threads = await presentRows(page.rows, ctx.caller.user, ctx.now, around);
  for (const { id, participants } of threads) {
    give(ctx, 'thread', [id]);
    givePeople(ctx, participants);
  }
  return threads.map((thread, i) => {
    const { unreplied = false, last_message } = page.rows[i]?.entry ?? {};
    return threadRow(thread, { awaiting: unreplied, automatic: last_message?.automatic ?? false });
  });
}

/** Threads that the user sees, newest first. */
export async function threadRows(
  ctx: ToolContext,
  filters: ThreadFilters,
  limit: number,
): Promise<ThreadRow[]> {
  return rowsOf(ctx, await planOf(ctx, filters), limit);
}

/** The same, with their number. */
export async function searchThreads(
  ctx: ToolContext,
  filters: ThreadFilters,
  limit: number,
): Promise<{ threads: ThreadRow[]; total: number }> {
  const planned = await planOf(ctx, filters);
  const [threads, count] = await Promise.all([
    rowsOf(ctx, planned, limit),
    countThreads(ctx, planned.plan, CAP),
  ]);
  return { threads, total: count.total };
}

export function givePeople(ctx: ToolContext, participants: ThreadRecord['participants']): void {
  for (const found of Object.values(participants))
    if (found !== null && typeof found !== 'string') give(ctx, 'contact', [found.id]);
}
