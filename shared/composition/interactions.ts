import { invitedSince, meetingsWith } from '#shared/domain/calendar/calendar-events/interactions.ts';
import type { KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import {
  addressesOfOrganization,
  countThreadsOf,
  lastMailWith,
  mailWith,
} from '#shared/domain/mail/threads/interactions.ts';
import { mailAddressesSince } from '#shared/domain/mail/threads/lists/recent.ts';

const latest = (...moments: (string | null)[]) =>
  moments
    .filter((each) => each !== null)
    .sort()
    .at(-1) ?? null;

/** Addresses of an organization whose lists are read for one response. */
const MOST_ADDRESSES = 200;

/** What users see of people's mail and meetings. */
export const interactions: KnowsInteractions = {
  async interactionsWith(ctx, addresses) {
    const [mail, meetings] = await Promise.all([mailWith(ctx, addresses), meetingsWith(ctx, addresses)]);
    return {
      ...mail,
      last_interaction_at: latest(mail.last_interaction_at, meetings.last),
      next_interaction_at: meetings.next,
    };
  },
  async lastInteractionWith(ctx, organization_id) {
    const addresses = await addressesOfOrganization(ctx, organization_id);
    if (addresses.length > MOST_ADDRESSES) return null;
    const [mail, meetings] = await Promise.all([lastMailWith(ctx, addresses), meetingsWith(ctx, addresses)]);
    return latest(mail, meetings.last);
  },
  async addressesSince(ctx, since) {
    const all = await Promise.all([mailAddressesSince(ctx, since), invitedSince(ctx, since)]);
    return [...new Set(all.flat())];
  },
  countThreadsOf,
};
