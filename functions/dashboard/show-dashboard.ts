import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { contacts } from '#shared/composition/contact-book.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { dashboardSchema } from '#shared/domain/insight/dashboard/dashboard.ts';
import { readDashboard } from '#shared/domain/insight/dashboard/read.ts';

export const showDashboard = route('showDashboard', {
  method: 'GET',
  path: '/dashboard',
  access: 'read',
  summary: 'Show the dashboard',
  description:
    'Numbers for the front page, for the key’s user: each is that of the list with the same slice. Days are those of the user’s time zone.',
  returns: { 200: { dashboard: dashboardSchema } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(showDashboard, async ({ ctx }) => ({ dashboard: await readDashboard(ctx) }), {
  ...visibility,
  ...contacts,
  ...replies,
});
