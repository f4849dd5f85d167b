import { followMeeting } from '#shared/domain/assistant/agents/meetings/follow.ts';
import type { FollowsMeetings } from '#shared/domain/calendar/calendar-events/transcripts/follow.ts';

/** What happens to meetings with a new transcript. */
export const meetings: FollowsMeetings = { followMeeting };
