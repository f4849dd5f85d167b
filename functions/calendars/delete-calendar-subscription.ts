import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { deleteCalendarSubscription as remove } from '#shared/domain/calendar/calendars/subscriptions/delete.ts';

export const deleteCalendarSubscription = route('deleteCalendarSubscription', {
  method: 'DELETE',
  path: '/users/{user_id}/calendar_subscriptions/{id}',
  access: 'write',
  summary: 'End a calendar subscription',
  description:
    'One of the key’s user, also when the user no longer sees the calendar. With a subscription to an address, its calendar and events go.',
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:sync-calendars'],
});

export const handler = handle(deleteCalendarSubscription, async ({ ctx, params }) => {
  await remove(ctx, params.user_id, params.id);
});
