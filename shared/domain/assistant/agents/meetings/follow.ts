import { findConfiguration } from '#shared/domain/assistant/agents/store.ts';
import type { FollowsMeetings } from '#shared/domain/calendar/calendar-events/transcripts/follow.ts';
import type { StoredCalendar } from '#shared/domain/calendar/calendars/calendar.ts';
import { pendingReply } from '#shared/domain/collaboration/replies/block.ts';
import { questionJob } from '#shared/domain/collaboration/replies/question.ts';
import { mayAsk } from '#shared/domain/identity/users/policy.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';

/** Agent `auto_meeting`: for the user who stores a transcript, in calendars that have it on. */
export const followMeeting: FollowsMeetings['followMeeting'] = async (ctx, event, transcript_id) => {
  const { table, caller, config, now } = ctx;
  if (!mayAsk(caller, config)) return undefined;
  const [calendar, { enabled }] = await Promise.all([
    table.get<StoredCalendar>(keys.calendar(caller.account.id, event.calendar_id)),
    findConfiguration(table, caller.account.id, 'auto_meeting'),
  ]);
  if (!calendar?.auto_meeting_enabled || !enabled) return undefined;
  const id = newId(now);
  const job = questionJob(
    {
      reply_id: id,
      account_id: caller.account.id,
      user_id: caller.user.id,
      text: '',
      record: { type: 'calendar_events', id: event.id },
      place: { kind: 'meeting', calendar_event_id: event.id, transcript_id },
      source: { type: 'calendar_event', id: event.id },
    },
    now,
  );
  return { brief: { ...pendingReply, id, asker_id: caller.user.id, generated_at: null }, job };
};
