import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { meetings } from '#shared/composition/meetings.ts';
import { createTranscript as create } from '#shared/domain/calendar/calendar-events/transcripts/create.ts';
import {
  transcriptDraft,
  transcriptSchema,
} from '#shared/domain/calendar/calendar-events/transcripts/transcript.ts';

export const createTranscript = route('createTranscript', {
  method: 'POST',
  path: '/calendar_events/{calendar_event_id}/transcript',
  access: 'write',
  summary: 'Store the transcript of a meeting',
  description:
    'Any number of segments, as large as a request may be. It replaces an earlier transcript as a whole. In calendars with `auto_meeting_enabled`, the agent `auto_meeting` then writes what came of the meeting into the brief, and proposes tasks.',
  body: { transcript: transcriptDraft },
  examples: {
    body: {
      transcript: {
        language: 'en',
        segments: [{ speaker: 'Ada Byron', started_ms: 0, ended_ms: 1_800, text: 'Shall we begin?' }],
      },
    },
  },
  returns: { 201: { transcript: transcriptSchema } },
  errors: ['record_not_found', 'permission_denied'],
  uses: ['table:write', 'queue:index-records', 'queue:reply-as-assistant'],
  versioned: true,
  streams: true,
});

export const handler = handle(
  createTranscript,
  async ({ ctx, params, body }) => ({
    transcript: await create(ctx, params.calendar_event_id, body.transcript),
  }),
  meetings,
);
