import { cursorsOf } from '#shared/api/cursors.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { cursorCollection, forwardCursor, forwardPage, sentFilters } from '#shared/api/shapes.ts';
import { notificationFilters, readChoice } from '#shared/domain/collaboration/notifications/event.ts';
import { listNotifications as findNotifications } from '#shared/domain/collaboration/notifications/list.ts';
import {
  notificationSchema,
  presentNotification,
} from '#shared/domain/collaboration/notifications/notification.ts';
import { pageSize } from '#shared/values.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

export const listNotifications = route('listNotifications', {
  method: 'GET',
  path: '/notifications',
  access: 'read',
  summary: "List the key's user's notifications",
  description:
    'Newest first; dismissed ones are left out. A page can be shorter than its limit and still have a next cursor ' +
    'when matches are rare.',
  query: { ...notificationFilters, limit: pageSize(MAX_LIMIT).optional(), ...forwardCursor },
  returns: { 200: { collection: cursorCollection(notificationSchema) } },
  errors: ['invalid_cursor', 'unsupported_cursor_direction'],
  uses: ['table:read'],
});

export const handler = handle(listNotifications, async ({ ctx, query }) => {
  const { slice = null, next_cursor: cursor, limit = DEFAULT_LIMIT } = query;
  const filters = sentFilters(query);
  const scope = { list: 'notifications', filters: { ...filters, slice }, user_id: ctx.caller.user.id };
  const { after, cursorAt } = cursorsOf(ctx, scope, cursor);
  const page = await findNotifications(ctx.table, ctx.caller.user.id, readChoice(query), { limit, after });
  const records = page.notifications.map((each) => presentNotification(each, page.moments));
  return {
    collection: { records, page_info: forwardPage(limit, cursorAt(page.next)), filters, slice_key: slice },
  };
});
