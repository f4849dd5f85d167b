import * as z from 'zod';
import { writtenReminders } from '#shared/domain/collaboration/reminders/minutes.ts';
import { webAddress } from '#shared/domain/crm/details/written.ts';
import { sanitizeHtml } from '#shared/domain/platform/html/sanitize.ts';
import { timeZone } from '#shared/time-zone.ts';
import {
  clearableLine,
  clearableText,
  dateTime,
  emailAddress,
  isoDate,
  nameText,
  text,
  uuid,
} from '#shared/values.ts';

/** The values that requests send of an event (docs/specification/calendar.md, "Events"). */

const MAX_ATTENDEES = 100;

/** Lines of one recurrence, and characters of each: an EXDATE or RDATE names many days. */
const MAX_LINES = 100;
const MAX_LINE = 1_000;

const attendee = z.object({ email_address: emailAddress, optional: z.boolean().optional() });

function eachOnce(context: { value: { email_address: string }[]; issues: unknown[] }) {
  const { value } = context;
  value.forEach(({ email_address }, i) => {
    if (value.findIndex((other) => other.email_address === email_address) === i) return;
    const params = { field_code: 'invalid' };
    const message = 'is invited twice';
    context.issues.push({ code: 'custom', path: [i, 'email_address'], input: value, message, params });
  });
}

export const written = {
  calendar_id: uuid,
  name: nameText(255).meta({ example: 'Ferry timetable' }),
  description_html: text(20_000)
    .transform((html) => sanitizeHtml(html, 'comment').trim() || null)
    .nullish()
    .meta({ description: 'HTML, sanitized as in comments' }),
  location: clearableLine(255).optional(),
  conference_url: webAddress.nullish(),
  starts_at: dateTime.optional(),
  ends_at: dateTime.optional(),
  all_day: z.boolean().optional(),
  starts_on: isoDate.optional(),
  ends_on: isoDate.optional(),
  time_zone: timeZone.nullish(),
  private: z.boolean().optional(),
  attendees: z.array(attendee).max(MAX_ATTENDEES).check(eachOnce).optional(),
  recurrence: z
    .array(text(MAX_LINE).meta({ example: 'RRULE:FREQ=WEEKLY;BYDAY=MO' }))
    .max(MAX_LINES)
    .nullish(),
};

export const reminding = { reminders: writtenReminders };

export const response = {
  response: z.enum(['accepted', 'declined', 'tentative']),
  comment: clearableText(2_000).optional(),
};
