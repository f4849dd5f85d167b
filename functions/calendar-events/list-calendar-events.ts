import { cursorsBothWaysOf } from '#shared/api/cursors.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { cursorCollection, cursorsBothWays, pageBothWays, sentFilters } from '#shared/api/shapes.ts';
import { begun } from '#shared/begun.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { eventSchema } from '#shared/domain/calendar/calendar-events/event.ts';
import { eventFilters } from '#shared/domain/calendar/calendar-events/filters.ts';
import { findEvents } from '#shared/domain/calendar/calendar-events/pages.ts';
import { presentEvents } from '#shared/domain/calendar/calendar-events/present.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { pageSize } from '#shared/values.ts';

export const listCalendarEvents = route('listCalendarEvents', {
  method: 'GET',
  path: '/calendar_events',
  access: 'read',
  summary: 'List calendar events',
  description:
    'The events that the key’s user sees, by when they start. The first page begins with what is not over at `starts_after`, or now; pages go on, and back into the past. Occurrences stand for their series. A page may be shorter when few events match the filters: continue while `has_more_after` (or `has_more_before`) is true.',
  query: {
    ...eventFilters,
    limit: pageSize(250)
      .default(100)
      .meta({ description: 'Events on a page. More than 250 are lowered to 250.' }),
    ...cursorsBothWays,
  },
  returns: { 200: { collection: cursorCollection(eventSchema) } },
  errors: ['record_not_found', 'invalid_cursor'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  listCalendarEvents,
  async ({ ctx, query }) => {
    const filters = sentFilters(query);
    const { slice = null, limit } = query;
    const scope = { list: `calendar_events:${slice ?? ''}`, filters, user_id: ctx.caller.user.id };
    const { position, cursorsAt } = cursorsBothWaysOf(ctx, scope, query);
    const tags = begun(tagDictionary(ctx.table, ctx.caller.account.id));
    const page = await findEvents(ctx, query, { tags, position, limit });
    return {
      collection: {
        records: await presentEvents(ctx, page.rows, tags),
        page_info: pageBothWays(limit, cursorsAt(page)),
        filters,
        slice_key: slice,
      },
    };
  },
  { ...visibility, ...replies },
);
