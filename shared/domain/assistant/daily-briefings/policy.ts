import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import type { DailyBriefing } from './briefing.ts';
import { dateOfId } from './day.ts';
import { findBriefing } from './store.ts';

/** A briefing of the caller: 404 for any other id, after the same one read. */
export async function requireBriefing({ table, caller }: CallerContext, id: string): Promise<DailyBriefing> {
  const briefing = await findBriefing(table, caller.user.id, dateOfId(id));
  if (briefing?.id !== id) throw recordNotFound();
  return briefing;
}
