import { begun } from '#shared/begun.ts';
import { listProposalIds } from '#shared/domain/assistant/proposals/list.ts';
import { EventList } from '#shared/domain/calendar/calendar-events/find.ts';
import { presentEvents } from '#shared/domain/calendar/calendar-events/present.ts';
import { windowOf } from '#shared/domain/calendar/calendar-events/window.ts';
import { countNewAndUnread } from '#shared/domain/collaboration/notifications/count-new.ts';
import { countRecords } from '#shared/domain/collaboration/record-lists/count.ts';
import type { KnowsContacts } from '#shared/domain/collaboration/records/contact-book.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import type { ShowsReplies } from '#shared/domain/collaboration/replies/present.ts';
import { countPending } from '#shared/domain/collaboration/share-requests/list.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { pipelineTotals } from '#shared/domain/crm/deals/totals.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { listMailboxes } from '#shared/domain/mail/mailboxes/store.ts';
import { countThreads } from '#shared/domain/mail/threads/lists/count.ts';
import { planFilters } from '#shared/domain/mail/threads/plan-filters.ts';
import { ofSlice } from '#shared/domain/work/tasks/criteria.ts';
import { tasksWith } from '#shared/domain/work/tasks/store.ts';
import type { Dashboard } from './dashboard.ts';

/** The numbers of the dashboard: each is what the list with that slice has for the caller, at the same moment. */

type Ctx = CallerContext<SeesRecords & KnowsContacts & ShowsReplies>;

/** Counting stops here. */
const CAP = 1_000;

/** Events of the rest of the day. */
const EVENTS = 10;

/** By name, with what `count` says of each. */
async function each<Name extends string, T>(names: readonly Name[], count: (name: Name) => Promise<T>) {
  const counts = await Promise.all(names.map(count));
  return Object.fromEntries(names.map((name, i) => [name, counts[i]])) as Record<Name, T>;
}

const threads = (ctx: Ctx) =>
  each(['unread', 'flagged', 'unresolved', 'awaiting', 'snoozed'], async (slice) =>
    countThreads(ctx, await planFilters(ctx, { slice }), CAP),
  );

function tasks(ctx: Ctx) {
  const linked = new LinkedRecords(ctx);
  return each(['overdue', 'today', 'upcoming'], (slice) =>
    countRecords(ctx, tasksWith(ctx, [ofSlice(slice, ctx)], linked), CAP),
  );
}

/** What is not over today. */
async function events(ctx: Ctx) {
  const now = ctx.now.getTime();
  const tags = begun(tagDictionary(ctx.table, ctx.caller.account.id));
  const list = new EventList(ctx, windowOf({ slice: 'today', starts_after: now }, ctx, now), []);
  return presentEvents(ctx, await list.first(EVENTS), tags);
}

async function pendingProposals({ table, caller, now }: Ctx) {
  return (await listProposalIds(table, caller.user.id, { status: 'pending' }, now)).length;
}

async function mailboxes(ctx: Ctx) {
  const found = await listMailboxes(ctx);
  return found.map(({ id, email_address, status }) => ({ id, email_address, status }));
}

export async function readDashboard(ctx: Ctx): Promise<Dashboard> {
  const [inThreads, inTasks, today, deals, notifications, pending_count, requested, ofUser] =
    await Promise.all([
      threads(ctx),
      tasks(ctx),
      events(ctx),
      pipelineTotals(ctx),
      countNewAndUnread(ctx.table, ctx.caller.user.id),
      pendingProposals(ctx),
      countPending(ctx),
      mailboxes(ctx),
    ]);
  return {
    threads: inThreads,
    tasks: inTasks,
    calendar_events: today,
    deals,
    notifications,
    proposals: { pending_count },
    share_requests: { pending_count: requested },
    mailboxes: ofUser,
    generated_at: ctx.now.toISOString(),
  };
}
