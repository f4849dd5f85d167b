import { cursorsOf } from '../../shared/api/cursors.ts';
import { handle } from '../../shared/api/handle.ts';
import { route } from '../../shared/api/route.ts';
import { cursorCollection, forwardCursor, forwardPage, sentFilters } from '../../shared/api/shapes.ts';
import { threadRecord } from '../../shared/domain/threads/record.ts';
import { findThreads, presentThreads } from '../../shared/domain/threads/store.ts';
import { recordNotFound } from '../../shared/errors.ts';
import { flag, uuid } from '../../shared/values.ts';

const PAGE = 50;

export const listThreads = route('listThreads', {
  method: 'GET',
  path: '/threads',
  access: 'read',
  summary: 'List threads',
  description: 'The threads that the key’s user sees, newest sent first, 50 a page.',
  query: {
    mailbox_id: uuid.optional().meta({ description: 'Threads through this mailbox' }),
    unread: flag.optional().meta({ description: 'true keeps unread threads; false behaves as omitted' }),
    flagged: flag.optional().meta({ description: 'true keeps flagged threads; false behaves as omitted' }),
    ...forwardCursor,
  },
  returns: { 200: { collection: cursorCollection(threadRecord) } },
  errors: ['invalid_cursor', 'unsupported_cursor_direction', 'record_not_found'],
  uses: ['table:read'],
});

export const handler = handle(listThreads, async ({ caller, query, table, services }) => {
  if (query.mailbox_id && !Object.hasOwn(caller.user.mailboxes, query.mailbox_id)) throw recordNotFound();
  const filters = sentFilters(query);
  const scope = { list: 'threads', filters, user_id: caller.user.id };
  const { after, cursorAt } = cursorsOf(services, scope, query.next_cursor);
  const page = await findThreads(table, caller, query, after, PAGE);
  return {
    collection: {
      records: await presentThreads(table, caller, page.entries),
      page_info: forwardPage(PAGE, cursorAt(page.next)),
      filters,
      slice_key: null,
    },
  };
});
