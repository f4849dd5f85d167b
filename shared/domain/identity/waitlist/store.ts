import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, mustNotExist, type Table } from '#shared/table/table.ts';
import type { Waitlistee, WaitlisteeDraft } from './waitlistee.ts';

export function newWaitlistee(
  { email_address, name = null, company_name = null, note = null }: WaitlisteeDraft,
  now: Date,
): Waitlistee {
  const texts = { email_address, name, company_name, note };
  const created_at = now.toISOString();
  return { ...keys.waitlistee(email_address), ...texts, status: 'waiting', invited_at: null, created_at };
}

/** Whoever is there stays as first written: anybody can send anybody's address. */
export async function addToWaitlist(table: Table, draft: WaitlisteeDraft, now: Date): Promise<void> {
  try {
    await table.put(newWaitlistee(draft, now), mustNotExist);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

/** Who came first is first. */
export async function listWaitlist(table: Table): Promise<Waitlistee[]> {
  const { PK } = keys.waitlistee('');
  const found = await table.all<Waitlistee>(PK);
  return found.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}
