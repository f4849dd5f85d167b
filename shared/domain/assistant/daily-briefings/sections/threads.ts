import { localTime } from '#shared/domain/assistant/daily-briefings/day.ts';
import type { Row } from '#shared/domain/mail/threads/lists/criteria.ts';
import { findThreads } from '#shared/domain/mail/threads/lists/find.ts';
import { planFilters } from '#shared/domain/mail/threads/plan-filters.ts';
import type { SectionKind } from './section.ts';

/** Threads whose newest message waits for an answer of the user's side, newest first. */
export const threads: SectionKind<Row> = {
  title: 'Threads awaiting a reply',
  type: 'thread',
  label: 'Subject',
  columns: [{ key: 'last_message', label: 'Last message', kind: 'date' }],
  async find(ctx, limit) {
    const { user } = ctx.caller;
    const plan = await planFilters(ctx, { slice: 'awaiting' });
    const { rows } = await findThreads(ctx, plan, { after: undefined, limit });
    return {
      records: rows,
      rowsOf: async (shown) =>
        shown.map(({ entry: { thread_id, subject, last_sent_at } }) => ({
          id: thread_id,
          name: subject,
          cells: { last_message: localTime(user.time_zone, last_sent_at) },
        })),
    };
  },
};
