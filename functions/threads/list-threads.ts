import { cursorsOf } from '#shared/api/cursors.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { cursorCollection, forwardCursor, forwardPage, sentFilters } from '#shared/api/shapes.ts';
import { contacts } from '#shared/composition/contact-book.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { threadFilters } from '#shared/domain/mail/threads/filters.ts';
import { findInbox, findThreads } from '#shared/domain/mail/threads/lists/find.ts';
import { planFilters, requireNamedMailbox } from '#shared/domain/mail/threads/plan-filters.ts';
import { presentRows, readSurroundings } from '#shared/domain/mail/threads/present.ts';
import { threads } from '#shared/domain/mail/threads/schema.ts';
import { pageSize } from '#shared/values.ts';

const PAGE = 50;

export const listThreads = route('listThreads', {
  method: 'GET',
  path: '/threads',
  access: 'read',
  summary: 'List threads',
  description:
    'The threads that the key’s user sees, newest sent first (the inbox slice: newest received first), 50 a page, or fewer by `limit`. A page may be shorter when few threads match the filters: continue while `has_more_after` is true.',
  query: { ...threadFilters, ...forwardCursor, limit: pageSize(PAGE).default(PAGE) },
  returns: { 200: { collection: cursorCollection(threads.response) } },
  errors: ['invalid_cursor', 'unsupported_cursor_direction', 'record_not_found'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  listThreads,
  async ({ ctx, query }) => {
    const filters = sentFilters(query);
    const slice_key = query.slice ?? null;
    const scope = { list: `threads:${slice_key ?? ''}`, filters, user_id: ctx.caller.user.id };
    const { after, cursorAt } = cursorsOf(ctx, scope, query.next_cursor);
    const around = readSurroundings(ctx);
    const plan = await planFilters({ ...ctx, tags: around.tags }, query);
    const find = slice_key === 'inbox' ? findInbox : findThreads;
    const [page] = await Promise.all([
      find(ctx, plan, {
        after,
        limit: query.limit,
        onPostings: (postings) => around.book.ask(postings.flatMap(({ addresses }) => addresses ?? [])),
      }),
      requireNamedMailbox(ctx, query),
    ]);
    return {
      collection: {
        records: await presentRows(page.rows, ctx.caller.user, ctx.now, around),
        page_info: forwardPage(query.limit, cursorAt(page.next)),
        filters,
        slice_key,
      },
    };
  },
  { ...visibility, ...contacts },
);
