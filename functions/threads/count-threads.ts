import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { countUpTo } from '#shared/api/shapes.ts';
import { contacts } from '#shared/composition/contact-book.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { threadFilters } from '#shared/domain/mail/threads/filters.ts';
import { countThreads as count } from '#shared/domain/mail/threads/lists/count.ts';
import { planFilters, requireNamedMailbox } from '#shared/domain/mail/threads/plan-filters.ts';
import { countSchema } from '#shared/values.ts';

export const countThreads = route('countThreads', {
  method: 'GET',
  path: '/threads/count',
  access: 'read',
  summary: 'Count threads',
  description:
    'Counts the threads of the list with the same filters. Exact without `cap`; counting stops at the cap.',
  query: { ...threadFilters, ...countUpTo },
  returns: { 200: { count: countSchema } },
  errors: ['record_not_found'],
  uses: ['table:read'],
});

export const handler = handle(
  countThreads,
  async ({ ctx, query }) => {
    const plan = await planFilters(ctx, query);
    const [counted] = await Promise.all([count(ctx, plan, query.cap), requireNamedMailbox(ctx, query)]);
    return { count: counted };
  },
  { ...visibility, ...contacts },
);
