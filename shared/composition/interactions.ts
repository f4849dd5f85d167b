import { meetingsWith } from '#shared/domain/calendar/calendar-events/interactions.ts';
import type { KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import { countThreadsOf, mailWith } from '#shared/domain/mail/threads/interactions.ts';

/** What users see of people's mail and meetings. */
export const interactions: KnowsInteractions = {
  async interactionsWith(ctx, addresses) {
    const [mail, meetings] = await Promise.all([mailWith(ctx, addresses), meetingsWith(ctx, addresses)]);
    const moments = [mail.last_interaction_at, meetings.last].filter((each) => each !== null).sort();
    return {
      ...mail,
      last_interaction_at: moments.at(-1) ?? null,
      next_interaction_at: meetings.next,
    };
  },
  countThreadsOf,
};
