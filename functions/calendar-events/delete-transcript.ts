import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { deleteTranscript as remove } from '#shared/domain/calendar/calendar-events/transcripts/delete.ts';

export const deleteTranscript = route('deleteTranscript', {
  method: 'DELETE',
  path: '/calendar_events/{calendar_event_id}/transcript',
  access: 'write',
  summary: 'Delete the transcript of a meeting',
  returns: { 204: null },
  errors: ['record_not_found', 'permission_denied', 'no_transcript'],
  uses: ['table:write'],
  versioned: true,
});

export const handler = handle(deleteTranscript, async ({ ctx, params }) => {
  await remove(ctx, params.calendar_event_id);
});
