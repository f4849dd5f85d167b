import type { Meeting } from '#shared/domain/calendar/calendar-events/imported/meeting.ts';
import { emailAddress } from '#shared/values.ts';
import { every, one, type Property, textIn, type VEvent } from './vevent.ts';

/** Who is invited to an event of a file, and what they answered. */

/** Rooms and people of directories may have no address: they are left out. */
function addressOf(property: Property | undefined): string | undefined {
  if (!property) return undefined;
  const written = [textIn(property).replace(/^mailto:/i, ''), property.parameters.email ?? ''];
  return written.flatMap((text) => emailAddress.safeParse(text.trim()).data ?? [])[0];
}

const answers: Record<string, 'accepted' | 'declined' | 'tentative'> = {
  ACCEPTED: 'accepted',
  DECLINED: 'declined',
  TENTATIVE: 'tentative',
};

const optional = ['OPT-PARTICIPANT', 'NON-PARTICIPANT'];

interface People extends Pick<Meeting, 'organizer_email_address' | 'responses'> {
  attendees: { email_address: string; optional: boolean }[];
}

export function peopleIn(event: VEvent): People {
  const named = every(event, 'attendee').flatMap((property) => {
    const email_address = addressOf(property);
    return email_address === undefined ? [] : [{ email_address, ...property.parameters }];
  }) as { email_address: string; role?: string; partstat?: string }[];
  const once = [...new Map(named.map((each) => [each.email_address, each])).values()];
  const responses = once.flatMap(({ email_address, partstat = '' }) => {
    const status = answers[partstat.toUpperCase()];
    return status ? [[email_address, { status, comment: null }] as const] : [];
  });
  return {
    organizer_email_address: addressOf(one(event, 'organizer')),
    responses: Object.fromEntries(responses),
    attendees: once.map(({ email_address, role = '' }) => ({
      email_address,
      optional: optional.includes(role.toUpperCase()),
    })),
  };
}
