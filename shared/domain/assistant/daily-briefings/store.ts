import { keys } from '#shared/table/keys.ts';
import type { QueryPage, Table } from '#shared/table/table.ts';
import type { DailyBriefing } from './briefing.ts';

/** Only its user finds a briefing: its key begins with the user. */
export function findBriefing(
  table: Table,
  user_id: string,
  date: string,
): Promise<DailyBriefing | undefined> {
  return table.get<DailyBriefing>(keys.dailyBriefing(user_id, date));
}

/** Briefings in the list. */
const LISTED = 30;

/** The last ones of the user, the newest first; with a date, that one alone. */
export async function listBriefings(table: Table, user_id: string, date?: string): Promise<DailyBriefing[]> {
  if (date !== undefined) return [(await findBriefing(table, user_id, date)) ?? []].flat();
  const { PK, SK } = keys.dailyBriefing(user_id, '');
  const found: DailyBriefing[] = [];
  let after: Record<string, unknown> | undefined;
  // Long ones are more than a page of the table has.
  do {
    const page: QueryPage<DailyBriefing> = await table.query<DailyBriefing>({
      partition: PK,
      sort: { from: SK, to: `${SK}~` },
      limit: LISTED - found.length,
      newest_first: true,
      after,
    });
    found.push(...page.items);
    after = page.last;
  } while (after && found.length < LISTED);
  return found;
}
