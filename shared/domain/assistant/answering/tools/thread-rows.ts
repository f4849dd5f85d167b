import type { ThreadFilters } from '#shared/domain/mail/threads/filters.ts';
import { countThreads } from '#shared/domain/mail/threads/lists/count.ts';
import { findThreads } from '#shared/domain/mail/threads/lists/find.ts';
import { planFilters } from '#shared/domain/mail/threads/plan-filters.ts';
import { presentRows, readSurroundings } from '#shared/domain/mail/threads/present.ts';
import type { ThreadRecord } from '#shared/domain/mail/threads/record.ts';
import type { ThreadRow } from '#shared/providers/assistant/views.ts';
import { give, type ToolContext } from './context.ts';
import { people } from './people.ts';

/** Where counting stops. */
const CAP = 1_000;

export function threadRow(thread: ThreadRecord, awaiting: boolean): ThreadRow {
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
    first_sent_at: thread.first_sent_at ?? '',
    last_sent_at: thread.last_sent_at ?? '',
    tags: (thread.tags ?? []).map(({ name }) => name),
  };
}

async function planOf({ services, caller, now }: ToolContext, filters: ThreadFilters) {
  const around = readSurroundings(services, caller);
  return { around, plan: await planFilters({ services, caller, now, tags: around.tags }, filters) };
}

type Planned = Awaited<ReturnType<typeof planOf>>;

async function rowsOf(context: ToolContext, { around, plan }: Planned, limit: number): Promise<ThreadRow[]> {
  const { services, caller, now } = context;
  const page = await findThreads(services.table, caller, plan, { after: undefined, limit });
  const threads = await presentRows(page.rows, caller.user, now, around);
  for (const { id, participants } of threads) {
    give(context, 'thread', [id]);
    givePeople(context, participants);
  }
  return threads.map((thread, i) => threadRow(thread, page.rows[i]?.entry.unreplied ?? false));
}

/** Threads that the user sees, newest first. */
export async function threadRows(
  context: ToolContext,
  filters: ThreadFilters,
  limit: number,
): Promise<ThreadRow[]> {
  return rowsOf(context, await planOf(context, filters), limit);
}

/** The same, and how many there are. */
export async function searchThreads(
  context: ToolContext,
  filters: ThreadFilters,
  limit: number,
): Promise<{ threads: ThreadRow[]; total: number }> {
  const planned = await planOf(context, filters);
  const { services, caller } = context;
  const [threads, count] = await Promise.all([
    rowsOf(context, planned, limit),
    countThreads(services.table, caller, planned.plan, CAP),
  ]);
  return { threads, total: count.total };
}

export function givePeople(context: ToolContext, participants: ThreadRecord['participants']): void {
  for (const found of Object.values(participants))
    if (found !== null && typeof found !== 'string') give(context, 'contact', [found.id]);
}
