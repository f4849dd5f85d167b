import type { DemoUserKey } from './people.ts';
import type { Workspace } from './workspace.ts';

export interface DemoEvent {
  name: string;
  by: DemoUserKey;
  /** Hours from the beginning of this hour. */
  hours: number;
  /** Half an hour when omitted. */
  length?: number;
  location?: string;
  invites?: readonly string[];
  recurrence?: readonly string[];
  private?: true;
  shared_with?: DemoUserKey;
  /** Minutes before it, of who has the calendar. */
  reminders?: readonly number[];
  comment?: { author: DemoUserKey; html_content: string };
  /** What was said, each in five seconds. */
  transcript?: readonly string[];
}

const HOUR = 3_600_000;

export async function calendarOf(workspace: Workspace, by: DemoUserKey): Promise<string> {
  const { api, mailbox_id } = workspace.user(by);
  const { records } = (await api.listCalendars({ query: { mailbox_id: mailbox_id ?? '' } })).body.collection;
  return records[0]?.id ?? '';
}

/** When people of one account meet. */
export async function addEvents(
  workspace: Workspace,
  events: readonly DemoEvent[],
  now: Date,
): Promise<void> {
  const hour = Math.floor(now.getTime() / HOUR) * HOUR;
  for (const { name, by, hours, length = 0.5, location, invites = [], recurrence, ...event } of events) {
    const { api } = workspace.user(by);
    const at = (after: number) => new Date(hour + (hours + after) * HOUR).toISOString();
    const draft = {
      ...{ calendar_id: await calendarOf(workspace, by), name, starts_at: at(0), ends_at: at(length) },
      ...{ location, private: event.private, time_zone: 'Europe/London' },
      attendees: invites.map((email_address) => ({ email_address })),
      ...(recurrence ? { recurrence: [...recurrence] } : {}),
    };
    const { id } = (await api.createCalendarEvent({ body: { calendar_event: draft } })).body.calendar_event;
    const params = { record_type: 'calendar_events' as const, record_id: id };
    const { comment, shared_with, reminders, transcript } = event;
    if (reminders)
      await api.remindOfCalendarEvent({
        params: { calendar_event_id: id },
        body: { reminders: [...reminders] },
      });
    if (comment)
      await workspace
        .api(comment.author)
        .createComment({ params, body: { comment: { html_content: comment.html_content } } });
    if (shared_with)
      await api.createShare({ params, body: { share: { user_id: workspace.user(shared_with).id } } });
    if (!transcript) continue;
    const calendar = { auto_meeting_enabled: true };
    await api.updateCalendar({ params: { id: draft.calendar_id }, body: { calendar } });
    const segments = transcript.map((text, i) => ({
      started_ms: i * 5_000,
      ended_ms: i * 5_000 + 4_000,
      text,
    }));
    const body = { transcript: { language: 'en', segments } };
    await api.createTranscript({ params: { calendar_event_id: id }, body });
  }
}
