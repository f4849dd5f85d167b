import { clockIn } from '#shared/days.ts';
import { localTime } from '#shared/domain/assistant/daily-briefings/day.ts';
import { later } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import type { Deal } from '#shared/domain/crm/deals/deal.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { listStageHistory } from '#shared/domain/crm/deals/stage-history.ts';
import type { DayContext, SectionKind } from './section.ts';

const order = 'stage_moved_at';

/** The last move of a deal. Stages that are gone have no name. */
async function moveOf(ctx: DayContext, deal: Deal) {
  const [last] = await listStageHistory(ctx, deal);
  return {
    from: last?.from_stage?.name ?? null,
    to: last?.to_stage?.name ?? null,
    moved: localTime(ctx.caller.user.time_zone, last?.moved_at ?? deal.created_at),
  };
}

/** Deals that came into another stage since yesterday began, whoever moved them, the last one first. */
export const deals: SectionKind<Deal> = {
  title: 'Deals moved',
  type: 'deal',
  label: 'Deal',
  columns: [
    { key: 'from', label: 'From' },
    { key: 'to', label: 'To' },
    { key: 'moved', label: 'Moved', kind: 'date' },
  ],
  async find(ctx, limit) {
    const today = clockIn(ctx.caller.user.time_zone, ctx.now);
    const yesterday = today.subtract({ days: 1 }).startOfDay().epochMilliseconds;
    const moved = later<Deal>(order, yesterday - 1, ({ stage_moved_at }) => stage_moved_at);
    const query = { index: dealIndex, criteria: [moved], sort: order, order: 'desc' as const };
    const { rows } = await findRecords(ctx, query, { limit, after: undefined });
    return {
      records: rows,
      rowsOf: (shown) =>
        Promise.all(
          shown.map(async (deal) => ({ id: deal.id, name: deal.name, cells: await moveOf(ctx, deal) })),
        ),
    };
  },
};
