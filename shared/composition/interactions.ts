import { AllEncounters, latest } from '#shared/domain/calendar/calendar-events/encounters.ts';
import { meetingsWith } from '#shared/domain/calendar/calendar-events/interactions.ts';
import { lastMeetings } from '#shared/domain/calendar/calendar-events/met.ts';
import type { KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import { mailSince } from '#shared/domain/mail/last-mail/read.ts';
import { countThreadsOf, mailWith } from '#shared/domain/mail/threads/interactions.ts';
import { lastSharedMail } from '#shared/domain/mail/threads/lists/shared.ts';

/** What users see of people's mail and meetings. */
export const interactions: KnowsInteractions = {
  async interactionsWith(ctx, addresses) {
    const [mail, meetings] = await Promise.all([mailWith(ctx, addresses), meetingsWith(ctx, addresses)]);
    const moments = [mail.last_at, meetings.last].filter((each) => each !== null);
    return {
      thread_count: mail.thread_count,
      last_interaction_at: moments.sort().at(-1) ?? null,
      next_interaction_at: meetings.next,
    };
  },
  encounters: (ctx) => new AllEncounters(ctx),
  async addressesSince(ctx, since) {
    const [mail, shared, met] = await Promise.all([
      mailSince(ctx, since),
      lastSharedMail(ctx, { since }),
      lastMeetings(ctx, since),
    ]);
    const beside = [...latest(shared, met)].flatMap(([address, last]) => (last > since ? [address] : []));
    return [...new Set([...mail, ...beside])];
  },
  countThreadsOf,
};
