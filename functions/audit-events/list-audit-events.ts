import { cursorsOf } from '#shared/api/cursors.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { cursorCollection, forwardCursor, forwardPage } from '#shared/api/shapes.ts';
import { auditEventSchema, presentAuditEvent } from '#shared/domain/identity/audit/event.ts';
import { listAuditEvents as list } from '#shared/domain/identity/audit/list.ts';
import { pageSize } from '#shared/values.ts';

export const listAuditEvents = route('listAuditEvents', {
  method: 'GET',
  path: '/audit_events',
  access: 'read',
  summary: 'List what was done with rights',
  description:
    'Who signed in, changed rights or settings, made or deleted keys, accepted terms, invited or deactivated: newest ' +
    'first, for a year. Only for account admins.',
  query: { limit: pageSize(100).default(50), ...forwardCursor },
  returns: { 200: { collection: cursorCollection(auditEventSchema) } },
  errors: ['permission_denied', 'invalid_cursor', 'unsupported_cursor_direction'],
  uses: ['table:read'],
});

export const handler = handle(listAuditEvents, async ({ ctx, query: { limit, next_cursor } }) => {
  const scope = { list: 'audit_events', filters: {}, user_id: ctx.caller.user.id };
  const { after, cursorAt } = cursorsOf(ctx, scope, next_cursor);
  const { events, next } = await list(ctx, { limit, after });
  const page_info = forwardPage(limit, cursorAt(next));
  return {
    collection: { records: events.map(presentAuditEvent), page_info, filters: null, slice_key: null },
  };
});
