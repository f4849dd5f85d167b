import { asOfNow } from '#shared/context.ts';
import { findConfiguration } from '#shared/domain/assistant/agents/store.ts';
import type { Meeting } from '#shared/domain/assistant/answering/assistant.ts';
import { counted } from '#shared/domain/assistant/answering/usage.ts';
import { possible, Unanswered, type Work } from '#shared/domain/assistant/answering/work.ts';
import { seesDetails } from '#shared/domain/calendar/calendar-events/access.ts';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { findVisibleEvent } from '#shared/domain/calendar/calendar-events/load.ts';
import { readSegments } from '#shared/domain/calendar/calendar-events/transcripts/parts.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import { proposeTasks } from './propose-tasks.ts';

/** 'hidden' for an event that the user sees no more, and for a transcript that is gone or was replaced. */
async function meetingOf(ctx: CallerContext, event: CalendarEvent, transcript_id: string): Promise<Meeting> {
  const { transcript, name, starts_at } = event;
  if (transcript?.id !== transcript_id) throw new Unanswered('hidden');
  const segments = await readSegments(ctx.table, event.id, transcript).catch((error) => {
    throw error instanceof ConditionFailed ? new Unanswered('hidden', { cause: error }) : error;
  });
  const said = segments.map(({ speaker, email_address, text }) => ({
    speaker: speaker ?? email_address ?? 'Somebody',
    text,
  }));
  return { name, starts_at, said };
}

/** Agent `auto_meeting`: what came of a meeting, by its transcript, and the tasks that follow from it. */
export const noteMeeting: Work = async (ctx, { account_id, place }, deadline) => {
  if (place.kind !== 'meeting') throw new Unanswered('unknown');
  const [configuration, found] = await Promise.all([
    findConfiguration(ctx.table, account_id, 'auto_meeting'),
    findVisibleEvent(ctx, place.calendar_event_id),
  ]);
  if (!configuration.enabled) throw new Unanswered('off');
  if (!found || !seesDetails(ctx.caller.user, found.event)) throw new Unanswered('hidden');
  const meeting = await meetingOf(ctx, found.event, place.transcript_id);
  const assistant = ctx.ports.assistantOf(ctx.config);
  const { notes } = await counted(ctx, { account_id, purpose: 'auto_meeting', assistant }, () =>
    assistant.noteMeeting(meeting, configuration.instructions, deadline),
  );
  return () => possible(proposeTasks(asOfNow(ctx), found.event.id, notes));
};
