import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { readTranscript } from '#shared/domain/calendar/calendar-events/transcripts/retrieve.ts';

import { transcriptSchema } from '#shared/domain/calendar/calendar-events/transcripts/transcript.ts';
export const retrieveTranscript = route('retrieveTranscript', {
  method: 'GET',
  path: '/calendar_events/{calendar_event_id}/transcript',
  access: 'read',
  summary: 'Retrieve the transcript of a meeting',
  description: '404 `no_transcript` for an event that the key’s user sees but that has none.',
  returns: { 200: { transcript: transcriptSchema } },
  errors: ['record_not_found', 'no_transcript'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(retrieveTranscript, async ({ ctx, params }) => ({
  transcript: await readTranscript(ctx, params.calendar_event_id),
}));
