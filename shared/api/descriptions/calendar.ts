import type { Descriptions } from './descriptions.ts';

/** Calendars and their events (docs/specification/calendar.md). */
export const calendar: Descriptions = {
  Calendar: {
    is: 'A calendar of a mailbox (its own, or one at its server), or one that a user follows by the address of a file.',
    fields: {
      user_id: 'The owner of the mailbox, or who follows it: whose calendar it is.',
      mailbox_id: 'The mailbox that it belongs to; null for one that a user follows.',
      name: 'What it is called: like the mailbox, unless it was renamed.',
      description: 'What it is for; null when that is not said.',
      color: 'In which color to show it; null without one.',
      time_zone: 'IANA time zone of its owner.',
      primary: 'Whether it is the first calendar of the mailbox.',
      read_only: 'Whether events can only be changed where the calendar is kept.',
      sync_enabled:
        'Whether it follows a calendar at the server of its mailbox, or a file. While it does not, it is read-only.',
      auto_meeting_enabled: 'Whether the agent for meetings may work on its events.',
      last_synced_at: 'When it was last read from its server as a whole; null for never.',
      last_error: 'What kept it from being read from the address of its file; null when nothing did.',
    },
  },
  CalendarLastError: {
    is: 'Why the last reading of its file failed; null when it did not.',
    fields: {
      code: 'A stable identifier of the failure.',
      message: 'The failure as English text for a person.',
    },
  },
  CalendarSubscription: {
    is: 'How a user shows a calendar. It gives no access.',
    fields: {
      user_id: 'The user who shows it.',
      calendar_id: 'The calendar that is shown so.',
      url: 'The address of the file whose calendar it is; null for a calendar that is kept in the account.',
      visible: 'Whether its events are shown; true by default.',
      color: 'In which color the user shows it; null for the calendar’s own.',
    },
  },
  CalendarSubscriptionDraft: { is: 'A subscription to create.' },
  CalendarSubscriptionChanges: {
    is: 'Changes of a subscription: fields that are not sent stay, and null clears.',
  },
  CalendarChanges: { is: 'Changes of a calendar: fields that are not sent stay, and null clears.' },
  CalendarEvent: {
    is: 'A meeting or another event: a single one, a series, or an occurrence of a series. Of a private one, all but the owner see only when it is.',
    fields: {
      user_id: 'The owner of the calendar.',
      calendar_id: 'The calendar that it is in.',
      mailbox_id: 'The mailbox of the calendar; null for one that a user follows.',
      name: 'What it is called; null for who sees only when it is.',
      description: 'The description as plain text; null without one.',
      description_html: 'The description, as sanitized HTML; null without one.',
      location: 'Where it takes place; null when unknown.',
      conference_url: 'Where to join it online; null without a place.',
      starts_at: 'When it starts; for whole days midnight in the time zone.',
      ends_at: 'When it ends; for whole days the midnight after the last.',
      all_day: 'Whether it takes whole days.',
      starts_on: 'The first of the whole days; null for a timed event.',
      ends_on: 'The day after the last of the whole days; null for a timed event.',
      time_zone: 'IANA time zone in which its days are, and in which it repeats; null when unknown.',
      status: 'Whether it takes place.',
      private: 'Whether others see only when it is. Only the owner changes that.',
      organizer_email_address: 'Who invites; null for who sees only when it is.',
      attendees: 'Who is invited, the organizer too: 100 at most.',
      response_status: 'The answer of the key’s user; null for who is not invited.',
      recurrence:
        'When it repeats: lines RRULE, EXDATE and RDATE of RFC 5545, at most once a day and with a COUNT of 999 at most; null for a single event and an occurrence.',
      recurring_event_id: 'The series of an occurrence; null for every other event.',
      original_starts_at:
        'When the series has the occurrence, also when it was moved; null for every other event.',
      ical_uid:
        'The UID in iCalendar files; all occurrences of a series have the same; null for who sees only when it is.',
      reminders: 'When the key’s user is reminded: minutes before `starts_at`.',
      has_transcript: 'Whether there is a transcript that the user sees.',
      brief: 'What the assistant wrote to prepare it; null before somebody asked.',
      tags: 'The tags that it carries, and those of its series.',
      shares: 'Whom the event, or its series, is shared with.',
      comments: 'The comments on it, oldest first; null in lists.',
      tasks: 'Tasks about it that the user sees; null in lists.',
    },
  },
  CalendarEventDraft: { is: 'An event to create.' },
  CalendarEventDraftAttendee: { is: 'Who is invited.' },
  CalendarEventChanges: { is: 'Changes of an event: fields that are not sent stay, and null clears.' },
  CalendarEventChangesAttendee: { is: 'Who is invited.' },
  CalendarEventAttendee: {
    is: 'Who is invited to an event.',
    fields: {
      email_address: 'The address that is invited, in lower case.',
      display_name: 'The name of a user of the account; null for everybody else.',
      response_status: 'The answer.',
      comment: 'What the user said with the answer; null when nothing.',
      optional: 'Whether the event can do without this person.',
      organizer: 'Whether this person invites.',
      contact: 'The contact with this address; null without one that the user sees.',
      user_id: 'The user of the account with this address; null for everybody else.',
    },
  },
  CalendarEventAttendeeContact: { is: 'A contact in short.', fields: { name: 'The name to show.' } },
  MeetingBrief: {
    is: 'What the assistant writes to prepare a meeting.',
    fields: {
      status: '`pending` until the assistant has finished.',
      text: 'The text; null while it is pending, and the reason when it failed.',
      blocks: 'The same in its parts, with tables and cards.',
      refs: 'The records that it refers to.',
      generated_at: 'When it was finished; null while it is pending.',
    },
  },
  Transcript: {
    is: 'What was said in a meeting.',
    fields: {
      language: 'Language tag of BCP 47; null when unknown.',
      segments: 'What was said, in the order in which it was sent.',
    },
  },
  TranscriptDraft: { is: 'A transcript to store.' },
  TranscriptDraftSegment: { is: 'What one person said.' },
  TranscriptSegment: {
    is: 'What one person said.',
    fields: {
      speaker: 'Who spoke; null when unknown.',
      email_address: 'The address of the speaker; null when unknown.',
      started_ms: 'When it began, in milliseconds from the beginning of the meeting.',
      ended_ms: 'When it ended, in the same way.',
      text: 'What was said.',
    },
  },
  UpdateCalendarEventRequest: {
    is: 'Changes of an event, and how much of its series they are for.',
    fields: {
      calendar_event: 'The changes.',
      scope: '`this` occurrence, it and all `following`, or `all` of the series.',
    },
  },
  RemindOfCalendarEventRequest: {
    is: 'Reminders of an event.',
    fields: { reminders: 'The reminders of the key’s user, in place of the earlier ones.' },
  },
  RespondToCalendarEventRequest: {
    is: 'An answer to an invitation.',
    fields: { response: 'The answer.', comment: 'What to say with it.' },
  },
};
