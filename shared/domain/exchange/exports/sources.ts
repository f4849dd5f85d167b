import type * as z from 'zod';
import { eventFilters } from '#shared/domain/calendar/calendar-events/filters.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import type { Query } from '#shared/domain/collaboration/record-lists/matching.ts';
import type { KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { contactCriteria, contactFilters } from '#shared/domain/crm/contacts/filters.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { employersOfContact } from '#shared/domain/crm/contacts/policy.ts';
import { presentContacts } from '#shared/domain/crm/contacts/present.ts';
import { employersSince } from '#shared/domain/crm/contacts/recent.ts';
import { dealFilters } from '#shared/domain/crm/deals/filters.ts';
import { findDeals } from '#shared/domain/crm/deals/find.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { aroundDeals, presentDeals } from '#shared/domain/crm/deals/store.ts';
import { readAround } from '#shared/domain/crm/details/around.ts';
import { organizationCriteria, organizationFilters } from '#shared/domain/crm/organizations/filters.ts';
import { organizationIndex } from '#shared/domain/crm/organizations/lists.ts';
import { presentOrganizations } from '#shared/domain/crm/organizations/present.ts';
import { withZones } from '#shared/domain/exchange/calendars/calendar-file.ts';
import { pageOfEvents } from '#shared/domain/exchange/calendars/pages.ts';
import type { ImportableType } from '#shared/domain/exchange/records/fields.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { taskCriteria, taskFilters } from '#shared/domain/work/tasks/filters.ts';
import { tasksWith } from '#shared/domain/work/tasks/store.ts';
import { presentTasks } from '#shared/domain/work/tasks/task.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';

/** Records as the lists of their types show them to the user, page by page. */

export type ExportPorts = SeesRecords & KnowsInteractions;

export type ExportContext = CallerContext<ExportPorts>;

/** As responses have it. */
export type Shown = { id: string } & Record<string, unknown>;

export interface ShownPage {
  records: Shown[];
  /** Where the next page begins; null on the last one. */
  next: string | null;
}

interface Paging {
  limit: number;
  after: string | undefined;
}

interface Source<Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** The query parameters of the list. */
  filters: Shape;
  /** 404 for what the filters name and the user does not see. */
  page(ctx: ExportContext, filters: z.output<z.ZodObject<Shape>>, paging: Paging): Promise<ShownPage>;
}

async function found<R extends GuardedItem>(
  ctx: ExportContext,
  query: Query<R>,
  paging: Paging,
  present: (records: R[]) => Promise<object[]>,
): Promise<ShownPage> {
  const { rows, next } = await findRecords(ctx, query, paging);
  return { records: (await present(rows)) as Shown[], next };
}

/** In the order in which they were created: what is new meanwhile comes at the end. */
const inOrder = { sort: 'created_at', order: 'asc' } as const;

const contacts: Source<typeof contactFilters> = {
  filters: contactFilters,
  async page(ctx, filters, paging) {
    const around = readAround(ctx);
    const criteria = await contactCriteria(ctx, filters, around);
    return found(ctx, { index: contactIndex, criteria, ...inOrder }, paging, (rows) =>
      presentContacts(ctx, rows, around),
    );
  },
};

const organizations: Source<typeof organizationFilters> = {
  filters: organizationFilters,
  async page(ctx, filters, paging) {
    const around = readAround(ctx);
    const employersOf = (id: string) => employersOfContact(ctx, id);
    const metSince = (since: number) => employersSince(ctx, since);
    const criteria = await organizationCriteria(ctx, filters, { tags: around.tags, employersOf, metSince });
    return found(ctx, { index: organizationIndex, criteria, ...inOrder }, paging, (rows) =>
      presentOrganizations(ctx, rows, around),
    );
  },
};

const deals: Source<typeof dealFilters> = {
  filters: dealFilters,
  page: (ctx, filters, paging) =>
    retryOnConflict(() => {
      const known = aroundDeals(ctx);
      return findDeals(ctx, filters, known, (criteria) =>
        found(ctx, { index: dealIndex, criteria, ...inOrder }, paging, (rows) =>
          presentDeals(ctx, rows, known),
        ),
      );
    }),
};

const tasks: Source<typeof taskFilters> = {
  filters: taskFilters,
  async page(ctx, filters, paging) {
    const linked = new LinkedRecords(ctx);
    const criteria = await taskCriteria(ctx, filters, { linked });
    const query = { ...tasksWith(ctx, criteria, linked), order: 'asc' as const };
    return found(ctx, query, paging, (rows) => presentTasks(rows, linked));
  },
};

/** Of a page; in its place the time zones that the file has by then. */
const separator = '\n';

/** A time zone comes before the first event in it. */
const calendarEvents: Source<Pick<typeof eventFilters, 'calendar_id' | 'mailbox_id'>> = {
  filters: { calendar_id: eventFilters.calendar_id, mailbox_id: eventFilters.mailbox_id },
  async page(ctx, places, { limit, after }) {
    const [place, ...known] = after?.split(separator) ?? [];
    const zones = new Set(known);
    const { events, next } = await pageOfEvents(ctx, places, { limit, after: place });
    const records = events.map((event) => ({ id: '', text: withZones([event], zones, ctx.now) }));
    return { records, next: next === null ? null : [next, ...zones].join(separator) };
  },
};

/** Filters as they are sent; `read` parses them. */
export const exportSources = {
  // A line for each family.
  calendar_events: calendarEvents,
  contacts,
  deals,
  organizations,
  tasks,
} as unknown as Record<ImportableType, Source>;
