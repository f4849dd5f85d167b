import type { DailyBriefing } from '#shared/domain/assistant/daily-briefings/briefing.ts';
import { briefingId, dateIn } from '#shared/domain/assistant/daily-briefings/day.ts';
import { keys } from '#shared/table/keys.ts';
import type { World } from './cases.ts';

/** A briefing of today with a record in each section, as the worker leaves it. */
export async function givenBriefing({ api, table, thread_id, contact_id }: World): Promise<DailyBriefing> {
  const { user } = (await api.retrieveCurrentUser()).body;
  const contact = await table.get<{ account_id: string }>(keys.record('contacts', contact_id));
  const account_id = contact?.account_id ?? '';
  const date = dateIn(user.time_zone, new Date());
  const id = briefingId(user.id, date);
  const created_at = new Date().toISOString();
  const section = {
    ...{ type: 'table' as const, title: 'Threads awaiting a reply' },
    columns: [{ key: 'name', label: 'Subject' }],
    rows: [{ cells: {}, ref: { type: 'thread', id: thread_id } }],
  };
  const briefing: DailyBriefing = {
    ...keys.dailyBriefing(user.id, date),
    ...{ id, account_id, user_id: user.id, date, time_zone: user.time_zone, reply_id: id },
    reply: { status: 'complete', text: null, blocks: [], refs: [] },
    sections: Array.from({ length: 4 }, () => section),
    ...{ read_at: created_at, created_at, updated_at: created_at },
  };
  await table.put(briefing);
  return briefing;
}
