import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, missing, present, type Table } from '#shared/table/table.ts';
import type { Session } from './session.ts';
import { listOpenSessions } from './store.ts';

/**
 * Ends a session: from then on its access tokens and its refresh tokens are refused. The item stays until its time to
 * live, so that its tokens are known to be revoked. Returns it, or undefined when it was over before.
 */
export async function endSession(
  table: Table,
  { user_id, id }: Pick<Session, 'user_id' | 'id'>,
  ended_by: NonNullable<Session['ended_by']>,
  now: Date,
): Promise<Session | undefined> {
  try {
    return await table.update<Session>(keys.session(user_id, id), {
      set: { ended_at: now.toISOString(), ended_by },
      when: { PK: present, ended_at: missing },
    });
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

/** Ends all sessions of a user, except the one that is named: for whoever is deactivated, or loses a device. */
export async function endSessions(table: Table, user_id: string, now: Date, except?: string): Promise<void> {
  const open = await listOpenSessions(table, user_id, now);
  const others = open.filter(({ id }) => id !== except);
  await Promise.all(others.map((session) => endSession(table, session, 'service', now)));
}
